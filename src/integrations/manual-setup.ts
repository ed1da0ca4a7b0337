import { INSTRUCTIONS } from './instructions.ts';
import { hookCommand, serverEntry, type Launcher } from './launcher.ts';
import { snippet } from './setup.ts';
import type { Setting, TargetName } from './target.ts';
import { TARGETS } from './targets.ts';

/** The content that `lore setup` would write for the clients, file by file, for setting up by hand. */
export async function manualSetupFor(names: readonly TargetName[], setting: Setting): Promise<string> {
  const files = await Promise.all(names.map((name) => TARGETS[name].files(setting)));
  return files
    .flat()
    .map((file) => `--- ${file.path}\n${snippet(file)}`)
    .join('\n\n');
}

/** The parts for any other client, whose documentation says where each goes. */
export function manualSetupForAnyClient(launcher: Launcher, platform: NodeJS.Platform): string {
  const server = JSON.stringify({ mcpServers: { lore: serverEntry(launcher) } }, undefined, 2);
  const command = hookCommand(launcher, { event: 'EVENT', client: 'claude' }, platform);
  return [
    `--- MCP server over standard input and output, in the format of most clients\n${server}`,
    `--- Hook, if the client has hooks: EVENT is the client's name of the event, whose JSON comes on standard input\n${command}`,
    `--- Instruction, for the file that the client always reads (such as AGENTS.md)\n${INSTRUCTIONS}`,
  ].join('\n\n');
}
