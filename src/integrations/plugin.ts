import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { editorOf } from './part-editor.ts';
import { digest } from './atomic-files.ts';
import { cursorForm, CLAUDE_EVENTS, CODEX_EVENTS, CURSOR_EVENTS, hookParts, type HookEvent } from './hook-events.ts';
import { instructionFile } from './instructions.ts';
import type { JsonValue } from './json-text.ts';
import { serverEntry, type Launcher } from './launcher.ts';
import { skillText } from './skill.ts';
import type { TargetFile } from './target.ts';
import { SIGNATURE } from './whole-file.ts';

/** The clients with a plugin. */
export const PLUGIN_CLIENTS = ['claude', 'codex', 'cursor'] as const;
export type PluginClient = (typeof PLUGIN_CLIENTS)[number];

/** `lore` on the PATH: for the plugins in the repository, which must work on any machine. */
export const ON_PATH: Launcher = { node: 'lore' };

/** A file of a plugin: its path in the plugin, with `/`, and its content. */
interface PluginFile {
  readonly path: string;
  readonly text: string;
}

interface Making {
  readonly launcher: Launcher;
  readonly platform: NodeJS.Platform;
}

const DESCRIPTION = `A local memory for you and your coding agents, from one session to the next. It runs the Lore of this machine: see ${SIGNATURE} --plugin.`;
const AUTHOR = { name: 'Lore maintainers' };
const NAME = 'lore';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };

/**
 * The plugin of a client: MCP server, hooks and skill, with the same content that `lore setup` writes. Schemas: claude-code-plugin-manifest.json
 * and claude-code-marketplace.json of schemastore.org, cursor/plugins/schemas/plugin.schema.json; Codex has none
 * (developers.openai.com/codex/plugins/build).
 */
export function pluginFiles(client: PluginClient, making: Making): PluginFile[] {
  const servers = { mcpServers: { lore: serverEntry(making.launcher) } };
  const common = {
    name: NAME,
    version: versionOf(making.launcher),
    description: DESCRIPTION,
    author: AUTHOR,
    license: 'Apache-2.0',
    keywords: ['memory', 'mcp', 'hooks'],
  };
  const skill = { path: 'skills/lore/SKILL.md', text: skillText() };
  const hooks = { path: 'hooks/hooks.json', text: hooksText(client, making) };
  switch (client) {
    case 'claude':
      return [json('.claude-plugin/plugin.json', common), json('.mcp.json', servers), hooks, skill];
    case 'codex': {
      const shown = {
        displayName: 'Lore',
        shortDescription: 'A local memory for your agents',
        developerName: AUTHOR.name,
        category: 'Productivity',
      };
      const paths = { skills: './skills/', mcpServers: './.mcp.json', hooks: './hooks/hooks.json' };
      return [json('.codex-plugin/plugin.json', { ...common, ...paths, interface: shown }), json('.mcp.json', servers), hooks, skill];
    }
    case 'cursor': {
      const paths = { skills: './skills/', rules: './rules/', hooks: './hooks/hooks.json', mcpServers: './mcp.json' };
      const rule = instructionFile(['description: When to recall from Lore and what to save in it', 'alwaysApply: true']);
      const manifest = json('.cursor-plugin/plugin.json', { ...common, displayName: 'Lore', ...paths });
      return [manifest, json('mcp.json', servers), hooks, skill, { path: 'rules/lore.mdc', text: rule }];
    }
  }
}

/** The plugin version. A client updates a plugin only when its version changes, so other paths need another version. */
function versionOf({ node, bin }: Launcher): string {
  return bin === undefined ? version : `${version}+${digest(`${node}\n${bin}`).slice(0, 8)}`;
}

const MARKETPLACES = {
  claude: {
    path: '.claude-plugin/marketplace.json',
    content: (folder: string) => ({
      name: NAME,
      owner: AUTHOR,
      description: DESCRIPTION,
      plugins: [{ name: NAME, source: `./${folder}`, description: DESCRIPTION }],
    }),
  },
  codex: {
    path: '.agents/plugins/marketplace.json',
    content: (folder: string) => ({
      name: NAME,
      interface: { displayName: 'Lore' },
      plugins: [
        {
          name: NAME,
          source: { source: 'local', path: `./${folder}` },
          policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
          category: 'Productivity',
        },
      ],
    }),
  },
  cursor: {
    path: '.cursor-plugin/marketplace.json',
    content: (folder: string) => ({
      name: NAME,
      owner: AUTHOR,
      metadata: { description: DESCRIPTION },
      plugins: [{ name: NAME, source: folder, description: DESCRIPTION }],
    }),
  },
} as const;

/** The marketplace file from which a client installs the plugin. `folder`: path of the plugin relative to the marketplace. */
export function marketplaceFile(client: PluginClient, folder: string): PluginFile {
  const { path, content } = MARKETPLACES[client];
  return json(path, content(folder));
}

/** The files of a plugin as files to write into a folder. */
export function filesIn(folder: string, files: readonly PluginFile[]): TargetFile[] {
  return files.map(({ path, text }) => ({
    path: join(folder, ...path.split('/')),
    purpose: 'plugin',
    parts: [{ kind: 'whole', id: `plugin ${path}`, text }],
  }));
}

const HOOKS: Readonly<Record<PluginClient, readonly HookEvent[]>> = { claude: CLAUDE_EVENTS, codex: CODEX_EVENTS, cursor: CURSOR_EVENTS };

function hooksText(client: PluginClient, { launcher, platform }: Making): string {
  const isCursor = client === 'cursor';
  const parts = hookParts(HOOKS[client], { client, launcher, platform, ...(isCursor && { form: cursorForm }) });
  return parts.reduce((before, part) => editorOf(part).put(before), isCursor ? '{\n  "version": 1\n}\n' : '');
}

const json = (path: string, content: JsonValue): PluginFile => ({ path, text: `${JSON.stringify(content, undefined, 2)}\n` });
