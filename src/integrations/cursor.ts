import { join } from 'node:path';
import { instructionFile } from './instructions.ts';
import { CURSOR_EVENTS, cursorForm, hookParts } from './hook-events.ts';
import { serverEntry } from './launcher.ts';
import type { Part } from './part.ts';
import { filesIn, pluginFiles } from './plugin.ts';
import type { Target, TargetFile } from './target.ts';

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
      {
        path: join(folder, 'hooks.json'),
        purpose: 'hooks',
        parts: [version, ...hookParts(CURSOR_EVENTS, { client: 'cursor', launcher, platform: places.platform, form: cursorForm })],
      },
    ];
    if (scope === 'project') files.push(rule(folder));
    return files;
  },
  plugin: ({ places: { home, platform }, launcher }) => {
    const folder = join(home, '.cursor', 'plugins', 'local', 'lore');
    return {
      files: filesIn(folder, pluginFiles('cursor', { launcher, platform })),
      add: ['Reload Cursor: it then finds the plugin.'],
      remove: [],
    };
  },
  notes: ({ scope }) =>
    scope === 'user'
      ? [
          'Cursor stores rules for all projects in its settings, not in a file: `lore setup --target cursor --scope project` writes them to this project.',
        ]
      : ['The paths in .cursor belong to this machine.'],
};

function rule(folder: string): TargetFile {
  const text = instructionFile(['description: When to recall from Lore and what to save in it', 'alwaysApply: true']);
  return { path: join(folder, 'rules', 'lore.mdc'), purpose: 'instructions', parts: [{ kind: 'whole', id: 'instruction', text }] };
}
