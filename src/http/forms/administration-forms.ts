/** The configuration in use and the state of clients as both response forms print them. */
import { z } from 'zod';
import {
  INTEGRATION_STATES,
  SETTING_SOURCES,
  type Access,
  type Integration,
  type Setting,
  type SettingsReport,
} from '../../memory/operations/administration.ts';

export const ADMINISTRATION_ANSWERS = ['settings', 'integrations'] as const;

const count = z.int().min(0);
const SettingSchema = z
  .object({
    key: z.string().meta({ examples: ['server.port'] }),
    value: z.unknown().meta({ description: 'The value in use; null where there is none. Of a secret only `set` or `not set`.' }),
    source: z.enum(SETTING_SOURCES),
    from: z.string().optional().meta({ description: 'The variable or the file that sets it.' }),
    secret: z.boolean(),
    description: z.string(),
    unit: z.string().optional(),
    defaultText: z.string().optional().meta({ description: 'The default in words, where it depends on something else.' }),
    environment: z.string().optional().meta({ description: 'The variable that may set it.' }),
  })
  .meta({ id: 'Setting' });

const IntegrationSchema = z
  .object({
    target: z.string().meta({ description: 'Its name for `lore setup --target`.' }),
    title: z.string(),
    scope: z.enum(['user', 'project']),
    state: z.enum(INTEGRATION_STATES),
    found: z.boolean().meta({ description: 'Whether anything of the client itself is on this machine.' }),
    files: z.array(z.string()),
    findings: z.array(z.string()).meta({ description: 'What is not as it should be, a sentence each.' }),
    command: z.string().optional().meta({ description: 'What mends it.' }),
  })
  .meta({ id: 'Integration' });

export const administrationSchemas = {
  settings: z.object({
    count,
    settings: z.array(SettingSchema),
    files: z.array(z.string()).meta({ description: 'Those that were read, strongest first.' }),
    warnings: z.array(z.string()),
    access: z
      .object({
        keyRequired: z.boolean(),
        host: z.string(),
        everyOrigin: z.boolean().meta({ description: 'Whether pages of any web origin may use the API.' }),
      })
      .meta({ description: 'Who may come in.' }),
  }),
  integrations: z.object({ count, integrations: z.array(IntegrationSchema) }),
};

type Forms = { readonly [A in keyof typeof administrationSchemas]: z.output<(typeof administrationSchemas)[A]> };

const settingForm = (setting: Setting): z.output<typeof SettingSchema> => ({ ...setting });
const integrationForm = (integration: Integration): z.output<typeof IntegrationSchema> => ({
  ...integration,
  files: [...integration.files],
  findings: [...integration.findings],
});

export const administrationForms = {
  settings: ({ settings, files, warnings }: SettingsReport, access: Access): Forms['settings'] => ({
    count: settings.length,
    settings: settings.map(settingForm),
    files: [...files],
    warnings: [...warnings],
    access: { ...access },
  }),
  integrations: (integrations: readonly Integration[]): Forms['integrations'] => ({
    count: integrations.length,
    integrations: integrations.map(integrationForm),
  }),
};
