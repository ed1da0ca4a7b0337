/** Settings of a running server. */
import { Access, ChangeSettingRequest, Setting, SettingsReport, type SettingOperations } from '../memory/operations/administration.ts';
import { NoRequest, type Definitions } from './operation.ts';

export const settings = {
  list: {
    route: 'GET /api/settings',
    id: 'settings',
    summary: 'Get the active configuration',
    description: 'Needs a key with full access to every namespace; 404 if the server was started without this information.',
    answer: 'Every setting; secrets only as set or not set.',
    request: NoRequest,
    result: SettingsReport,
    beside: { access: Access },
    counts: 'settings',
    access: 'read',
    reaches: { everything: true, why: 'This requires a key with full access to all namespaces.' },
    view: 'none',
    problems: ['404'],
  },
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
