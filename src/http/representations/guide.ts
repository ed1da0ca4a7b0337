/** The guide representation: flat entries with prefixed ids. Used for `?form=guide` or if configured. */
import { z } from 'zod';
import { GUIDE_ID_PREFIX, SEARCH_MODES, SOURCES, type Entry, type Priority, type ScoredEntry } from '../../memory/entry.ts';
import {
  EmbedderReport,
  SaveOutcome,
  SearchFilter,
  type EntryPage,
  type Health,
  type SaveReceipt,
  type SearchResults,
} from '../../memory/operations/operations.ts';
import { Relation } from '../../memory/relation.ts';
import { guideMembers, shapeOf, memberCopier } from '../../operations/entry.ts';
import { durationText, stateMembers, type ServerFacts } from '../../operations/health.ts';
import { RelationsOfEntry } from '../../operations/relations.ts';
import { foundFields, resultFields } from '../../operations/scored.ts';
import { Timestamp, writerOf, writtenSchema } from '../../operations/wire.ts';

const count = z.int().min(0);
const ratio = z.number().min(0).max(1);
const GUIDE_PRIORITIES = { low: 'low', normal: 'medium', high: 'high' } as const satisfies Record<Priority, string>;

const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
const guideId = (id: string): string => `${GUIDE_ID_PREFIX}${id}`;

/** Fields that are the same in the reference representation. */
const Found = z.object(foundFields);
const OfResult = z.object(resultFields);
const State = z.object(stateMembers);
const [foundForm, resultForm, stateForm, relationForm] = [writerOf(Found), writerOf(OfResult), writerOf(State), writerOf(Relation)];

/** The document and the responses list these in different orders. */
const { place, summary, superseded, entities, ...others } = guideMembers as typeof guideMembers &
  Record<'place' | 'summary' | 'superseded' | 'entities', (typeof guideMembers)[string]>;
const copyOthers = memberCopier({ place, summary, superseded, ...others, entities });

const GuideId = z.string().regex(/^mem_/);
const GuideEntry = z
  .object({
    id: GuideId,
    content: z.string(),
    tags: z.array(z.string()),
    importance: ratio,
    priority: z.enum(['low', 'medium', 'high']),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    namespace: z.string(),
    container: z.string(),
    source: z.enum(SOURCES),
    ...(shapeOf({ place, summary, superseded, entities, ...others }) as object),
  })
  .meta({ id: 'GuideEntry' });

const GuideSaved = GuideEntry.extend({ status: z.literal('saved'), outcomes: z.array(SaveOutcome) }).meta({ id: 'GuideSaved' });
const GuideResult = GuideEntry.extend({
  similarity: ratio,
  ...writtenSchema(OfResult).shape,
  collapsed: z.array(GuideId).optional().meta({ description: 'Near-identical entries that `collapse` folded into this one, best first.' }),
}).meta({ id: 'GuideResult' });
const GuidePriority = z.enum(['low', 'medium', 'high']);
const GuideRelation = writtenSchema(Relation).extend({ sourceId: GuideId, targetId: GuideId }).meta({ id: 'GuideRelation' });
const GuideRelations = z.array(GuideRelation).meta({ description: RelationsOfEntry.description });
const GuideFilter = SearchFilter.extend({ priority: GuidePriority.optional() }).meta({ id: 'GuideSearchFilter' });
const found = z.object({
  query: z.string(),
  mode: z.enum(SEARCH_MODES),
  results: z.array(GuideResult),
  count,
  ...writtenSchema(Found).shape,
});

const GuideEntryAnswer = GuideEntry.extend({ relations: GuideRelations.optional() }).meta({ id: 'GuideEntryAnswer' });

/** Response schemas of operations with a guide form, by operation id. */
export const guideOperations = {
  save: GuideSaved,
  recall: found,
  search: found.extend({ filters: GuideFilter }),
  list: z.object({ memories: z.array(GuideEntry), total: count, limit: count, offset: count }),
  getEntry: GuideEntryAnswer,
  updateEntry: GuideEntryAnswer,
  useEntry: GuideEntryAnswer,
  deleteEntry: z.object({ id: z.string(), status: z.literal('deleted') }),
  health: z.object({
    status: z.literal('healthy'),
    timestamp: Timestamp,
    uptime: z.string(),
    version: z.string(),
    memory: z.object({ total: count, averageImportance: ratio, storeSize: count.meta({ description: 'Bytes.' }) }),
    embeddings: EmbedderReport,
    storage: z.object({ type: z.string(), path: z.string().optional() }),
    ...writtenSchema(State).shape,
  }),
};

function entryForm(entry: Entry): z.output<typeof GuideEntry> {
  const { content, tags, importance, namespace, container, source } = entry;
  const guide = {
    id: guideId(entry.id),
    content,
    tags: [...tags],
    importance,
    priority: GUIDE_PRIORITIES[entry.priority],
    createdAt: isoTime(entry.createdAt),
    updatedAt: isoTime(entry.updatedAt),
    namespace,
    container,
    source,
  };
  copyOthers(entry, guide);
  return guide;
}

function scoredForm(result: ScoredEntry): z.output<typeof GuideResult> {
  const { entry, score, collapsed } = result;
  return { ...entryForm(entry), similarity: score, ...resultForm(result), ...(collapsed && { collapsed: collapsed.map(guideId) }) };
}

function resultsForm(answer: SearchResults): z.output<typeof found> {
  const { query, mode, results } = answer;
  return { query, mode, results: results.map(scoredForm), count: results.length, ...foundForm(answer) };
}

function outcomeForm({ near, supersedes, ...outcome }: SaveOutcome): SaveOutcome {
  return {
    ...outcome,
    id: guideId(outcome.id),
    ...(near && { near: near.map((other) => ({ ...other, id: guideId(other.id) })) }),
    ...(supersedes && { supersedes: supersedes.map(guideId) }),
  };
}

const filterForm = ({ priority, ...others }: SearchFilter = {}): z.output<typeof GuideFilter> => ({
  ...others,
  ...(priority !== undefined && { priority: GUIDE_PRIORITIES[priority] }),
});

const relationOf = (relation: Relation): z.output<typeof GuideRelation> => {
  const written = relationForm(relation);
  return { ...written, sourceId: guideId(written.sourceId), targetId: guideId(written.targetId) };
};

const healthForm = (health: Health, server: ServerFacts): z.output<(typeof guideOperations)['health']> => ({
  status: 'healthy',
  timestamp: isoTime(Date.now()),
  uptime: durationText(health.uptimeMs),
  version: health.version,
  memory: { total: health.totalEntries, averageImportance: health.averageImportance, storeSize: health.storage.bytes },
  embeddings: health.embedder,
  storage: { type: server.storageType, path: health.storage.path },
  ...stateForm({ ...health, ...server }),
});

/** Values that are not in the result: the id from the request and fields that the server adds. */
interface Context {
  readonly id?: string | undefined;
  readonly relations?: readonly Relation[];
}

const responses = {
  save: ({ entry, outcomes }: SaveReceipt) => ({ ...entryForm(entry), status: 'saved', outcomes: outcomes.map(outcomeForm) }),
  recall: resultsForm,
  search: (answer: SearchResults) => ({ ...resultsForm(answer), filters: filterForm(answer.filter) }),
  list: ({ entries, total, limit, offset }: EntryPage) => ({ memories: entries.map(entryForm), total, limit, offset }),
  getEntry: (entry: Entry, { relations = [] }: Context) => ({ ...entryForm(entry), relations: relations.map(relationOf) }),
  updateEntry: entryForm,
  useEntry: entryForm,
  deleteEntry: (_result: unknown, { id = '' }: Context) => ({ id: guideId(id), status: 'deleted' }),
  health: healthForm,
} satisfies { readonly [Id in keyof typeof guideOperations]: (result: never, told: never) => z.output<(typeof guideOperations)[Id]> };
/** Guide-form responses of the operations, by operation id. */
export const guideResponses: Readonly<Record<string, (result: never, told: never) => object>> = responses;
