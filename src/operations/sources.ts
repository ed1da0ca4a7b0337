/** Passages of projects and documents, and their files. */
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
    hash: z.string().exactOptional().meta({ description: 'Absent if entries are missing or belong to several versions of the file.' }),
    entries: count,
    updatedAt: Time,
  })
  .meta({ id: 'StoredSource' });
const ReplacedSource = z
  .object({
    path: z.string(),
    stored: count.meta({ description: 'New entries.' }),
    kept: count.meta({ description: 'Unchanged entries.' }),
    removed: count.meta({ description: 'Removed entries.' }),
    secrets: z.array(z.string()).exactOptional().meta({ description: 'Kinds of secrets that the text seems to contain.' }),
  })
  .meta({ id: 'ReplacedSource' });

/** No time limit, because embedding may take long. */
const change = { as: 'files', access: 'write', reaches: { namespace: true }, repeatable: true, unlimited: true } as const;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

export const sources = {
  list: {
    route: 'GET /api/sources',
    id: 'sources',
    summary: 'List files with stored passages',
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
    summary: 'Replace the passages of files',
    description:
      'Each file is stored completely or not at all. An entry whose text is still in its file keeps its id; entries saved in other ways never change. ' +
      'Repeating it changes nothing.',
    answer: 'The result for each file.',
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
    summary: 'Remove the passages of files',
    description: 'You may send the fields in the query instead of a body.',
    answer: 'The number of removed entries.',
    request: RemoveSourcesRequest,
    result: z.array(z.object({ path: z.string(), removed: count })),
    audited: 'delete',
    notes: (request, files) => ({ ...ofNamespace(request), count: files && sum(files.map(({ removed }) => removed)) }),
  },
} as const satisfies Definitions<SourceOperations>;
