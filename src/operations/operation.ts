/** An operation is defined once: route, OpenAPI document, client, limits of a key and audit record are made from the definition. */
import { z } from 'zod';
import type { AuditedAction } from '../memory/audit.ts';
import type { CallOptions } from '../memory/operations/operations.ts';

/** What an API key must reach. */
type Reach<Request, Result> =
  /** Needs full access to every namespace; `why` is the message for other keys. */
  | { readonly everything: true; readonly why: string }
  | {
      /** Whether the request has a `namespace`, which for a bound key is its own; `given`: only where the request names one. */
      readonly namespace?: true | 'given';
      /** Whether the request reaches beyond that namespace, which a bound key may not. */
      readonly beyond?: (request: Request) => boolean | undefined;
      /** Entries that the request names. One in another namespace is `not_found` for a bound key. */
      readonly entries?: (request: Request) => readonly string[];
      /** Ids in the request that the key does not reach are left out; `not_found` where none is left. */
      readonly selected?: true;
      /** Fields of the request that are fixed for a key bound to a namespace. */
      readonly bound?: Partial<Request>;
      /** The part of the result for a key bound to a namespace; default all of it. */
      readonly shown?: (result: Result, namespace: string) => Result;
      /** The options name the namespace of a bound key: for it, entries of another one do not exist. */
      readonly hidden?: true;
    };

/** Result of a stream, known at its end. */
export interface Streamed {
  /** Entries sent. */
  readonly count: number;
}
/** Result schema of a streamed operation. */
export const Streamed = z.object({ count: z.int().min(0) });

/** Fields of the audit record besides caller and outcome. */
export interface AuditFields {
  readonly namespaces?: readonly string[];
  readonly ids?: readonly string[];
  /** Entries that were read, written or removed. */
  readonly count?: number | undefined;
  /** Name of the key or setting in question, and the access of a key. */
  readonly subject?: string;
  readonly granted?: 'full' | 'read';
  /** Nothing was changed; also set if the request has `dryRun`. */
  readonly dryRun?: boolean;
}

/** Request schema of a method without a request. */
export const NoRequest = z.strictObject({});
type NoRequest = z.output<typeof NoRequest>;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Schemas of a body by media type. */
type MediaTypes = Readonly<Record<string, z.ZodType>>;

/** The stream of an operation as HTTP carries it. */
export interface StreamForm {
  /** The query: the request, and parameters that change the form of the stream only. */
  readonly query: z.ZodObject;
  readonly header?: z.ZodObject;
  /** The request body; absent if the response is the stream. */
  readonly takes?: MediaTypes;
  readonly sends: MediaTypes;
  /** Additional members of a 400 response, and its description. */
  readonly refusal?: { readonly description: string; readonly id: string; readonly adds: z.ZodObject };
}

interface Operation<Request = never, Result = unknown> {
  /**
   * Method and path, such as `POST /api/relations`. With `:id` in the path, the id is the first argument of the method, before the
   * request.
   */
  readonly route: `${Method} /api/${string}`;
  /** Its `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Contents of the response, in one sentence. */
  readonly answer: string;
  /** Body, or query of a GET. The fields of a DELETE may be in either. Without fields the method takes no request. */
  readonly request: z.ZodObject & z.ZodType<Request>;
  /** Schema of the result, in the types of the code; `written` turns it into JSON. */
  readonly result: z.ZodType<Result>;
  /** Member of the response with the result. Without it, the members of the result are those of the response. */
  readonly as?: string;
  /** Members of the result that repeat the request; the response leaves them out. */
  readonly echoes?: readonly string[];
  /** A response that differs from the result: its schema, and a function that builds its members from the result and server data. */
  readonly form?: { readonly schema: z.ZodObject; readonly of: (result: Result, beside: never) => object };
  /** Other members of the result that the response leaves out. */
  readonly omitted?: readonly string[];
  /** Members of the response that the server adds to the result. */
  readonly beside?: z.core.$ZodShape;
  /** The list whose length is the `count` of the response. */
  readonly counts?: string;
  /** The `message` of a response without a result. */
  readonly says?: (request: Request, id: string | undefined) => string;
  /** A read is cancelled when its client disconnects, and may be retried; a write is finished. */
  readonly access: 'read' | 'write';
  readonly reaches: Reach<Request, Result>;
  /** Takes an `Idempotency-Key`. */
  readonly repeatable?: true;
  /** Clients send an Idempotency-Key automatically, so they may retry if no response arrives. */
  readonly once?: true;
  /** Safe to repeat without a key. Default: true for reads. */
  readonly safe?: boolean;
  /** `out`: the response is a stream. `in`: the method takes chunks as its first argument. Either has a handler of its own. */
  readonly stream?: 'out' | 'in';
  readonly streamed?: StreamForm;
  /**
   * For stores with several servers. `none`: the operation reads nothing stored, or answers from memory. `followed`: it looks for changes of
   * other servers while the stream is read. Default: it looks for them once, before it begins.
   */
  readonly view?: 'none' | 'followed';
  /** Has no time limit. */
  readonly unlimited?: true;
  /** Error responses in addition to the common ones. */
  readonly problems?: readonly '404'[];
  /** Reason of a 409 response. */
  readonly conflict?: string;
  /** Kind of audit record; absent for operations that reveal nothing about memories. */
  readonly audited?: AuditedAction;
  readonly notes?: (request: Request, result: Result | undefined) => AuditFields;
}

type Definition<F> = F extends (...given: infer Given) => infer Answer
  ? Operation<RequestOf<Required<Given>>, Answer extends Promise<infer Result> ? Result : Streamed>
  : never;
/** The arguments of a method: the id or the chunks if it has any, the request if it has one, the options. */
type RequestOf<Given> = Given extends [string | AsyncIterable<unknown>, ...infer Rest]
  ? RequestOf<Rest>
  : Given extends [infer Request, unknown]
    ? Request
    : NoRequest;

/** Definitions of all methods of a service group; a missing one is a type error. */
export type Definitions<Group> = { readonly [Name in keyof Group]: Definition<Group[Name]> };

/** Any operation, without its specific types. */
export type AnyOperation = Operation<Record<string, unknown>>;

export const methodOf = ({ route }: Pick<AnyOperation, 'route'>): Method => route.split(' ')[0] as Method;
export const pathOf = ({ route }: Pick<AnyOperation, 'route'>): string => route.slice(route.indexOf(' ') + 1);
export const hasId = (operation: Pick<AnyOperation, 'route'>): boolean => pathOf(operation).includes('/:id');
export const takesRequest = ({ request }: Pick<AnyOperation, 'request'>): boolean => Object.keys(request.shape).length > 0;

/** One call: the id from the path or the chunks of a stream, the request, the options. */
export interface Call {
  readonly id?: string | undefined;
  readonly chunks?: unknown;
  readonly request: Record<string, unknown>;
  readonly options: CallOptions;
}

/** Turns the arguments of a method into a call. */
export function callOf(operation: AnyOperation, given: readonly unknown[]): Call {
  const isStreamed = operation.stream === 'in';
  const [first, ...rest] = hasId(operation) || isStreamed ? given : [undefined, ...given];
  const [request = {}, options = {}] = (takesRequest(operation) ? rest : [{}, ...rest]) as [Record<string, unknown>?, CallOptions?];
  return { ...(isStreamed ? { chunks: first } : { id: first as string | undefined }), request, options };
}

/** The arguments of the method for a call. */
export function argumentsOf(operation: AnyOperation, { id, chunks, request, options }: Call): unknown[] {
  const first = operation.stream === 'in' ? [chunks] : hasId(operation) ? [id] : [];
  return [...first, ...(takesRequest(operation) ? [request] : []), options];
}

/** Audit fields of a request about one namespace, or all. */
export const namespaceAudit = ({ namespace }: { readonly namespace?: string | undefined }): Pick<AuditFields, 'namespaces'> =>
  namespace === undefined ? {} : { namespaces: [namespace] };

/** The schema of the response, which `written` returns. */
export function answerSchema(operation: AnyOperation): z.ZodObject {
  const { result, form, as, counts, says, beside, echoes = [], omitted = [] } = operation;
  if (form !== undefined) return form.schema;
  const leftOut = [...echoes, ...omitted];
  const told = result instanceof z.ZodObject ? Object.entries(result.shape).filter(([name]) => !leftOut.includes(name)) : [];
  return z.object({
    success: z.literal(true),
    ...(counts !== undefined && { count: z.int().min(0) }),
    ...(says !== undefined && { message: z.string() }),
    ...(as === undefined ? Object.fromEntries(told) : { [as]: result }),
    ...beside,
  });
}
