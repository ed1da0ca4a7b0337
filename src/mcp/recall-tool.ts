import { z } from 'zod';
import { EntryId } from '../memory/entry.ts';
import { LoreError } from '../memory/errors.ts';
import { Instant, ListRequest, RecallRequest, type CallOptions, type SearchResults } from '../memory/operations/operations.ts';
import type { Caller } from './caller.ts';
import { conditionsOf, KIND_FILTERS } from './entry-kinds.ts';
import { foundResults, listed, filePassages, wholeEntry } from './read-results.ts';
import { READS, tool } from './tool.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

const { query, namespace, tags, limit, searchMode, includeGlobal, minScore, includeSuperseded, includeArchived } = RecallRequest.shape;
/** An instant. Its patterns are left out of the tool description, because every session pays for those tokens. */
export const InstantInput = z
  .string()
  .refine((text) => Instant.safeParse(text).success, 'must be an ISO 8601 date or time')
  .optional();

const Input = z.strictObject({
  query: query.optional().meta({ description: 'A short question or exact names. Without it: newest first.' }),
  id: EntryId.optional().meta({ description: 'Return this entry in full, with its relations.' }),
  cursor: z.string().optional().meta({ description: '`nextCursor` of a very long entry.' }),
  kind: z.enum(KIND_FILTERS).optional().meta({ description: 'Only these kinds; `code` and `document` are passages of indexed files.' }),
  tags: tags.meta({ description: 'Entries with all of these tags.' }),
  createdAfter: InstantInput.meta({ description: 'ISO 8601, such as 2026-01-31.' }),
  createdBefore: InstantInput,
  namespace: namespace.meta({ description: 'Default: this project.' }),
  allProjects: z.boolean().optional(),
  limit: limit.meta({ description: 'Default 10, at most 100.' }),
  offset: ListRequest.shape.offset.meta({ description: 'Without a query: entries to skip.' }),
  includeArchived: includeArchived.meta({ description: 'Also find forgotten entries.' }),
  includeSuperseded: includeSuperseded.meta({ description: 'Also find superseded entries.' }),
  includeGlobal,
  searchMode,
  minScore,
});
type Request = z.output<typeof Input>;

/** Fields that need a query: a list by time does not use them. */
const SEARCH_ONLY = ['includeArchived', 'includeSuperseded', 'searchMode', 'minScore'] as const satisfies readonly (keyof Request)[];
const BESIDE_ID = ['id', 'cursor'];
/** Passages of files that are listed in addition to memories. */
const PLACES = 3;

export const recallTool = tool({
  name: 'memory_recall',
  title: 'Recall memories',
  description:
    'Search the memories of this project and the global ones: before deciding anything that may have been decided, and when the user refers to earlier work. ' +
    'Best first, the newer of two on one subject first; a `score` below 0.3 is usually not relevant. `files` lists places in indexed files; kind `code` searches only those. ' +
    'For the full text of a `cut` entry, call again with its id.',
  annotations: READS,
  input: Input,
  unlisted: ['includeGlobal', 'searchMode', 'minScore'],
  async run(request, caller, options) {
    if (request.id !== undefined) return { result: await byId(request.id, request, { caller, options }) };
    if (request.cursor !== undefined) throw new LoreError('invalid_input', 'cursor needs the id of its entry');
    const result =
      request.query === undefined ? await newest(request, caller, options) : await search(request.query, request, { caller, options });
    return { result };
  },
});

interface Call {
  readonly caller: Caller;
  readonly options: CallOptions;
}

async function byId(id: string, request: Request, { caller, options }: Call): Promise<Record<string, unknown>> {
  const other = Object.keys(request).find((name) => !BESIDE_ID.includes(name));
  if (other !== undefined) throw new LoreError('invalid_input', `id names one entry: leave out ${other}`);
  return { results: [await wholeEntry({ id, cursor: request.cursor }, caller.memories, options)] };
}

async function newest(
  request: Request,
  { memories, namespace: here, includeGlobal: seesGlobal }: Caller,
  options: CallOptions,
): Promise<Record<string, unknown>> {
  const other = SEARCH_ONLY.find((name) => request[name] !== undefined);
  if (other !== undefined) throw new LoreError('invalid_input', `${other} needs a query`);
  const { allProjects = false, createdAfter, createdBefore, limit: most, offset } = request;
  // A key that is limited to one namespace sees only that one.
  const place = allProjects && seesGlobal ? { allNamespaces: true } : { namespace: request.namespace ?? (await here()) };
  const found = await memories.list({ ...place, ...conditions(request), createdAfter, createdBefore, limit: most, offset }, options);
  const { entries, rest } = listed(found);
  return { results: entries, ...rest };
}

async function search(text: string, request: Request, { caller, options }: Call): Promise<Record<string, unknown>> {
  if (request.offset !== undefined) throw new LoreError('invalid_input', 'offset is for calls without a query');
  const { memories, namespace: here, includeGlobal: seesGlobal } = caller;
  const { allProjects = false, createdAfter, createdBefore, searchMode, minScore, includeSuperseded, includeArchived } = request;
  const { tags, ...kind } = conditions(request);
  const project = allProjects ? request.namespace : (request.namespace ?? (await here()));
  const find = async (most: Partial<RecallRequest>): Promise<SearchResults> => {
    const filter = { ...kind, createdAfter, createdBefore, ...most.filter };
    const asked = {
      query: text,
      tags,
      searchMode,
      minScore,
      includeSuperseded,
      includeArchived,
      newerFirst: true,
      ...most,
      filter,
      namespace: project,
    };
    if (allProjects) return await memories.search(asked, options);
    return await memories.recall({ ...asked, includeGlobal: request.includeGlobal ?? seesGlobal }, options);
  };
  const found = await find({ limit: request.limit });
  if (request.kind !== undefined) return foundResults(found);
  const asFiles = { filter: { kind: 'file' } } as const;
  if (found.results.length === 0 && found.archivedMatches === undefined)
    return foundResults(await find({ ...asFiles, limit: request.limit }));
  const files = await find({ ...asFiles, limit: PLACES, countUse: false });
  return { ...foundResults(found), ...filePassages(files) };
}

/** Conditions of a request. Without a kind only memories match, no passages of files. */
function conditions({ kind, tags: named = [] }: Request): Pick<ListRequest, 'tags' | 'source' | 'kind'> {
  const { tags: ofKind, source } = conditionsOf(kind);
  const all = [...new Set([...named, ...ofKind])];
  return {
    ...(all.length > 0 && { tags: all }),
    ...withoutUndefined({ source }),
    ...(kind === undefined && { kind: 'memory' as const }),
  };
}
