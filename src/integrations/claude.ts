import { join } from 'node:path';
import { INSTRUCTIONS } from './instructions.ts';
import { CLAUDE_EVENTS, hookParts } from './hook-events.ts';
import { serverEntry } from './launcher.ts';
import type { UserFolders } from './user-folders.ts';
import { marketplacePlugin } from './marketplace.ts';
import type { Setting, Target, TargetFile } from './target.ts';

/** Claude Code. Formats: code.claude.com/docs, pages mcp, hooks and memory. */
export const claude: Target = {
  name: 'claude',
  title: 'Claude Code',
  traces: (places) => [stateFile(places), settingsFolder(places)],
  files: async (setting) => {
    const { server, hooks, instructions } = paths(setting);
    return [
      {
        path: server,
        purpose: 'server',
        parts: [{ kind: 'member', id: 'MCP server', path: ['mcpServers', 'lore'], value: serverEntry(setting.launcher) }],
      },
      {
        path: hooks,
        purpose: 'hooks',
        parts: hookParts(CLAUDE_EVENTS, { client: 'claude', launcher: setting.launcher, platform: setting.places.platform }),
      },
      { path: instructions, purpose: 'instructions', parts: [{ kind: 'markdown', id: 'instruction', text: INSTRUCTIONS }] },
    ] satisfies TargetFile[];
  },
  plugin: (setting) => marketplacePlugin('claude', setting),
  notes: ({ scope }) => [
    scope === 'user'
      ? 'Claude Code rewrites its state file while it runs: close it before, or check with `lore doctor --status` afterwards.'
      : 'Claude Code asks once whether to trust the server in .mcp.json. The paths in it belong to this machine.',
  ],
};

function paths({ scope, places }: Setting): { server: string; hooks: string; instructions: string } {
  const { project } = places;
  if (scope === 'user') {
    const folder = settingsFolder(places);
    return { server: stateFile(places), hooks: join(folder, 'settings.json'), instructions: join(folder, 'CLAUDE.md') };
  }
  return {
    server: join(project, '.mcp.json'),
    // Not settings.json: that file is committed, and the commands contain paths of this machine.
    hooks: join(project, '.claude', 'settings.local.json'),
    instructions: join(project, 'CLAUDE.md'),
  };
}

const settingsFolder = ({ home, env }: UserFolders): string => env['CLAUDE_CONFIG_DIR'] || join(home, '.claude');
const stateFile = ({ home, env }: UserFolders): string => join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json');
