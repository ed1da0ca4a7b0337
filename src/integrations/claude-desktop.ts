import { join } from 'node:path';
import { serverEntry } from './launcher.ts';
import { applicationFolder } from './places.ts';
import type { Target } from './target.ts';

/** Claude Desktop. Format: modelcontextprotocol.io, docs/develop/connect-local-servers. It has neither hooks nor a file for instructions. */
export const claudeDesktop: Target = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  traces: (places) => [applicationFolder(places, 'Claude')],
  files: async ({ scope, places, launcher }) =>
    scope === 'project'
      ? []
      : [
          {
            path: join(applicationFolder(places, 'Claude'), 'claude_desktop_config.json'),
            purpose: 'server',
            parts: [{ kind: 'member', id: 'MCP server', path: ['mcpServers', 'lore'], value: serverEntry(launcher) }],
          },
        ],
  notes: ({ scope }) =>
    scope === 'user'
      ? ['Quit Claude Desktop and start it again. It has no hooks: what it is to remember, the model saves.']
      : ['Claude Desktop knows no projects: `lore setup --target claude-desktop` is for all you do.'],
};
