import { loadConfig } from '../../src/config/load.ts';
import { settingsReport } from '../../src/config/settings-report.ts';
import type { Administration, Integration, SettingsReport } from '../../src/memory/operations/administration.ts';

const HOME = '/home/ana';

/** A configuration with one value from the environment and one secret, and one client in each state. */
export function surroundings(
  env: Readonly<Record<string, string>> = {},
  program = 'lore',
): Administration & { readonly settings: () => SettingsReport } {
  const directories = { data: `${HOME}/.local/share/lore`, config: `${HOME}/.config/lore` };
  const loaded = loadConfig({ cwd: '/', env: { SERVICE_SEARCH_LIMIT: '20', SERVICE_EMBEDDINGS_PROVIDER: 'builtin', ...env }, directories });
  const report = settingsReport(loaded);
  return { settings: () => report, integrations: () => Promise.resolve({ program, integrations: CLIENTS }) };
}

const client = (about: Pick<Integration, 'target' | 'title' | 'state'> & Partial<Integration>): Integration => ({
  scope: 'user',
  found: true,
  files: [`${HOME}/.${about.target}/mcp.json`],
  findings: [],
  ...about,
});

const CLIENTS = [
  client({ target: 'claude', title: 'Claude Code', state: 'installed' }),
  client({
    target: 'cursor',
    title: 'Cursor',
    state: 'outdated',
    findings: [`${HOME}/.cursor/mcp.json: the MCP server is from another installation or version of Lore.`],
    command: 'lore setup --target cursor',
  }),
  client({ target: 'codex', title: 'Codex', state: 'unreadable', findings: [`${HOME}/.codex/config.toml cannot be parsed.`] }),
  client({ target: 'windsurf', title: 'Windsurf', state: 'absent', found: false, command: 'lore setup --target windsurf' }),
  client({
    target: 'windsurf',
    title: 'Windsurf',
    state: 'absent',
    scope: 'project',
    command: 'lore setup --target windsurf --scope project',
  }),
];
