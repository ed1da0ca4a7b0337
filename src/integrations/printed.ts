import { INSTRUCTIONS } from './instructions.ts';
import { hookCommand, serverEntry, type Launcher } from './launcher.ts';
import { snippet } from './setup.ts';
import type { Setting, TargetName } from './target.ts';
import { TARGETS } from './targets.ts';

/** What `lore setup` would write for clients, file by file, to be put there by hand. */
export async function printedFor(names: readonly TargetName[], setting: Setting): Promise<string> {
  const files = await Promise.all(names.map((name) => TARGETS[name].files(setting)));
  return files
    .flat()
    .map((file) => `--- ${file.path}\n${snippet(file)}`)
    .join('\n\n');
}

/** What any other client needs: its own documentation says where each part goes. */
export function printedForAny(launcher: Launcher, platform: NodeJS.Platform): string {
  const server = JSON.stringify({ mcpServers: { lore: serverEntry(launcher) } }, undefined, 2);
  const command = hookCommand(launcher, { event: 'EVENT', client: 'claude' }, platform);
  return [
    `--- MCP server over standard input and output, in the form that most clients read\n${server}`,
    `--- Hook, where the client has any: EVENT is its own name of the event, and the JSON of the event comes on standard input\n${command}`,
    `--- Instruction, for the file that the client always reads (AGENTS.md and the like)\n${INSTRUCTIONS}`,
  ].join('\n\n');
}
