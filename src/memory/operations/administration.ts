/** Types for administrators of a server: active configuration and connected clients. */

/** Sources of a value, highest priority first. */
export const SETTING_SOURCES = ['flag', 'environment', 'project file', 'user file', 'default'] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** One key of the configuration. */
export interface Setting {
  /** Dotted, as in `server.port`. */
  readonly key: string;
  /** The active value; null if there is none. For a secret only `set` or `not set`. */
  readonly value: unknown;
  readonly source: SettingSource;
  /** The variable or the file. */
  readonly from?: string;
  readonly secret: boolean;
  /** One sentence. */
  readonly description: string;
  /** What the value counts, such as `ms`. */
  readonly unit?: string;
  /** The default in words, where it depends on something else. */
  readonly defaultText?: string;
  /** The variable that sets it; absent where only a file may. */
  readonly environment?: string;
}

export interface SettingsReport {
  /** In the order of the reference page. */
  readonly settings: readonly Setting[];
  /** The files that were read, strongest first. */
  readonly files: readonly string[];
  /** One sentence each. */
  readonly warnings: readonly string[];
}

/** Who can access the server. */
export interface Access {
  readonly keyRequired: boolean;
  /** The address it was told to listen on. */
  readonly host: string;
  /** Whether pages of any web origin may use it. */
  readonly everyOrigin: boolean;
}

export const INTEGRATION_STATES = ['absent', 'installed', 'changed by hand', 'outdated', 'unreadable'] as const;
export type IntegrationState = (typeof INTEGRATION_STATES)[number];

/** The state of one client of `lore setup`. */
export interface Integration {
  /** Its name on the command line. */
  readonly target: string;
  readonly title: string;
  /** For everything this user does, or for the folder the server was started in. */
  readonly scope: 'user' | 'project';
  readonly state: IntegrationState;
  /** Whether anything of the client itself is on this machine. */
  readonly found: boolean;
  /** The files that setup edits. */
  readonly files: readonly string[];
  /** What is not as it should be, a sentence each. */
  readonly findings: readonly string[];
  /** The command that fixes it; absent if nothing is needed, or a manual fix. */
  readonly command?: string;
}

/** A request of the last hour as the access log has it: never its query, its body or the value of a header. */
export interface AnsweredRequest {
  /** When its answer was out, epoch milliseconds. */
  readonly at: number;
  readonly requestId: string;
  readonly method: string;
  /** Without keys, at most 256 characters. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** Bytes sent. */
  readonly bytes: number;
  /** Name of the key, where one was given. */
  readonly key?: string;
  /** The client went away before the end of the answer. */
  readonly aborted?: true;
}

/** Handed to a server by who starts it. Reads only. */
export interface Administration {
  /** The command that starts this Lore in a terminal. */
  readonly program: string;
  settings(): SettingsReport;
  /** Rejects with `config` or `filesystem` where they cannot be read. */
  integrations(): Promise<readonly Integration[]>;
}
