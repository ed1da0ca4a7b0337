import { join } from 'node:path';
import { INSTRUCTIONS } from './instructions.ts';
import { serverEntry } from './launcher.ts';
import type { Target, TargetFile } from './target.ts';
import { copilotHooks } from './vscode.ts';

/** Copilot CLI. Formats: docs.github.com/copilot, how-tos/copilot-cli/customize-copilot and reference/copilot-cli-reference. */
export const copilot: Target = {
  name: 'copilot',
  title: 'Copilot CLI',
  traces: ({ home }) => [join(home, '.copilot')],
  files: async (setting) => {
    const { scope, places } = setting;
    const folder = scope === 'user' ? join(places.home, '.copilot') : join(places.project, '.github');
    return [
      {
        path: join(folder, scope === 'user' ? 'mcp-config.json' : 'mcp.json'),
        purpose: 'server',
        parts: [
          {
            kind: 'member',
            id: 'MCP server',
            path: ['mcpServers', 'lore'],
            value: { type: 'local', ...serverEntry(setting.launcher), tools: ['*'] },
          },
        ],
      },
      { path: join(folder, 'hooks', 'lore.json'), purpose: 'hooks', parts: copilotHooks(setting) },
      {
        path: scope === 'user' ? join(folder, 'copilot-instructions.md') : join(places.project, 'AGENTS.md'),
        purpose: 'instructions',
        parts: [{ kind: 'markdown', id: 'instruction', text: INSTRUCTIONS }],
      },
    ] satisfies TargetFile[];
  },
  notes: ({ scope }) => [
    'VS Code reads the same hooks.',
    ...(scope === 'project' ? ['The paths in .github belong to this machine: do not commit these files.'] : []),
  ],
};
