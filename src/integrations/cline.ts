import { join } from 'node:path';
import { INSTRUCTIONS, instructionText } from './instructions.ts';
import { serverEntry } from './launcher.ts';
import type { Places } from './places.ts';
import type { Target, TargetFile } from './target.ts';

/** Cline, in editors and on the command line. Formats: docs.cline.bot, getting-started/config and customization/cline-rules. */
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
    'Cline gets no hooks: it reads no context from them before a prompt.',
    ...(scope === 'project' ? ['Cline reads MCP servers from the user only: `lore setup --target cline` adds that one.'] : []),
  ],
};

const userFolder = ({ home, env }: Places): string => env['CLINE_DIR'] || join(home, '.cline');
