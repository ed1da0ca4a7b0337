import { join } from 'node:path';
import { serverEntry } from './launcher.ts';
import { applicationFolder } from './user-folders.ts';
import type { Target } from './target.ts';

/** Claude Desktop. Format: modelcontextprotocol.io, docs/develop/connect-local-servers. It has no hooks and no instruction file. */
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
      ? ['Restart Claude Desktop. It has no hooks: only what the model saves is remembered.']
      : ['Claude Desktop has no projects: `lore setup --target claude-desktop` sets it up for this user.'],
};
