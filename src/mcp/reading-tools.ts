import { z } from 'zod';
import { EntryId } from '../memory/entry.ts';
import { Instant, ListRequest, RecallRequest, SearchRequest, type SearchResults } from '../memory/operations/operations.ts';
import { RelationType } from '../memory/relation.ts';
import { fitting } from './answer-size.ts';
import { CompactEntry, compactEntry, compactResult, minuteOf } from './compact.ts';
import { textPage } from './text-pages.ts';
import { READS, tool } from './tool.ts';

const NAMESPACE = { description: 'Default: this project.' };
const MODE = { description: '`keyword` for exact names, `vector` for meaning, `hybrid` for both.' };
const { query, tags, limit, searchMode, includeGlobal, minScore, includeSuperseded, includeArchived } = RecallRequest.shape;
const LIMIT = { description: 'Results wanted, at most 100; default 10.' };
const ARCHIVED = { description: 'Also find what is in the archive.' };
/** An instant; its patterns are left out of the description of the tool, which every session pays for. */
const Moment = z
  .string()
  .refine((text) => Instant.safeParse(text).success, 'must be an ISO 8601 date or time')
  .optional()
  .meta({ description: 'ISO 8601, such as 2026-01-31.' });
const Omitted = z.int().optional().meta({ description: 'Left out at the end, as the answer would be too large.' });
const Results = z.object({ results: z.array(CompactEntry), omitted: Omitted, note: z.string().optional() });

/** Results as a model gets them, with what it should know of the archive in plain words. */
function resultsOf({ results, archivedMatches }: SearchResults, here: string | undefined, tool: string): z.input<typeof Results> {
  const note = archivedMatches === undefined ? archivedNote(results) : matchesNote(archivedMatches, tool);
  const { fit, omitted } = fitting(results.map((found) => compactResult(found, here)));
  return { results: fit, ...(omitted > 0 && { omitted }), ...(note !== undefined && { note }) };
}

function matchesNote(matches: number, tool: string): string {
  const subject = matches === 1 ? '1 archived memory matches' : `${matches} archived memories match`;
  return `Nothing here matches well, but ${subject}: call ${tool} again with includeArchived.`;
}

function archivedNote(results: SearchResults['results']): string | undefined {
  const archived = results.find((found) => found.archived !== undefined);
  return (
    archived &&
    `Results with \`archived\` are in the archive and may be outdated. \`lore restore ${archived.entry.id}\` brings that one back.`
  );
}

export const recallTool = tool({
  name: 'memory_recall',
  title: 'Recall memories',
  description:
    'Find what is remembered about something in this project and globally: use it before deciding anything that may have been decided, and when the user ' +
    'refers to earlier work. Best first; `score` is 0 to 1 and below 0.3 mostly not about it. Nothing found means nothing is remembered.',
  annotations: READS,
  input: z.strictObject({
    query,
    namespace: RecallRequest.shape.namespace.meta(NAMESPACE),
    tags: tags.meta({ description: 'Only entries that carry all of these.' }),
    limit: limit.meta(LIMIT),
    searchMode: searchMode.meta(MODE),
    includeGlobal: includeGlobal.meta({ description: 'Also what holds for every project; default true.' }),
    minScore,
    includeSuperseded,
    includeArchived: includeArchived.meta(ARCHIVED),
  }),
  output: Results,
  async run(request, { memories, namespace, includeGlobal: seesGlobal }, options) {
    const here = await namespace();
    const found = await memories.recall(
      { ...request, namespace: request.namespace ?? here, includeGlobal: request.includeGlobal ?? seesGlobal },
      options,
    );
    return { result: resultsOf(found, here, 'memory_recall') };
  },
});

export const searchTool = tool({
  name: 'memory_search',
  title: 'Search all memories',
  description: 'Like memory_recall, in all projects at once: for what another project knows. Can be limited to a time.',
  annotations: READS,
  input: z.strictObject({
    query,
    namespace: SearchRequest.shape.namespace.meta({ description: 'Only this one; default all.' }),
    tags: tags.meta({ description: 'Only entries that carry all of these.' }),
    createdAfter: Moment,
    createdBefore: Moment,
    limit: limit.meta(LIMIT),
    searchMode: searchMode.meta(MODE),
    minScore,
    includeArchived: includeArchived.meta(ARCHIVED),
  }),
  output: Results,
  async run({ createdAfter, createdBefore, ...request }, { memories, namespace }, options) {
    const filter = createdAfter === undefined && createdBefore === undefined ? {} : { filter: { createdAfter, createdBefore } };
    const found = await memories.search({ ...request, ...filter }, options);
    return { result: resultsOf(found, await namespace(), 'memory_search') };
  },
});

export const listTool = tool({
  name: 'memory_list',
  title: 'List memories',
  description:
    'Entries in order of time, newest first, without a search: for an overview, or what was saved lately. To find something use memory_recall.',
  annotations: READS,
  input: z.strictObject({
    namespace: ListRequest.shape.namespace.meta(NAMESPACE),
    allNamespaces: ListRequest.shape.allNamespaces,
    tags: ListRequest.shape.tags.meta({ description: 'Only entries that carry all of these.' }),
    limit: limit.meta(LIMIT),
    offset: ListRequest.shape.offset,
    sort: ListRequest.shape.sort,
  }),
  output: z.object({ entries: z.array(CompactEntry), total: z.int(), offset: z.int(), omitted: Omitted }),
  async run(request, { memories, namespace }, options) {
    const here = await namespace();
    const place = request.allNamespaces === true ? {} : { namespace: request.namespace ?? here };
    const { entries, total, offset } = await memories.list({ ...request, ...place }, options);
    const { fit, omitted } = fitting(entries.map((entry) => compactEntry(entry, here)));
    return { result: { entries: fit, total, offset, ...(omitted > 0 && { omitted }) } };
  },
});

const Link = z.object({ type: RelationType, sourceId: z.string().optional(), targetId: z.string().optional() });

export const getTool = tool({
  name: 'memory_get',
  title: 'Get one memory',
  description:
    'One entry in full by its id, with what it has to do with others: for a result that was cut, or to follow a relation. A very long text comes in parts: ' +
    'while the answer has `nextCursor`, call again with it as `cursor`; the parts joined are the text.',
  annotations: READS,
  input: z.strictObject({ id: EntryId, cursor: z.string().optional().meta({ description: '`nextCursor` of the answer before.' }) }),
  output: CompactEntry.omit({ score: true, cut: true }).extend({
    importance: z.number(),
    source: z.string(),
    updatedAt: z.string().optional(),
    totalChars: z.int().optional().meta({ description: 'Length of the whole text, where `content` is a part of it.' }),
    nextCursor: z.string().optional().meta({ description: 'For the next part; absent on the last.' }),
    relations: z.array(Link).optional().meta({ description: 'The entry itself is the end that is not named.' }),
  }),
  async run({ id, cursor }, { memories, namespace }, options) {
    const [entry, { relations }, here] = await Promise.all([
      memories.get(id, options),
      memories.relations.list({ id, limit: 20 }, options),
      namespace(),
    ]);
    const { cut: _, ...facts } = compactEntry(entry, here);
    const links = relations.map(({ type, sourceId, targetId }) => (sourceId === id ? { type, targetId } : { type, sourceId }));
    const result = {
      ...facts,
      ...textPage(entry, cursor),
      importance: Math.round(entry.importance * 100) / 100,
      source: entry.source,
      ...(entry.updatedAt > entry.createdAt && { updatedAt: minuteOf(entry.updatedAt) }),
      ...(links.length > 0 && { relations: links }),
    };
    return { result };
  },
});

export const healthTool = tool({
  name: 'memory_health',
  title: 'State of the memory store',
  description:
    'Whether the store works, how many entries it has, here and in all, and what is not as it should be. Only when something seems wrong.',
  annotations: READS,
  input: z.strictObject({}),
  output: z.object({
    status: z.string(),
    version: z.string(),
    namespace: z.string(),
    entriesHere: z.int(),
    globalEntries: z.int(),
    totalEntries: z.int(),
    embedder: z.string(),
    maintenance: z.string(),
    degraded: z.array(z.string()),
  }),
  async run(_request, { memories, namespace }, options) {
    const health = await memories.health(options);
    const here = (await namespace()) ?? health.namespace;
    const { total } = await memories.list({ namespace: here, limit: 1 }, options);
    const { status, version, globalEntries, totalEntries, embedder, maintenance, degraded } = health;
    const model = `${embedder.provider} ${embedder.model}, ${embedder.state}`;
    const facts = { status, version, namespace: here, entriesHere: total, globalEntries, totalEntries, embedder: model, maintenance };
    return { result: { ...facts, degraded: [...degraded] } };
  },
});
