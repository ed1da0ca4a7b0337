/** Types for administrators of a server: active configuration and connected clients. */
import { z } from 'zod';
import type { Result } from '../result.ts';
import { Time } from '../timestamp.ts';
import type { CallOptions } from './operations.ts';

const count = z.int().min(0);
const texts = z.array(z.string()).readonly();

/** Sources of a value, highest priority first. */
const SETTING_SOURCES = ['flag', 'environment', 'project file', 'user file', 'default'] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** When a change of a setting applies: at once, after a restart, or not while a stronger source sets it. */
const SETTING_CHANGES = ['now', 'restart', 'elsewhere'] as const;

/** One key of the configuration. */
export const Setting = z
  .object({
    key: z.string().meta({ examples: ['server.port'] }),
    value: z.unknown().meta({ description: 'The active value; null if there is none. For a secret only `set` or `not set`.' }),
    source: z.enum(SETTING_SOURCES),
    from: z.string().exactOptional().meta({ description: 'The variable or the file that sets it.' }),
    secret: z.boolean(),
    description: z.string(),
    change: z.enum(SETTING_CHANGES).meta({
      description:
        '`now`: `POST /api/settings/change` applies at once. `restart`: the server reads it when it starts. `elsewhere`: a flag, the environment or a project file sets it, and takes precedence.',
    }),
    allowed: z.string().meta({ description: 'Allowed values, in words.' }),
    choices: z.array(z.string()).readonly().exactOptional().meta({ description: 'The allowed values, if they are few.' }),
    unit: z.string().exactOptional(),
    defaultText: z.string().exactOptional().meta({ description: 'The default in words, if it depends on something else.' }),
    environment: z.string().exactOptional().meta({ description: 'The environment variable of this setting.' }),
  })
  .meta({ id: 'Setting' });
export type Setting = Result<typeof Setting>;

/** The active configuration, in the order of its reference. */
export const SettingsReport = z.object({
  settings: z.array(Setting).readonly(),
  files: texts.meta({ description: 'Configuration files that were read, highest priority first.' }),
  warnings: texts,
});
export type SettingsReport = Result<typeof SettingsReport>;

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

/** Who can access the server. */
export const Access = z
  .object({
    keyRequired: z.boolean(),
    /** The configured listen address. */
    host: z.string(),
    everyOrigin: z.boolean().meta({ description: 'Whether pages of any web origin may use the API.' }),
  })
  .meta({ description: 'Who can access the server.' });
export type Access = Result<typeof Access>;

export interface SettingOperations {
  /** Rejects with `not_found` if the settings are unknown. */
  list(options?: CallOptions): Promise<SettingsReport>;
  /** Rejects with `not_found` for an unknown key, `conflict` if it cannot be changed here, `invalid_input` for an invalid value. */
  change(request: ChangeSettingRequest, options?: CallOptions): Promise<Setting>;
}

/** The state of one client of `lore setup`. */
export const Integration = z
  .object({
    target: z.string().meta({ description: 'Name for `lore setup --target`.' }),
    title: z.string(),
    /** `user`: for this user; `project`: for the folder in which the server was started. */
    scope: z.enum(['user', 'project']),
    state: z.enum(['absent', 'installed', 'changed by hand', 'outdated', 'unreadable']),
    found: z.boolean().meta({ description: 'Whether the client was found on this machine.' }),
    files: texts,
    findings: texts.meta({ description: 'Problems, one sentence each.' }),
    command: z.string().exactOptional().meta({ description: 'The fix.' }),
  })
  .meta({ id: 'Integration' });
export type Integration = Result<typeof Integration>;
export type IntegrationState = Integration['state'];

export const IntegrationsReport = z.object({
  program: z.string().meta({ description: 'The command that starts this Lore in a terminal.', examples: ['lore'] }),
  integrations: z.array(Integration).readonly(),
});
export type IntegrationsReport = Result<typeof IntegrationsReport>;

/** A request of the last hour, as in the access log: without query, body and header values. */
export const AnsweredRequest = z
  .object({
    at: Time.meta({ description: 'When its answer was out.' }),
    requestId: z.string(),
    method: z.string(),
    path: z.string().meta({ description: 'Without the query; a key in it is masked.' }),
    status: count,
    ms: z.number().min(0),
    bytes: count.meta({ description: 'Bytes sent.' }),
    key: z.string().exactOptional().meta({ description: 'The name of its key; absent without one.' }),
    aborted: z.literal(true).exactOptional().meta({ description: 'The client went away before the end of the answer.' }),
  })
  .meta({ id: 'AnsweredRequest' });
export type AnsweredRequest = Result<typeof AnsweredRequest>;

/** Operations of a running server; the store has none of them. */
export interface AdministrationOperations {
  /** Rejects with `not_found` if the server was started without, and with `config` or `filesystem` if their files cannot be read. */
  integrations(options?: CallOptions): Promise<IntegrationsReport>;
  /** Newest first. */
  requests(options?: CallOptions): Promise<readonly AnsweredRequest[]>;
}
/** The part that the program that starts a server passes in. */
export type Administration = Pick<AdministrationOperations, 'integrations'>;
