/** Types for administrators of a server: active configuration and connected clients. */
import { z } from 'zod';
import type { CallOptions } from './operations.ts';

/** Sources of a value, highest priority first. */
export const SETTING_SOURCES = ['flag', 'environment', 'project file', 'user file', 'default'] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** When a change of a setting applies: at once, after a restart, or not while a stronger source sets it. */
export const SETTING_CHANGES = ['now', 'restart', 'elsewhere'] as const;

/** One key of the configuration. */
export interface Setting {
  /** Dotted name, such as `server.port`. */
  readonly key: string;
  /** The active value; null if there is none. For a secret only `set` or `not set`. */
  readonly value: unknown;
  readonly source: SettingSource;
  /** Name of the environment variable or the file that set it. */
  readonly from?: string;
  readonly secret: boolean;
  /** One sentence. */
  readonly description: string;
  readonly change: (typeof SETTING_CHANGES)[number];
  /** In words. */
  readonly allowed: string;
  /** All allowed values, where they are few. */
  readonly choices?: readonly string[];
  /** Unit of the value, such as `ms`. */
  readonly unit?: string;
  /** The default in words if it depends on something else. */
  readonly defaultText?: string;
  /** The environment variable that sets it; absent if only a file can. */
  readonly environment?: string;
}

export interface SettingsReport {
  /** In the order of the configuration reference. */
  readonly settings: readonly Setting[];
  /** The configuration files, highest priority first. */
  readonly files: readonly string[];
  /** One sentence each. */
  readonly warnings: readonly string[];
}

export const ChangeSettingRequest = z
  .strictObject({
    key: z
      .string()
      .min(1, 'must not be empty')
      .max(200, 'must be at most 200 characters')
      .meta({ examples: ['search.limit'] }),
    value: z.string().max(10_000, 'must be at most 10000 characters').optional().meta({
      description: 'As an environment variable would give it, such as `20`, `true` or `Read,Glob`. Without it the default applies.',
    }),
  })
  .meta({ id: 'ChangeSettingRequest' });
export type ChangeSettingRequest = z.output<typeof ChangeSettingRequest>;

export interface SettingOperations {
  /** Rejects with `not_found` for an unknown key, `conflict` where it cannot be changed here, `invalid_input` for a bad value. */
  change(request: ChangeSettingRequest, options?: CallOptions): Promise<Setting>;
}

/** Who can access the server. */
export interface Access {
  readonly keyRequired: boolean;
  /** The configured listen address. */
  readonly host: string;
  /** Whether CORS allows every origin. */
  readonly everyOrigin: boolean;
}

export const INTEGRATION_STATES = ['absent', 'installed', 'changed by hand', 'outdated', 'unreadable'] as const;
export type IntegrationState = (typeof INTEGRATION_STATES)[number];

/** The state of one client of `lore setup`. */
export interface Integration {
  /** Name on the command line. */
  readonly target: string;
  readonly title: string;
  /** `user`: for this user; `project`: for the folder in which the server was started. */
  readonly scope: 'user' | 'project';
  readonly state: IntegrationState;
  /** Whether the client is installed on this machine. */
  readonly found: boolean;
  /** The files that setup edits. */
  readonly files: readonly string[];
  /** Problems, one sentence each. */
  readonly findings: readonly string[];
  /** The command that fixes it; absent if there is no problem or it needs a manual fix. */
  readonly command?: string;
}

/** A request of the last hour, as in the access log: without query, body and header values. */
export interface AnsweredRequest {
  /** Time of the response, epoch milliseconds. */
  readonly at: number;
  readonly requestId: string;
  readonly method: string;
  /** Without keys, at most 256 characters. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  /** Bytes sent. */
  readonly bytes: number;
  /** Name of the API key, if one was sent. */
  readonly key?: string;
  /** The client disconnected before the end of the response. */
  readonly aborted?: true;
}

/** Read-only administration interface; the program that starts a server passes it in. */
export interface Administration {
  /** The command that starts this Lore in a terminal. */
  readonly program: string;
  settings(): SettingsReport;
  /** Rejects with `config` or `filesystem` if they cannot be read. */
  integrations(): Promise<readonly Integration[]>;
}
