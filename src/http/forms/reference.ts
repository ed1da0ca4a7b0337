/** The reference form: what every route answers unless the guide form is asked for. */
import { z } from 'zod';
import { SEARCH_MODES } from '../../memory/entry.ts';
import { importFault, type SearchResults } from '../../memory/operations/operations.ts';
import { foundForm, type Answer, type Form } from './forms.ts';
import { administrationForms, administrationSchemas } from './administration-forms.ts';
import { healthForm, ReferenceHealth } from './reference-health.ts';
import { EntryResult, ReferenceEntry } from '../../operations/entry.ts';
import { ScoredResult } from '../../operations/scored.ts';
import { writerOf, writtenSchema } from '../../operations/wire.ts';
import { relationsForm, RelationsOfEntry } from './relation-forms.ts';
import { foundFields, importFields, ImportLineSchema, OutcomeSchema } from './shared-schemas.ts';

const count = z.int().min(0);
const success = z.literal(true);

const ReferenceResult = writtenSchema(ScoredResult);

const found = z.object({ success, count, mode: z.enum(SEARCH_MODES), results: z.array(ReferenceResult), ...foundFields });

/** Schema of every answer in the reference form. */
export const referenceSchemas = {
  save: z.object({ success, count, ids: z.array(z.uuid()), message: z.string(), outcomes: z.array(OutcomeSchema) }),
  recall: found,
  search: found,
  list: z.object({ success, count, total: count, offset: count, limit: count, entries: z.array(ReferenceEntry) }),
  entry: z.object({ success, entry: ReferenceEntry, relations: RelationsOfEntry.optional() }),
  forget: z.object({ success, message: z.string() }),
  health: ReferenceHealth,
  import: z.object({ success: z.boolean().meta({ description: 'False where no line was taken.' }), ...importFields }),
  importLine: ImportLineSchema,
  settings: administrationSchemas.settings.extend({ success }),
  integrations: administrationSchemas.integrations.extend({ success }),
} satisfies Record<Answer, z.ZodType>;

const entryForm = writerOf(EntryResult);

const scoredForm = writerOf(ScoredResult);

function resultsForm(answer: SearchResults): z.output<typeof found> {
  const { mode, results } = answer;
  return { success: true, count: results.length, mode, results: results.map(scoredForm), ...foundForm(answer) };
}

export const reference: Form<typeof referenceSchemas> = {
  save: ({ ids, message, outcomes }) => ({ success: true, count: ids.length, ids: [...ids], message, outcomes: [...outcomes] }),
  recall: resultsForm,
  search: resultsForm,
  list: ({ entries, total, offset, limit }) => ({
    success: true,
    count: entries.length,
    total,
    offset,
    limit,
    entries: entries.map(entryForm),
  }),
  entry: (entry, { relations } = {}) => ({
    success: true,
    entry: entryForm(entry),
    ...(relations && { relations: relationsForm(relations) }),
  }),
  forget: (id) => ({ success: true, message: `Deleted the entry ${id}.` }),
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
