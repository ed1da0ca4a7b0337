import type { Launcher } from './launcher.ts';
import type { Part } from './part.ts';
import type { UserFolders } from './user-folders.ts';

/** The clients that `lore setup` supports, the default first. */
export const TARGET_NAMES = [
  'claude',
  'cursor',
  'windsurf',
  'opencode',
  'vscode',
  'codex',
  'gemini',
  'copilot',
  'zed',
  'cline',
  'continue',
  'claude-desktop',
] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

/** Whether a setup is for all projects of the user or for one project. */
export const SCOPES = ['user', 'project'] as const;
export type Scope = (typeof SCOPES)[number];

/** Why setup edits a file. */
export type Purpose = 'server' | 'hooks' | 'instructions' | 'plugin';

/** One file of a client with the parts that setup adds. */
export interface TargetFile {
  readonly path: string;
  readonly purpose: Purpose;
  readonly parts: readonly Part[];
}

/** What determines the files of a target. */
export interface Setting {
  readonly scope: Scope;
  readonly places: UserFolders;
  readonly launcher: Launcher;
}

/** A plugin, which replaces the files of a client. */
export interface TargetPlugin {
  readonly files: readonly TargetFile[];
  /** Steps for the user after the files are written, and after they are removed. */
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** A client that can be set up: its files and their parts. Only reads files. */
export interface Target {
  readonly name: TargetName;
  readonly title: string;
  /** Paths of which at least one exists if the client is used on this machine. */
  traces(places: UserFolders): readonly string[];
  files(setting: Setting): Promise<readonly TargetFile[]>;
  /** The plugin, for user scope. Absent if Lore has no plugin for this client. */
  plugin?(setting: Setting): TargetPlugin;
  /** Further information and steps for the user, one sentence each. */
  notes(setting: Setting): readonly string[];
}
