/** The reference form of health, import and administration; that of the operations is made from their definitions. */
import { z } from 'zod';
import { importFault } from '../../memory/operations/operations.ts';
import type { Answer, Form } from './forms.ts';
import { administrationForms, administrationSchemas } from './administration-forms.ts';
import { healthForm, ReferenceHealth } from './reference-health.ts';
import { importFields, ImportLineSchema } from './shared-schemas.ts';

const success = z.literal(true);

export const referenceSchemas = {
  health: ReferenceHealth,
  import: z.object({ success: z.boolean().meta({ description: 'False where no line was taken.' }), ...importFields }),
  importLine: ImportLineSchema,
  settings: administrationSchemas.settings.extend({ success }),
  integrations: administrationSchemas.integrations.extend({ success }),
} satisfies Record<Answer, z.ZodType>;

export const reference: Form<typeof referenceSchemas> = {
  health: healthForm,
  import: (report) => ({
    success: importFault(report) === undefined,
    ...report,
    errors: [...report.errors],
  }),
  importLine: (line) => line,
  settings: (report, access) => ({ success: true, ...administrationForms.settings(report, access) }),
  integrations: (integrations) => ({ success: true, ...administrationForms.integrations(integrations) }),
};
