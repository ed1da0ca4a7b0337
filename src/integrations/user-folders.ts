import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { userDirectories } from '../config/directories.ts';
import { PROJECT_FILE } from '../config/project-file.ts';

/** Folders of this user and machine, and the current project. */
export interface UserFolders {
  readonly home: string;
  /** Folder of project files. */
  readonly project: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Lore's data folder, with the journal of edits and the backups. */
  readonly data: string;
}

/** The places of this process: its home folder and environment variables, and the project of the working directory. */
export function userFolders(): UserFolders {
  const home = homedir();
  return { home, project: projectRoot(process.cwd(), home), platform: process.platform, env: process.env, data: userDirectories().data };
}

/**
 * The project of a folder: the nearest folder upward with `.git` or `lore.config.json`, else the folder itself. The home folder, which may be a git
 * repository, counts only if it is the folder itself.
 */
function projectRoot(folder: string, home: string): string {
  for (let at = folder; at !== home && at !== dirname(at); at = dirname(at)) {
    if (['.git', PROJECT_FILE].some((name) => existsSync(join(at, name)))) return at;
  }
  return folder;
}

/** XDG_CONFIG_HOME, default `~/.config`. */
export function configHome({ home, env }: UserFolders): string {
  return env['XDG_CONFIG_HOME'] || join(home, '.config');
}

/** The folder of a desktop application's user data on this platform. */
export function applicationFolder(places: UserFolders, name: string): string {
  const { home, env, platform } = places;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', name);
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), name);
  return join(configHome(places), name);
}
