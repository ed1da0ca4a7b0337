import { join } from 'node:path';
import { GEMINI_EVENTS, groupedHook, HOOK_SECONDS, hookParts } from './hook-events.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { serverEntry } from './launcher.ts';
import type { Target, TargetFile } from './target.ts';

/** Gemini CLI. Formats: google-gemini/gemini-cli, docs/tools/mcp-server.md, docs/hooks/reference.md and docs/cli/gemini-md.md. */
export const gemini: Target = {
  name: 'gemini',
  title: 'Gemini CLI',
  traces: ({ home }) => [join(home, '.gemini')],
  files: async ({ scope, places, launcher }) => {
    const folder = join(scope === 'user' ? places.home : places.project, '.gemini');
    const settings = join(folder, 'settings.json');
    return [
      {
        path: settings,
        purpose: 'server',
        parts: [{ kind: 'member', id: 'MCP server', path: ['mcpServers', 'lore'], value: serverEntry(launcher) }],
      },
      {
        path: settings,
        purpose: 'hooks',
        parts: hookParts(GEMINI_EVENTS, {
          client: 'gemini',
          launcher,
          platform: places.platform,
          // Gemini CLI expects milliseconds.
          form: (grouping) => groupedHook({ ...grouping, timeout: HOOK_SECONDS * 1000 }),
        }),
      },
      {
        path: join(scope === 'user' ? folder : places.project, 'GEMINI.md'),
        purpose: 'instructions',
        parts: [{ kind: 'markdown', id: 'instruction', text: INSTRUCTIONS }],
      },
    ] satisfies TargetFile[];
  },
  notes: ({ scope }) => (scope === 'project' ? ['The paths in .gemini belong to this machine.'] : []),
};
