import { join } from 'node:path';
import { INSTRUCTIONS, instructionFile } from './instructions.ts';
import { hookParts, WINDSURF_EVENTS } from './hook-events.ts';
import { powershellCommand, serverEntry } from './launcher.ts';
import type { Part } from './part.ts';
import type { Setting, Target, TargetFile } from './target.ts';

/** Windsurf. Formats: docs.windsurf.com, pages cascade/mcp, cascade/hooks and cascade/memories. */
export const windsurf: Target = {
  name: 'windsurf',
  title: 'Windsurf',
  traces: ({ home }) => [join(home, '.codeium', 'windsurf')],
  files: async (setting) => (setting.scope === 'user' ? userFiles(setting) : projectFiles(setting)),
  notes: ({ scope }) =>
    scope === 'project'
      ? ['Windsurf reads MCP servers only from the user settings: `lore setup --target windsurf` adds the server there.']
      : ['Press refresh in the MCP panel of Windsurf, or restart it.'],
};

function userFiles(setting: Setting): TargetFile[] {
  const folder = join(setting.places.home, '.codeium', 'windsurf');
  return [
    {
      path: join(folder, 'mcp_config.json'),
      purpose: 'server',
      parts: [{ kind: 'member', id: 'MCP server', path: ['mcpServers', 'lore'], value: serverEntry(setting.launcher) }],
    },
    { path: join(folder, 'hooks.json'), purpose: 'hooks', parts: hooks(setting) },
    {
      path: join(folder, 'memories', 'global_rules.md'),
      purpose: 'instructions',
      parts: [{ kind: 'markdown', id: 'instruction', text: INSTRUCTIONS }],
    },
  ];
}

function projectFiles(setting: Setting): TargetFile[] {
  const folder = join(setting.places.project, '.windsurf');
  return [
    { path: join(folder, 'hooks.json'), purpose: 'hooks', parts: hooks(setting) },
    {
      path: join(folder, 'rules', 'lore.md'),
      purpose: 'instructions',
      parts: [{ kind: 'whole', id: 'instruction', text: instructionFile(['trigger: always_on']) }],
    },
  ];
}

function hooks({ launcher, places: { platform } }: Setting): Part[] {
  return hookParts(WINDSURF_EVENTS, {
    client: 'windsurf',
    launcher,
    platform,
    form: ({ command, event: { name } }) => ({
      command,
      ...(platform === 'win32' && { powershell: powershellCommand(launcher, { event: name, client: 'windsurf' }) }),
      show_output: false,
    }),
  });
}
