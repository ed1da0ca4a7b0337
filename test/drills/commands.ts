import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The command line of this build. */
export const BIN = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

/** Where a command is on this machine; undefined where it is not installed. */
export function pathOf(command: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return folders
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, command))
    .find((path) => existsSync(path));
}

/** Whether a command is installed. */
export const hasCommand = (command: string): boolean => pathOf(command) !== undefined;
