import { join } from 'node:path';
import { INSTRUCTIONS } from './instructions.ts';
import { CODEX_EVENTS, hookParts } from './hook-events.ts';
import { serverEntry } from './launcher.ts';
import type { Part } from './part.ts';
import type { UserFolders } from './user-folders.ts';
import { marketplacePlugin } from './marketplace.ts';
import type { Setting, Target, TargetFile } from './target.ts';

/** Codex. Formats: developers.openai.com/codex, pages mcp, hooks and guides/agents-md. */
export const codex: Target = {
  name: 'codex',
  title: 'Codex',
  traces: (places) => [userFolder(places)],
  files: async (setting) => {
    const { scope, places } = setting;
    const folder = scope === 'user' ? userFolder(places) : join(places.project, '.codex');
    return [
      { path: join(folder, 'config.toml'), purpose: 'server', parts: [server(setting)] },
      {
        path: join(folder, 'hooks.json'),
        purpose: 'hooks',
        parts: hookParts(CODEX_EVENTS, { client: 'codex', launcher: setting.launcher, platform: places.platform }),
      },
      {
        path: join(scope === 'user' ? folder : places.project, 'AGENTS.md'),
        purpose: 'instructions',
        parts: [{ kind: 'markdown', id: 'instruction', text: INSTRUCTIONS }],
      },
    ] satisfies TargetFile[];
  },
  plugin: (setting) => marketplacePlugin('codex', setting),
  notes: ({ scope }) => [
    'Start `codex` once and allow the hooks of Lore (enter /hooks if it does not ask). Until then Codex skips them, in `codex exec` without a message; the MCP tools work.',
    'Older versions of Codex need `hooks = true` or `codex_hooks = true` under [features] in config.toml.',
    ...(scope === 'project' ? ['Codex reads .codex in a project that it trusts; the paths in it belong to this machine.'] : []),
  ],
};

function server({ launcher }: Setting): Part {
  const value = serverEntry(launcher);
  // A JSON string is a TOML string too.
  const [command, args] = [JSON.stringify(value.command), value.args.map((word) => JSON.stringify(word)).join(', ')];
  const text = `[mcp_servers.lore]\ncommand = ${command}\nargs = [${args}]`;
  return { kind: 'toml', id: 'MCP server', text, path: ['mcp_servers', 'lore'], value };
}

const userFolder = ({ home, env }: UserFolders): string => env['CODEX_HOME'] || join(home, '.codex');
