/** The two response forms of the specification: what each must be able to say, and which one a request gets. */
import { z } from 'zod';
import { GUIDE_ID_PREFIX, type ScoredEntry } from '../../memory/entry.ts';
import type { Grant } from '../../memory/grant.ts';
import type { Explanation } from '../../memory/operations/explanation.ts';
import type { Health, ImportLine, ImportReport, SearchResults } from '../../memory/operations/operations.ts';
import type { CompactionSummary } from '../../memory/lifecycle.ts';
import type { Access, Integration, SettingsReport } from '../../memory/operations/administration.ts';
import { CompactionResult } from '../../operations/checks.ts';
import { writerOf } from '../../operations/wire.ts';
import type { LoreRequest } from '../exchange.ts';
import { readQuery } from '../query.ts';
import type { RequestSummary } from '../request-counter.ts';
import { ADMINISTRATION_ANSWERS } from './administration-forms.ts';
import type { ExplanationSchema, foundFields, resultFields } from './shared-schemas.ts';

export const RESPONSE_FORMS = ['reference', 'guide'] as const;
export type ResponseForm = (typeof RESPONSE_FORMS)[number];
/** Of every route under /api. */
export const FormQuery = z.strictObject({
  form: z.enum(RESPONSE_FORMS).optional().meta({ description: 'Form of the answer. Default `server.responseForm`, which is `reference`.' }),
});

/** What one form makes of every result; `S` holds the zod schema of each answer. */
export interface Form<S extends Record<Answer, z.ZodType>> {
  health(health: Health, server: ServerFacts): z.output<S['health']>;
  import(report: ImportReport): z.output<S['import']>;
  importLine(line: ImportLine): z.output<S['importLine']>;
  settings(report: SettingsReport, access: Access): z.output<S['settings']>;
  integrations(integrations: readonly Integration[]): z.output<S['integrations']>;
}

/** Those of no operation that is defined once. */
export const ANSWERS = ['health', 'import', 'importLine', ...ADMINISTRATION_ANSWERS] as const;
export type Answer = (typeof ANSWERS)[number];

/** What only the server knows of its own health. */
export interface ServerFacts {
  /** What the key that asks may do. */
  readonly key: Pick<Grant, 'access' | 'namespace'>;
  readonly storageType: string;
  readonly requests: RequestSummary;
}

/** The form a request asks for with `?form=`, or the configured one. */
export function formOf(req: LoreRequest, configured: ResponseForm): ResponseForm {
  return readQuery(FormQuery, req).form ?? configured;
}

/** ISO 8601 in UTC of epoch milliseconds. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Id as the guide form prints it. */
export function guideId(id: string): string {
  return `${GUIDE_ID_PREFIX}${id}`;
}

/** The last compaction as both forms print it in health and statistics. */
export function lastCompactionForm({ lastCompaction }: { readonly lastCompaction?: CompactionSummary }): {
  lastCompaction?: z.input<typeof CompactionResult>;
} {
  return lastCompaction === undefined ? {} : { lastCompaction: writerOf(CompactionResult)(lastCompaction) };
}

/** The last backup as both forms print it in the health of the store. */
export function lastBackupForm({ lastBackup }: Health): { lastBackup?: { name: string; createdAt: string } } {
  return lastBackup === undefined ? {} : { lastBackup: { name: lastBackup.name, createdAt: isoTime(lastBackup.createdAt) } };
}

/** What both forms print beside the results. */
export function foundForm({ archivedMatches }: SearchResults): z.output<z.ZodObject<typeof foundFields>> {
  return archivedMatches === undefined ? {} : { archivedMatches };
}

/** What both forms print of a result besides its entry, its score and what was folded into it. */
export function resultForm({ archived, passage, explanation }: ScoredEntry): z.output<z.ZodObject<typeof resultFields>> {
  return {
    ...(archived && { archived: { ...archived, at: isoTime(archived.at) } }),
    ...(passage && { passage }),
    ...(explanation && { explanation: explanationForm(explanation) }),
  };
}

function explanationForm({ keyword, filters, parts, ...rest }: Explanation): z.output<typeof ExplanationSchema> {
  return {
    ...rest,
    parts: { ...parts },
    ...(keyword && { keyword: { ...keyword, terms: [...keyword.terms], missing: [...keyword.missing] } }),
    filters: [...filters],
  };
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** Such as `2d 3h 4m 5s`; `0s` below one second. */
export function durationText(ms: number): string {
  let left = Math.max(0, ms);
  const parts = UNITS.map(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? `${count}${unit}` : '';
  });
  return parts.filter((part) => part !== '').join(' ') || '0s';
}
