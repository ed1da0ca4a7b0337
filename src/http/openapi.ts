/** The OpenAPI 3.1 document, made from the same zod schemas that validate requests and type the answers. */
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathItemObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import { BackupRequest, VerifyBackupRequest } from '../memory/backup-operations.ts';
import {
  CaptureRequest,
  CaptureSessionsRequest,
  CaptureStatsRequest,
  CaptureUndoRequest,
  ContextRequest,
} from '../memory/capture-operations.ts';
import {
  DiagnoseRequest,
  ExplainRequest,
  ListRequest,
  MigrateRequest,
  PatchRequest,
  RecallRequest,
  SaveRequest,
  SearchRequest,
} from '../memory/operations.ts';
import { ArchiveRequest, CompactRequest, ForgetRequest, RestoreRequest, UndoRequest } from '../memory/lifecycle-operations.ts';
import {
  EntitiesRequest,
  GraphRequest,
  RelatedRequest,
  RelateRequest,
  RelationsRequest,
  RenamePathRequest,
  UnrelateRequest,
} from '../memory/relation-operations.ts';
import { RemoveSourcesRequest, ReplaceSourcesRequest, SourcesRequest } from '../memory/source-operations.ts';
import { ImportLineSchema } from './forms/shared-schemas.ts';
import { answers, Comma, FormQuery, FORMS, gets, IdPath, posts, problemsOf, WITH_BODY, WITH_QUERY } from './openapi-answers.ts';
import { moveOperations } from './openapi-moves.ts';
import { ExportQuery } from './routes/export.ts';
import { IMPORT_TYPES, ImportQuery } from './routes/import.ts';
import { McpQuery } from './routes/mcp.ts';

const importOperation: ZodOpenApiOperationObject = {
  operationId: 'import',
  summary: 'Read entries as JSON Lines',
  description:
    'Takes what an export wrote, of any length; each line may be as long as a request body. A bad line is named in the report and does not stop the rest, ' +
    'unless `strict`. With `report=full` the answer is streamed, one line per line of input and then `{ "summary": … }`: read it while sending.',
  requestParams: { query: ImportQuery.extend(FormQuery.shape) },
  requestBody: {
    required: true,
    content: Object.fromEntries(
      IMPORT_TYPES.map((type) => [type, { schema: z.string().meta({ description: 'One JSON object per line.' }) }]),
    ),
  },
  responses: {
    '200': {
      description: 'What became of the lines.',
      content: {
        'application/json': { schema: FORMS.import },
        'application/x-ndjson': { schema: ImportLineSchema },
      },
    },
    ...problemsOf(WITH_BODY),
  },
};

const exportOperation: ZodOpenApiOperationObject = {
  operationId: 'export',
  summary: 'Every entry as JSON Lines',
  description:
    'A header with the one field `lore`, then the entries, oldest first, one JSON object per line; import reads it back. With `all`, relations, the archive and ' +
    'earlier versions follow the entries, each in an object of one field: `relation`, `archived` or `version`.',
  requestParams: { query: ExportQuery },
  responses: {
    '200': {
      description: 'The entries.',
      content: { 'application/x-ndjson': { schema: z.string() }, 'application/gzip': { schema: z.string().meta({ format: 'binary' }) } },
    },
    ...problemsOf(WITH_QUERY),
  },
};

const entryOperations = {
  get: {
    operationId: 'getEntry',
    summary: 'One entry',
    requestParams: { path: IdPath, query: FormQuery },
    responses: answers('entry', 'The entry.', ['404', ...WITH_QUERY]),
  },
  patch: {
    ...posts(PatchRequest, 'entry', 'Change an entry', 'The entry as it is now.'),
    operationId: 'updateEntry',
    requestParams: { path: IdPath, query: FormQuery },
    responses: answers('entry', 'The entry as it is now.', ['404', ...WITH_BODY]),
  },
  delete: {
    operationId: 'deleteEntry',
    summary: 'Delete an entry',
    requestParams: { path: IdPath, query: FormQuery },
    responses: answers('forget', 'The entry is gone.', ['404', ...WITH_QUERY]),
  },
} satisfies Record<string, ZodOpenApiOperationObject>;

const explainOperation: ZodOpenApiOperationObject = {
  ...posts(ExplainRequest, 'explain', 'Why an entry is or is not found by a query', 'Why.'),
  description: 'Takes the fields of the search that is asked about, and the id of one entry.',
  responses: answers('explain', 'Whether it is returned, its place, and what counted for it.', ['404', ...WITH_BODY]),
};

const relationOperations = {
  get: gets(RelationsRequest.extend(FormQuery.shape), 'relations', 'Relations, newest first', 'One page.'),
  post: {
    ...posts(RelateRequest, 'relation', 'Relate two entries', 'The relation as it is now.'),
    responses: answers('relation', 'The relation as it is now.', ['404', ...WITH_BODY]),
  },
  delete: {
    ...posts(UnrelateRequest, 'unrelate', 'Delete a relation', 'It is gone.'),
    description: 'The three fields may stand in the query instead of a body.',
    requestBody: { required: false, content: { 'application/json': { schema: UnrelateRequest } } },
    responses: answers('unrelate', 'It is gone.', ['404', ...WITH_BODY]),
  },
} satisfies Record<string, ZodOpenApiOperationObject>;

const relatedOperation: ZodOpenApiOperationObject = {
  ...gets(RelatedRequest.extend(FormQuery.shape), 'related', 'What an entry has to do with', 'Nearest first.'),
  requestParams: { path: IdPath, query: RelatedRequest.extend(FormQuery.shape) },
  responses: answers('related', 'Nearest first.', ['404', ...WITH_QUERY]),
};

const restoreOperation: ZodOpenApiOperationObject = {
  ...posts(RestoreRequest, 'restore', 'Bring entries back from the archive', 'What came back.'),
  description: 'Names them by `ids`, by `run` or by `since`: exactly one of these.',
  responses: answers('restore', 'What came back.', ['404', ...WITH_BODY]),
};

const historyOperation: ZodOpenApiOperationObject = {
  ...gets(FormQuery, 'history', 'What an entry was before', 'The entry, and its earlier versions.'),
  requestParams: { path: IdPath, query: FormQuery },
  responses: answers('history', 'The entry, and its earlier versions.', ['404', ...WITH_QUERY]),
};

const undoOperation: ZodOpenApiOperationObject = {
  ...posts(UndoRequest, 'entry', 'Take the last change of an entry back', 'The entry as it is now.'),
  operationId: 'undo',
  description: 'That is a change, too: doing it twice leaves what was. The body is an empty object.',
  requestParams: { path: IdPath, query: FormQuery },
  responses: answers('entry', 'The entry as it is now.', ['404', ...WITH_BODY]),
};

const graphOperation: ZodOpenApiOperationObject = {
  ...gets(GraphRequest.extend(FormQuery.shape), 'graph', 'Entries and the relations between them', 'A part that a picture can show.'),
  responses: answers('graph', 'A part that a picture can show.', ['404', ...WITH_QUERY]),
};

const sourceOperations = {
  get: gets(SourcesRequest.extend(FormQuery.shape), 'sources', 'Files whose passages are stored', 'One page.'),
  post: {
    ...posts(ReplaceSourcesRequest, 'replaceSources', 'Put passages in the place of those that files had', 'What became of each file.'),
    description:
      'Each file is stored as a whole or not at all. An entry whose text is still in its file keeps its id; entries saved by other ways are never touched. ' +
      'Repeating it changes nothing.',
  },
  delete: posts(RemoveSourcesRequest, 'removeSources', 'Remove what is stored of files', 'How many entries are gone.'),
} satisfies Record<string, ZodOpenApiOperationObject>;

const JsonRpc = z.looseObject({ jsonrpc: z.literal('2.0') });
const mcpOperation: ZodOpenApiOperationObject = {
  operationId: 'mcp',
  summary: 'The Model Context Protocol',
  description: 'Streamable HTTP without sessions: one message of JSON-RPC, answered with JSON. See docs/mcp.md.',
  requestParams: { query: McpQuery },
  requestBody: { required: true, content: { 'application/json': { schema: JsonRpc } } },
  responses: {
    '200': { description: 'The answer to a request.', content: { 'application/json': { schema: JsonRpc } } },
    '202': { description: 'A notification was taken.' },
    ...problemsOf(WITH_BODY),
  },
};

const PATHS = {
  '/api/save': { post: posts(SaveRequest, 'save', 'Save an entry', 'Saved, or known already.') },
  '/api/recall': { post: posts(RecallRequest, 'recall', 'What is relevant to a query, in one namespace', 'Best first.') },
  '/api/search': { post: posts(SearchRequest, 'search', 'What is relevant to a query, in all namespaces', 'Best first.') },
  '/api/explain': { post: explainOperation },
  '/api/list': {
    get: gets(ListRequest.extend({ tags: Comma, ...FormQuery.shape }), 'list', 'Entries, page by page', 'One page.'),
  },
  '/api/health': { get: gets(FormQuery, 'health', 'How the store and its model are', 'Healthy; what is not is in `degraded`.') },
  '/api/namespaces': { get: gets(FormQuery, 'namespaces', 'Every namespace', 'The namespaces.') },
  '/api/namespaces/rename': { post: moveOperations.rename },
  '/api/namespaces/merge': { post: moveOperations.merge },
  '/api/namespaces/move': { post: moveOperations.move },
  '/api/stats': { get: gets(FormQuery, 'stats', 'Counts over the whole store', 'The counts.') },
  '/api/diagnose': {
    post: posts(DiagnoseRequest, 'diagnose', 'Whether the indexes agree with the rows, and find what is there', 'What was found.'),
  },
  '/api/export': { get: exportOperation },
  '/api/import': { post: importOperation },
  '/api/migrate': { post: posts(MigrateRequest, 'migrate', 'Embed again what another model embedded', 'What was done, or would be.') },
  '/api/backups': {
    get: gets(FormQuery, 'backups', 'The backups of the store', 'Newest first.'),
    post: posts(BackupRequest, 'backup', 'Back the whole store up now', 'The backup; it is whole and synced to the disk.'),
  },
  '/api/backups/verify': {
    post: {
      ...posts(VerifyBackupRequest, 'backupCheck', 'Whether a backup is whole', 'What was found. Reads every byte of it.'),
      responses: answers('backupCheck', 'What was found. Reads every byte of it.', ['404', ...WITH_BODY]),
    },
  },
  '/api/capture': { post: posts(CaptureRequest, 'capture', 'An event of a hook', 'Whether it waits to be looked at.') },
  '/api/capture/stats': {
    get: gets(CaptureStatsRequest.extend(FormQuery.shape), 'captureStats', 'What was kept of hooks and what was refused', 'The counts.'),
  },
  '/api/capture/sessions': {
    get: gets(CaptureSessionsRequest.extend(FormQuery.shape), 'captureSessions', 'Sessions that told of something', 'Latest first.'),
  },
  '/api/capture/undo': {
    post: posts(CaptureUndoRequest, 'captureUndo', 'Take back what a session captured', 'What went, or would go.'),
  },
  '/api/context': {
    post: posts(ContextRequest, 'context', 'What is worth knowing before a prompt', 'Relevant, each thing once, newest decisions first.'),
  },
  '/api/compact': { post: posts(CompactRequest, 'compact', 'Archive what is old, double or too much', 'What went, or would go.') },
  '/api/forget': {
    post: {
      ...posts(ForgetRequest, 'forgetMany', 'Forget entries by filter', 'How many match, or that they are forgotten.'),
      description:
        'In two steps: without `confirm` it counts and gives a token, with that token it forgets. At least one condition must be named.',
    },
  },
  '/api/archive': { get: gets(ArchiveRequest.extend(FormQuery.shape), 'archive', 'What was put away', 'One page.') },
  '/api/restore': { post: restoreOperation },
  '/api/{id}/history': { get: historyOperation },
  '/api/{id}/undo': { post: undoOperation },
  '/api/relations': relationOperations,
  '/api/{id}/related': { get: relatedOperation },
  '/api/graph': { get: graphOperation },
  '/api/entities': { get: gets(EntitiesRequest.extend(FormQuery.shape), 'entities', 'What entries name', 'Names, and who has them.') },
  '/api/entities/rename': { post: posts(RenamePathRequest, 'renamePath', 'A file or folder has moved', 'The entries that changed.') },
  '/api/sources': sourceOperations,
  '/api/{id}': entryOperations,
  '/mcp': { post: mcpOperation },
  '/healthz': {
    get: {
      operationId: 'healthz',
      summary: 'Whether the process answers',
      security: [],
      responses: { '200': { description: 'It does.', content: { 'application/json': { schema: z.object({ status: z.literal('ok') }) } } } },
    },
  },
} satisfies ZodOpenApiPathsObject;

/** What belongs together on the page of the document. */
const SECTIONS: Readonly<Record<string, readonly (keyof typeof PATHS)[]>> = {
  Memories: ['/api/save', '/api/recall', '/api/search', '/api/explain', '/api/list', '/api/{id}'],
  'Relations and entities': ['/api/relations', '/api/{id}/related', '/api/graph', '/api/entities', '/api/entities/rename'],
  Files: ['/api/sources'],
  'Export, import and migration': ['/api/export', '/api/import', '/api/migrate'],
  Lifecycle: ['/api/compact', '/api/forget', '/api/archive', '/api/restore', '/api/{id}/history', '/api/{id}/undo'],
  Namespaces: ['/api/namespaces', '/api/namespaces/rename', '/api/namespaces/merge', '/api/namespaces/move'],
  Backups: ['/api/backups', '/api/backups/verify'],
  'Capture and context': ['/api/capture', '/api/capture/stats', '/api/capture/sessions', '/api/capture/undo', '/api/context'],
  Server: ['/api/health', '/api/stats', '/api/diagnose', '/mcp', '/healthz'],
};

function sectionedPaths(): ZodOpenApiPathsObject {
  const sections = Object.entries(SECTIONS).flatMap(([section, paths]) =>
    paths.map((path): [string, ZodOpenApiPathItemObject] => {
      const operations = Object.entries(PATHS[path] as Record<string, ZodOpenApiOperationObject>);
      return [path, Object.fromEntries(operations.map(([method, operation]) => [method, { ...operation, tags: [section] }]))];
    }),
  );
  return Object.fromEntries(sections);
}

/** Builds the document. `version` is that of the server. */
export function openapiDocument(version: string): object {
  const description: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Lore',
      version,
      description: 'A local memory store: save, recall, search, list and forget.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.keys(SECTIONS).map((name) => ({ name })),
    paths: sectionedPaths(),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
    // Either header; none where the server has no key.
    security: [{ apiKey: [] }, { bearer: [] }, {}],
  };
  return createDocument(description, { override: ({ jsonSchema }) => withoutNoise(jsonSchema) });
}

/** A format says what its pattern spells out over hundreds of characters, and every integer is a safe one. */
function withoutNoise(schema: { format?: unknown; pattern?: unknown; maximum?: unknown; minimum?: unknown }): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
