import type { Launcher } from './launcher.ts';
import type { Part } from './part.ts';
import type { Places } from './places.ts';

/** The clients that `lore setup` knows, the default first. */
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

/** Whether a setup is for everything this user does, or for one folder. */
export const SCOPES = ['user', 'project'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a file is edited for. */
export type Purpose = 'server' | 'hooks' | 'instructions' | 'plugin';

/** One file of a client and what goes into it. */
export interface TargetFile {
  readonly path: string;
  readonly purpose: Purpose;
  readonly parts: readonly Part[];
}

/** What a target has to know to name its files. */
export interface Setting {
  readonly scope: Scope;
  readonly places: Places;
  readonly launcher: Launcher;
}

/** A plugin in the place of the files of a client. */
export interface TargetPlugin {
  readonly files: readonly TargetFile[];
  /** What the user has to do once the files are there, and once they are gone. */
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** A client that can be set up: which files of it are edited, and what goes in. Reads files at most; writes nothing. */
export interface Target {
  readonly name: TargetName;
  readonly title: string;
  /** Paths of which at least one is there where this client has been used. */
  traces(places: Places): readonly string[];
  files(setting: Setting): Promise<readonly TargetFile[]>;
  /** For everything this user does. Missing where the client has no plugins, or none that Lore makes. */
  plugin?(setting: Setting): TargetPlugin;
  /** What the user has to know or do besides, one sentence each. */
  notes(setting: Setting): readonly string[];
}
