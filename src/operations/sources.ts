/** Passages of projects and documents, and their files. */
import { z } from 'zod';
import {
  RemovedSource,
  RemoveSourcesRequest,
  ReplacedSource,
  ReplaceSourcesRequest,
  SourcePage,
  SourcesRequest,
  type SourceOperations,
} from '../memory/operations/source-operations.ts';
import { namespaceAudit, type Definitions } from './operation.ts';

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
    result: SourcePage,
    counts: 'sources',
    access: 'read',
    reaches: { namespace: true },
    audited: 'read',
    notes: namespaceAudit,
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
      ...namespaceAudit(request),
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
    result: z.array(RemovedSource),
    audited: 'delete',
    notes: (request, files) => ({ ...namespaceAudit(request), count: files && sum(files.map(({ removed }) => removed)) }),
  },
} as const satisfies Definitions<SourceOperations>;
