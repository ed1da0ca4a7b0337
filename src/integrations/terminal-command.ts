import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quoted, type Launcher } from './launcher.ts';

interface Terminal {
  readonly path: string;
  readonly platform: NodeJS.Platform;
}

/** Where npm puts commands for the programs that it starts: no terminal has this on its PATH. */
const OF_NPM = /[/\\]node_modules[/\\]\.bin$/;

/** The words that start this installation in a terminal: `lore` where the PATH leads to it, `npx lore` in a project that has it, else Node and its script. */
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
