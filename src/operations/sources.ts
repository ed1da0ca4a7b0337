/** Passages of projects and documents, and the files they are of. */
import { z } from 'zod';
import {
  RemoveSourcesRequest,
  ReplaceSourcesRequest,
  SOURCE_KINDS,
  SourcesRequest,
  type SourceOperations,
} from '../memory/operations/source-operations.ts';
import { ofNamespace, type Definitions } from './operation.ts';
import { Time } from './wire.ts';

const count = z.int().min(0);

const StoredSource = z
  .object({
    kind: z.enum(SOURCE_KINDS),
    root: z.string(),
    path: z.string(),
    hash: z.string().exactOptional().meta({ description: 'Absent where its entries are not all there, or of several versions of it.' }),
    entries: count,
    updatedAt: Time,
  })
  .meta({ id: 'StoredSource' });
const ReplacedSource = z
  .object({
    path: z.string(),
    stored: count.meta({ description: 'Entries that are new.' }),
    kept: count.meta({ description: 'Entries that were there and say the same.' }),
    removed: count.meta({ description: 'Entries that are gone.' }),
    secrets: z.array(z.string()).exactOptional().meta({ description: 'Kinds of secrets that its text looks as if it holds.' }),
  })
  .meta({ id: 'ReplacedSource' });

/** Embedding may take as long as it needs. */
const change = { as: 'files', access: 'write', reaches: { namespace: true }, repeatable: true, unlimited: true } as const;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

export const sources = {
  list: {
    route: 'GET /api/sources',
    id: 'sources',
    summary: 'Files whose passages are stored',
    answer: 'One page.',
    request: SourcesRequest,
    result: z.object({ total: count, offset: count, limit: count, sources: z.array(StoredSource) }),
    counts: 'sources',
    access: 'read',
    reaches: { namespace: true },
    audited: 'read',
    notes: ofNamespace,
  },
  replace: {
    ...change,
    route: 'POST /api/sources',
    id: 'replaceSources',
    summary: 'Put passages in the place of those that files had',
    description:
      'Each file is stored as a whole or not at all. An entry whose text is still in its file keeps its id; entries saved by other ways are never touched. ' +
      'Repeating it changes nothing.',
    answer: 'What became of each file.',
    request: ReplaceSourcesRequest,
    result: z.array(ReplacedSource).meta({ description: 'In the order of the request.' }),
    audited: 'write',
    notes: (request, files) => ({
      ...ofNamespace(request),
      count: files && sum(files.map(({ stored, removed }) => stored + removed)),
    }),
  },
  remove: {
    ...change,
    route: 'DELETE /api/sources',
    id: 'removeSources',
    summary: 'Remove what is stored of files',
    description: 'The fields may stand in the query instead of a body.',
    answer: 'How many entries are gone.',
    request: RemoveSourcesRequest,
    result: z.array(z.object({ path: z.string(), removed: count })),
    audited: 'delete',
    notes: (request, files) => ({ ...ofNamespace(request), count: files && sum(files.map(({ removed }) => removed)) }),
  },
} as const satisfies Definitions<SourceOperations>;
