import { join } from 'node:path';
import { INSTRUCTIONS } from './instructions.ts';
import { serverEntry } from './launcher.ts';
import { applicationFolder, configHome, type UserFolders } from './user-folders.ts';
import type { Target, TargetFile } from './target.ts';

/** Zed. Formats: zed.dev/docs, ai/mcp, ai/rules and configuring-zed. It has no hooks. */
export const zed: Target = {
  name: 'zed',
  title: 'Zed',
  traces: (places) => [userFolder(places)],
  files: async ({ scope, places, launcher }) => {
    const folder = scope === 'user' ? userFolder(places) : join(places.project, '.zed');
    const files: TargetFile[] = [
      {
        path: join(folder, 'settings.json'),
        purpose: 'server',
        parts: [{ kind: 'member', id: 'MCP server', path: ['context_servers', 'lore'], value: serverEntry(launcher) }],
      },
    ];
    if (scope === 'project') {
      const parts = [{ kind: 'markdown', id: 'instruction', text: INSTRUCTIONS } as const];
      files.push({ path: join(places.project, 'AGENTS.md'), purpose: 'instructions', parts });
    }
    return files;
  },
  notes: ({ scope }) =>
    scope === 'user'
      ? ['Zed has no hooks, and rules only in projects: `lore setup --target zed --scope project` writes them there.']
      : ['Zed has no hooks. The path in .zed belongs to this machine.'],
};

/** On macOS the same as on Linux. */
function userFolder(places: UserFolders): string {
  return places.platform === 'win32' ? applicationFolder(places, 'Zed') : join(configHome(places), 'zed');
}
