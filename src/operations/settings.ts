/** Settings that a running server can change. Listing them has its own route, which also tells how the server is reached. */
import { z } from 'zod';
import { ChangeSettingRequest, SETTING_CHANGES, SETTING_SOURCES, type SettingOperations } from '../memory/operations/administration.ts';
import type { Definitions } from './operation.ts';

export const SettingResult = z
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

export const settings = {
  change: {
    route: 'POST /api/settings/change',
    id: 'changeSetting',
    summary: 'Change a setting or reset it to its default',
    description: 'Only settings with the change `now`. The value also goes into the configuration file of the user, whose comments stay.',
    answer: 'The setting as it is now.',
    request: ChangeSettingRequest,
    result: SettingResult,
    as: 'setting',
    access: 'write',
    safe: true,
    reaches: { everything: true, why: 'Settings need a key with full access to every namespace.' },
    view: 'none',
    problems: ['404'],
    conflict: 'The server reads the setting only when it starts, or a flag, the environment or a project file sets it',
    audited: 'administer',
    notes: (_request, setting) => (setting === undefined ? {} : { subject: setting.key }),
  },
} as const satisfies Definitions<SettingOperations>;
