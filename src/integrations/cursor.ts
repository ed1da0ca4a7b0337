import { join } from 'node:path';
import { instructionFile } from './instructions.ts';
import { HOOK_SECONDS, hookCommand, serverEntry } from './launcher.ts';
import type { Part } from './part.ts';
import type { Setting, Target, TargetFile } from './target.ts';

const EVENTS = [
  'sessionStart',
  'beforeSubmitPrompt',
  'postToolUse',
  'postToolUseFailure',
  'afterAgentResponse',
  'stop',
  'sessionEnd',
] as const;

/** Cursor. Formats: cursor.com/docs, pages mcp, hooks and rules. */
export const cursor: Target = {
  name: 'cursor',
  title: 'Cursor',
  traces: ({ home }) => [join(home, '.cursor')],
  files: async (setting) => {
    const { scope, places, launcher } = setting;
    const folder = join(scope === 'user' ? places.home : places.project, '.cursor');
    const version: Part = { kind: 'preset', id: 'version', path: ['version'], value: 1 };
    const files: TargetFile[] = [
      {
        path: join(folder, 'mcp.json'),
        purpose: 'server',
        parts: [{ kind: 'member', id: 'MCP server', path: ['mcpServers', 'lore'], value: serverEntry(launcher) }],
      },
      { path: join(folder, 'hooks.json'), purpose: 'hooks', parts: [version, ...EVENTS.map((event) => hook(event, setting))] },
    ];
    if (scope === 'project') files.push(rule(folder));
    return files;
  },
  notes: ({ scope }) =>
    scope === 'user'
      ? [
          'Cursor keeps rules for all projects in its settings, not in a file: `lore setup --target cursor --scope project` writes them here.',
        ]
      : ['The paths in .cursor are those of this machine.'],
};

function hook(event: string, { launcher, places }: Setting): Part {
  const command = hookCommand(launcher, { event, client: 'cursor' }, places.platform);
  return { kind: 'hook', id: `hook ${event}`, path: ['hooks', event], value: { command, timeout: HOOK_SECONDS }, event, client: 'cursor' };
}

function rule(folder: string): TargetFile {
  const text = instructionFile(['description: When to recall from Lore and what to save in it', 'alwaysApply: true']);
  return { path: join(folder, 'rules', 'lore.mdc'), purpose: 'instructions', parts: [{ kind: 'whole', id: 'instruction', text }] };
}
