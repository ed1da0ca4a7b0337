import { join } from 'node:path';
import { INSTRUCTIONS, instructionText } from './instructions.ts';
import { serverEntry } from './launcher.ts';
import type { UserFolders } from './user-folders.ts';
import type { Target, TargetFile } from './target.ts';

/** Cline for editors and Cline CLI. Formats: docs.cline.bot, getting-started/config and customization/cline-rules. */
export const cline: Target = {
  name: 'cline',
  title: 'Cline',
  traces: (places) => [userFolder(places)],
  files: async ({ scope, places, launcher }) => {
    if (scope === 'project') {
      const parts = [{ kind: 'markdown', id: 'instruction', text: INSTRUCTIONS } as const];
      return [{ path: join(places.project, 'AGENTS.md'), purpose: 'instructions', parts }];
    }
    const folder = userFolder(places);
    return [
      {
        path: places.env['CLINE_MCP_SETTINGS_PATH'] || join(folder, 'data', 'settings', 'cline_mcp_settings.json'),
        purpose: 'server',
        parts: [{ kind: 'member', id: 'MCP server', path: ['mcpServers', 'lore'], value: serverEntry(launcher) }],
      },
      {
        path: join(folder, 'rules', 'lore.md'),
        purpose: 'instructions',
        parts: [{ kind: 'whole', id: 'instruction', text: instructionText() }],
      },
    ] satisfies TargetFile[];
  },
  notes: ({ scope }) => [
    'Lore adds no hooks to Cline, because it accepts no context from them before a prompt.',
    ...(scope === 'project'
      ? ['Cline reads MCP servers only from the user settings: `lore setup --target cline` adds the server there.']
      : []),
  ],
};

const userFolder = ({ home, env }: UserFolders): string => env['CLINE_DIR'] || join(home, '.cline');
