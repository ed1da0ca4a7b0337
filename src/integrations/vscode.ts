import { join } from 'node:path';
import { instructionFile } from './instructions.ts';
import type { JsonValue } from './json-text.ts';
import { HOOK_SECONDS, hookParts, VSCODE_EVENTS } from './hook-events.ts';
import { serverEntry } from './launcher.ts';
import type { Part } from './part.ts';
import { applicationFolder, type UserFolders } from './user-folders.ts';
import type { Setting, Target, TargetFile } from './target.ts';

/** Copilot CLI reads the same folders and requires a version. */
const VERSION: Part = { kind: 'preset', id: 'version', path: ['version'], value: 1 };

/** Visual Studio Code with Copilot. Formats: code.visualstudio.com/docs, pages mcp-servers, hooks and custom-instructions. */
export const vscode: Target = {
  name: 'vscode',
  title: 'VS Code',
  traces: (places) => [userFolder(places)],
  files: async (setting) => {
    const { server, hooks, instructions } = paths(setting);
    const text = instructionFile(["applyTo: '**'", 'description: When to recall from Lore and what to save in it']);
    return [
      {
        path: server,
        purpose: 'server',
        parts: [
          { kind: 'member', id: 'MCP server', path: ['servers', 'lore'], value: { type: 'stdio', ...serverEntry(setting.launcher) } },
        ],
      },
      { path: hooks, purpose: 'hooks', parts: copilotHooks(setting) },
      { path: instructions, purpose: 'instructions', parts: [{ kind: 'whole', id: 'instruction', text }] },
    ] satisfies TargetFile[];
  },
  notes: () => ['VS Code also runs the hooks of Claude Code: if both are set up, use --no-hooks for one of them.'],
};

/** The hooks that VS Code and Copilot CLI share. */
export function copilotHooks({ launcher, places }: Setting): Part[] {
  const form = ({ command }: { readonly command: string }): JsonValue => ({ type: 'command', command, timeout: HOOK_SECONDS });
  return [VERSION, ...hookParts(VSCODE_EVENTS, { client: 'vscode', launcher, platform: places.platform, form })];
}

function paths({ scope, places }: Setting): { server: string; hooks: string; instructions: string } {
  const { home, project } = places;
  if (scope === 'project') {
    return {
      server: join(project, '.vscode', 'mcp.json'),
      hooks: join(project, '.github', 'hooks', 'lore.json'),
      instructions: join(project, '.github', 'instructions', 'lore.instructions.md'),
    };
  }
  const folder = userFolder(places);
  return {
    server: join(folder, 'mcp.json'),
    hooks: join(home, '.copilot', 'hooks', 'lore.json'),
    instructions: join(folder, 'prompts', 'lore.instructions.md'),
  };
}

const userFolder = (places: UserFolders): string => join(applicationFolder(places, 'Code'), 'User');
