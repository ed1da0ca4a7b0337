import { homedir } from 'node:os';
import { join } from 'node:path';
import { userDirectories } from '../config/directories.ts';

/** Where things are for this user on this machine, and which project is meant. */
export interface Places {
  readonly home: string;
  /** The folder that project-wide files go into. */
  readonly project: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Our own folder: the journal of edits and the backups. */
  readonly data: string;
}

/** The places of the running process: HOME, XDG_CONFIG_HOME, APPDATA and the clients' own variables, and the working directory as the project. */
export function thesePlaces(): Places {
  return { home: homedir(), project: process.cwd(), platform: process.platform, env: process.env, data: userDirectories().data };
}

/** `~/.config`, or where XDG_CONFIG_HOME points. */
export function configHome({ home, env }: Places): string {
  return env['XDG_CONFIG_HOME'] || join(home, '.config');
}

/** The folder where a desktop application of this platform keeps what is the user's. */
export function applicationFolder(places: Places, name: string): string {
  const { home, env, platform } = places;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name);
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), name);
  return join(configHome(places), name);
}
