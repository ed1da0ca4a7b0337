import { join } from 'node:path';
import { instructionFile } from './instructions.ts';
import { serverEntry, type Launcher } from './launcher.ts';
import type { UserFolders } from './user-folders.ts';
import type { Target, TargetFile } from './target.ts';
import { SIGNATURE } from './whole-file.ts';

/** Continue. Formats: docs.continue.dev, customize/deep-dives/mcp and customize/deep-dives/rules. It has no hooks. */
export const continueDev: Target = {
  name: 'continue',
  title: 'Continue',
  traces: (places) => [userFolder(places)],
  files: async ({ scope, places, launcher }) => {
    const folder = scope === 'user' ? userFolder(places) : join(places.project, '.continue');
    return [
      {
        path: join(folder, 'mcpServers', 'lore.yaml'),
        purpose: 'server',
        parts: [{ kind: 'whole', id: 'MCP server', text: serverBlock(launcher) }],
      },
      {
        path: join(folder, 'rules', 'lore.md'),
        purpose: 'instructions',
        parts: [{ kind: 'whole', id: 'instruction', text: instructionFile(['name: Lore', 'alwaysApply: true']) }],
      },
    ] satisfies TargetFile[];
  },
  notes: ({ scope }) => [
    'Continue has no hooks, and uses MCP servers in agent mode only.',
    ...(scope === 'project' ? ['The path in .continue belongs to this machine.'] : []),
  ],
};

/** A separate configuration block, which Continue merges into its configuration. A JSON string is a YAML string too. */
function serverBlock(launcher: Launcher): string {
  const { command, args } = serverEntry(launcher);
  const lines = ['name: Lore', 'version: 0.0.1', 'schema: v1', 'mcpServers:', '  - name: lore', `    command: ${JSON.stringify(command)}`];
  return [`# Written by \`${SIGNATURE}\`; \`lore teardown\` removes it.`, ...lines, `    args: ${JSON.stringify(args)}`, ''].join('\n');
}

const userFolder = ({ home, env }: UserFolders): string => env['CONTINUE_GLOBAL_DIR'] || join(home, '.continue');
