import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { INSTRUCTIONS } from './instructions.ts';
import { jsonFault, valueAt, type JsonValue } from './json-text.ts';
import { programOf, type Launcher } from './launcher.ts';
import { opencodePlugin } from './opencode-plugin.ts';
import type { Part } from './part.ts';
import { configHome, type UserFolders } from './user-folders.ts';
import type { Setting, Target, TargetFile } from './target.ts';

/** OpenCode 1 and 2. Formats: opencode.ai/docs, pages mcp-servers, plugins, rules and migrate-v1. */
export const opencode: Target = {
  name: 'opencode',
  title: 'OpenCode',
  traces: (places) => [userFolder(places)],
  files: async (setting) => {
    const { scope, places, launcher } = setting;
    const folder = scope === 'user' ? userFolder(places) : join(places.project, '.opencode');
    const config = await configFile(setting);
    return [
      { path: config.path, purpose: 'server', parts: [server(launcher, config.text)] },
      {
        path: join(folder, 'plugins', 'lore.js'),
        purpose: 'hooks',
        parts: [{ kind: 'whole', id: 'plugin', text: opencodePlugin(launcher) }],
      },
      {
        path: join(scope === 'user' ? folder : places.project, 'AGENTS.md'),
        purpose: 'instructions',
        parts: [{ kind: 'markdown', id: 'instruction', text: INSTRUCTIONS }],
      },
    ] satisfies TargetFile[];
  },
  notes: ({ scope }) => [
    'Be online when you start OpenCode next: as for any plugin, it installs its package `@opencode-ai/plugin`. Without a network, each start waits over a minute until that has worked once.',
    ...(scope === 'project' ? ['The paths in the plugin and in the server entry belong to this machine.'] : []),
  ],
};

/** The server entry. OpenCode 2 reads both formats, but not mixed in one file, so its own format is used only if the file already has it. */
function server(launcher: Launcher, text: string): Part {
  const hasServers = text.trim() !== '' && jsonFault(text) === undefined && isServerList(valueAt(text, ['mcp', 'servers']));
  const local = { type: 'local', command: [...programOf(launcher), 'mcp'] };
  const value: JsonValue = hasServers ? local : { ...local, enabled: true };
  return { kind: 'member', id: 'MCP server', path: hasServers ? ['mcp', 'servers', 'lore'] : ['mcp', 'lore'], value };
}

/** Whether the value is the list of servers, and not one server with the name `servers`. */
function isServerList(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !('type' in value);
}

/** The first existing file of those that OpenCode reads, else the first one. */
async function configFile({ scope, places }: Setting): Promise<{ path: string; text: string }> {
  const { project } = places;
  const folders = scope === 'user' ? [userFolder(places)] : [project, join(project, '.opencode')];
  const paths = folders.flatMap((folder) => ['opencode.json', 'opencode.jsonc'].map((name) => join(folder, name)));
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) return { path, text: text.replace(/^\uFEFF/, '') };
  }
  return { path: paths[0] ?? join(project, 'opencode.json'), text: '' };
}

const userFolder = (places: UserFolders): string => places.env['OPENCODE_CONFIG_DIR'] || join(configHome(places), 'opencode');
