/** Tools of earlier versions. They are not listed but still work for prompts and clients that name them. */
import { z } from 'zod';
import { EntryId } from '../memory/entry.ts';
import { ListRequest, RecallRequest, SearchRequest } from '../memory/operations/operations.ts';
import { foundResults, listed, wholeEntry } from './read-results.ts';
import { InstantInput } from './recall-tool.ts';
import { READS, tool } from './tool.ts';

const { query, tags, limit, searchMode, minScore, includeArchived } = RecallRequest.shape;
const { namespace, allNamespaces, offset, sort } = ListRequest.shape;

export const searchTool = tool({
  name: 'memory_search',
  title: 'Search all memories',
  description: 'memory_recall with `allProjects`.',
  annotations: READS,
  input: z.strictObject({
    query,
    namespace: SearchRequest.shape.namespace,
    tags,
    createdAfter: InstantInput,
    createdBefore: InstantInput,
    limit,
    searchMode,
    minScore,
    includeArchived,
  }),
  async run({ createdAfter, createdBefore, ...request }, { memories }, options) {
    const filter = createdAfter === undefined && createdBefore === undefined ? {} : { filter: { createdAfter, createdBefore } };
    return { result: foundResults(await memories.search({ ...request, ...filter }, options)) };
  },
});

export const listTool = tool({
  name: 'memory_list',
  title: 'List memories',
  description: 'memory_recall without a query.',
  annotations: READS,
  input: z.strictObject({ namespace, allNamespaces, tags, limit, offset, sort }),
  async run(request, { memories, namespace: here }, options) {
    const place = request.allNamespaces === true ? {} : { namespace: request.namespace ?? (await here()) };
    const { entries, rest } = listed(await memories.list({ ...request, ...place }, options));
    return { result: { entries, ...rest } };
  },
});

export const getTool = tool({
  name: 'memory_get',
  title: 'Get one memory',
  description: 'memory_recall by id.',
  annotations: READS,
  input: z.strictObject({ id: EntryId, cursor: z.string().optional() }),
  async run({ id, cursor }, { memories }, options) {
    return { result: await wholeEntry({ id, cursor }, memories, options) };
  },
});

export const healthTool = tool({
  name: 'memory_health',
  title: 'State of the memory store',
  description: '`lore doctor --status` and `lore doctor` show the state of the store to people.',
  annotations: READS,
  input: z.strictObject({}),
  async run(_request, { memories, namespace: ofCaller }, options) {
    const health = await memories.health(options);
    const here = (await ofCaller()) ?? health.namespace;
    const { total } = await memories.list({ namespace: here, limit: 1 }, options);
    const { status, version, globalEntries, totalEntries, embedder, maintenance, degraded } = health;
    const model = `${embedder.provider} ${embedder.model}, ${embedder.state}`;
    const facts = { status, version, namespace: here, entriesHere: total, globalEntries, totalEntries, embedder: model, maintenance };
    return { result: { ...facts, degraded: [...degraded] } };
  },
});
