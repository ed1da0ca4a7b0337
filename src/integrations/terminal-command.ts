import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quoted, type Launcher } from './launcher.ts';

interface Terminal {
  readonly path: string;
  readonly platform: NodeJS.Platform;
}

/** npm adds this folder to the PATH of programs that it starts. It is not on the PATH of a terminal. */
const OF_NPM = /[/\\]node_modules[/\\]\.bin$/;

/** The command that starts this installation in a terminal: `lore` if it is on the PATH, `npx lore` in a project that has it, else Node and the script. */
export function terminalCommand({ node, bin }: Required<Launcher>, { path, platform }: Terminal): string {
  const folders = path.split(delimiter).filter((folder) => folder !== '' && leadsTo(folder, { bin, platform }));
  if (folders.some((folder) => !OF_NPM.test(folder))) return 'lore';
  if (folders.length > 0) return 'npx lore';
  const isKnown = path.split(delimiter).some((folder) => realOf(join(folder, platform === 'win32' ? 'node.exe' : 'node')) === realOf(node));
  return [isKnown ? 'node' : node, bin].map((word) => quoted(word, platform)).join(' ');
}

function leadsTo(folder: string, { bin, platform }: { readonly bin: string; readonly platform: NodeJS.Platform }): boolean {
  return platform === 'win32' ? existsSync(join(folder, 'lore.cmd')) : realOf(join(folder, 'lore')) === realOf(bin);
}

function realOf(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
