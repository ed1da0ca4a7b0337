import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RemoteMemories } from '../../src/client/http-client.ts';
import { Transport } from '../../src/client/transport.ts';
import { FacetsRequest, TagRequest, TimelineRequest, ValuesRequest } from '../../src/memory/operations/bulk-operations.ts';
import {
  CaptureRequest,
  CaptureReviewRequest,
  CaptureSessionsRequest,
  CaptureStatsRequest,
  CaptureUndoRequest,
  ContextRequest,
} from '../../src/memory/operations/capture-operations.ts';
import { NearRequest, SimilarRequest } from '../../src/memory/operations/detail-operations.ts';
import { EventsRequest } from '../../src/memory/operations/event-operations.ts';
import { VerifyBackupRequest } from '../../src/memory/operations/backup-operations.ts';
import { ChangeSettingRequest } from '../../src/memory/operations/administration.ts';
import { GenerateKeyRequest, RevokeKeyRequest } from '../../src/memory/operations/key-operations.ts';
import { ArchiveRequest, CompactRequest, ForgetRequest, RestoreRequest } from '../../src/memory/operations/lifecycle-operations.ts';
import { MergeNamespacesRequest, MoveRequest, RenameNamespaceRequest } from '../../src/memory/operations/namespace-operations.ts';
import {
  DiagnoseRequest,
  ExplainRequest,
  ExportRequest,
  ImportRequest,
  ListRequest,
  MigrateRequest,
  PatchRequest,
  RecallRequest,
  SaveRequest,
  SearchRequest,
} from '../../src/memory/operations/operations.ts';
import {
  EntitiesRequest,
  GraphRequest,
  NamesRequest,
  RelatedRequest,
  RelateRequest,
  RelationsRequest,
  RenamePathRequest,
  UnrelateRequest,
} from '../../src/memory/operations/relation-operations.ts';
import { OPERATIONS, resolved, type Schema } from '../helpers/operations.ts';
import { RemoveSourcesRequest, ReplaceSourcesRequest, SourcesRequest } from '../../src/memory/operations/source-operations.ts';
import { ActivityRequest, GrowthRequest, StatsRequest } from '../../src/memory/operations/statistics-operations.ts';

const ID = '0190a000-0000-7000-8000-000000000000';

/** A value with every field that a schema knows: the names count, not what they hold. */
function full(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodOptional) return full(schema.unwrap());
  if (schema instanceof z.ZodArray) return [full(schema.element)];
  if (!(schema instanceof z.ZodObject)) return 'x';
  return Object.fromEntries(Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => [name, full(field)]));
}

/** What each method is called with, by its name below the client. */
const ARGUMENTS: Readonly<Record<string, readonly (z.ZodObject | string | AsyncIterable<never>)[]>> = {
  save: [SaveRequest],
  recall: [RecallRequest],
  search: [SearchRequest],
  explain: [ExplainRequest],
  diagnose: [DiagnoseRequest],
  verify: [],
  list: [ListRequest],
  get: [ID],
  markUsed: [ID],
  update: [ID, PatchRequest],
  forget: [ID],
  namespaces: [],
  health: [],
  stats: [StatsRequest],
  migrate: [MigrateRequest],
  export: [ExportRequest],
  import: [(async function* none() {})(), ImportRequest],
  'relations.relate': [RelateRequest],
  'relations.unrelate': [UnrelateRequest],
  'relations.list': [RelationsRequest],
  'relations.related': [ID, RelatedRequest],
  'relations.graph': [GraphRequest],
  'relations.entities': [EntitiesRequest],
  'relations.changeNames': [NamesRequest],
  'relations.renamePath': [RenamePathRequest],
  'lifecycle.compact': [CompactRequest],
  'lifecycle.forgetMany': [ForgetRequest],
  'lifecycle.archived': [ArchiveRequest],
  'lifecycle.restore': [RestoreRequest],
  'lifecycle.history': [ID],
  'lifecycle.undo': [ID],
  'backups.create': [],
  'backups.list': [],
  'backups.verify': [VerifyBackupRequest],
  'capture.accept': [CaptureRequest],
  'capture.stats': [CaptureStatsRequest],
  'capture.sessions': [CaptureSessionsRequest],
  'capture.undo': [CaptureUndoRequest],
  'capture.review': [CaptureReviewRequest],
  'capture.context': [ContextRequest],
  'moves.rename': [RenameNamespaceRequest],
  'moves.merge': [MergeNamespacesRequest],
  'moves.move': [MoveRequest],
  'sources.list': [SourcesRequest],
  'sources.replace': [ReplaceSourcesRequest],
  'sources.remove': [RemoveSourcesRequest],
  'statistics.growth': [GrowthRequest],
  'statistics.activity': [ActivityRequest],
  'bulk.facets': [FacetsRequest],
  'bulk.values': [ValuesRequest],
  'bulk.timeline': [TimelineRequest],
  'bulk.tag': [TagRequest],
  'details.similar': [ID, SimilarRequest],
  'details.near': [NearRequest],
  'details.passages': [ID],
  'changes.follow': [EventsRequest],
  'keys.generate': [GenerateKeyRequest],
  'keys.list': [],
  'keys.revoke': [RevokeKeyRequest],
  'administration.integrations': [],
  'administration.requests': [],
  'settings.list': [],
  'settings.change': [ChangeSettingRequest],
};
/** Sends nothing. */
const OTHERS = ['close'];

interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly body: unknown;
}
const sent: Sent[] = [];
const record: typeof fetch = (input, init) => {
  const { method = 'GET', body } = init ?? {};
  const url = new URL(input instanceof Request ? input.url : input);
  sent.push({ method, url, body: typeof body === 'string' ? JSON.parse(body) : undefined });
  return Promise.reject(new Error('sends nothing'));
};
const client = new RemoteMemories(new Transport({ baseUrl: 'http://127.0.0.1:7007', fetch: record }));

type Method = (...args: unknown[]) => Promise<unknown> | AsyncIterable<unknown>;
const methodsOf = (object: object): string[] => {
  const owner = Object.getPrototypeOf(object) === Object.prototype ? object : (Object.getPrototypeOf(object) as object);
  return Object.getOwnPropertyNames(owner).filter((name) => name !== 'constructor');
};
const groups = Object.entries(client).filter((entry): entry is [string, object] => typeof entry[1] === 'object');
const defined = Object.entries(client).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));
const methods = [
  ...methodsOf(client),
  ...defined,
  ...groups.flatMap(([name, group]) => methodsOf(group).map((method) => `${name}.${method}`)),
];

/** The fields of a value that the schema does not name, at any depth. */
function unknownIn(given: Schema, value: unknown, at = 'body'): string[] {
  const schema = resolved(given);
  if (Array.isArray(value)) return value.flatMap((item) => unknownIn(schema.items ?? {}, item, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {} } = schema;
  return Object.entries(value).flatMap(([name, field]) =>
    Object.hasOwn(properties, name) ? unknownIn(properties[name]!, field, `${at}.${name}`) : [`${at}.${name}`],
  );
}

describe('the client of a server', () => {
  it('has no method that is not looked at here', () => {
    expect(methods.filter((name) => !OTHERS.includes(name)).toSorted()).toEqual(Object.keys(ARGUMENTS).toSorted());
  });

  it.each(Object.keys(ARGUMENTS))('sends with %s no field that the document does not name', async (name) => {
    sent.length = 0;
    const [last = '', groupName] = name.split('.').toReversed();
    const owner = groups.find(([group]) => group === groupName)?.[1] ?? client;
    const given = ARGUMENTS[name]!.map((argument) => (argument instanceof z.ZodObject ? full(argument) : argument));
    const answer = (Reflect.get(owner, last) as Method).apply(owner, given);
    const ended = Symbol.asyncIterator in answer ? answer[Symbol.asyncIterator]().next() : answer;
    await Promise.allSettled([ended]);
    expect(sent).toHaveLength(1);
    const [{ method, url, body }] = sent as [Sent];
    const path = url.pathname.replace(ID, '{id}');
    const { parameters, body: taken } = OPERATIONS.find((operation) => operation.path === path && operation.method === method)!;
    const known = parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name);
    expect([...url.searchParams.keys()].filter((parameter) => !known.includes(parameter))).toEqual([]);
    expect(unknownIn(taken['application/json']?.schema ?? {}, body)).toEqual([]);
  });
});
