import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { userDirectories } from '../config/directories.ts';
import { PROJECT_FILE } from '../config/project-file.ts';

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

/** The places of the running process: HOME, XDG_CONFIG_HOME, APPDATA and the clients' own variables, and the project of the working directory. */
export function thesePlaces(): Places {
  const home = homedir();
  return { home, project: projectRoot(process.cwd(), home), platform: process.platform, env: process.env, data: userDirectories().data };
}

/**
 * The folder that clients open for work in a folder: the nearest one with `.git` or `lore.config.json`, else the folder itself. Not the home folder, which may be
 * kept in git, unless the work is there.
 */
function projectRoot(folder: string, home: string): string {
  for (let at = folder; at !== home && at !== dirname(at); at = dirname(at)) {
    if (['.git', PROJECT_FILE].some((name) => existsSync(join(at, name)))) return at;
  }
  return folder;
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
