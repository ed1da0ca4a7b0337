/** Settings that a running server can change. Listing them has its own route, which also tells how the server is reached. */
import { ChangeSettingRequest, Setting, type SettingOperations } from '../memory/operations/administration.ts';
import type { Definitions } from './operation.ts';

export const settings = {
  change: {
    route: 'POST /api/settings/change',
    id: 'changeSetting',
    summary: 'Change a setting or reset it to its default',
    description: 'Only settings with the change `now`. The value also goes into the configuration file of the user, whose comments stay.',
    answer: 'The setting as it is now.',
    request: ChangeSettingRequest,
    result: Setting,
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
