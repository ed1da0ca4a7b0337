/** An operation is defined once: route, OpenAPI document, client, limits of a key and audit record are made from the definition. */
import { z } from 'zod';
import type { AuditedAction } from '../memory/audit.ts';
import type { CallOptions } from '../memory/operations/operations.ts';

/** What an API key must reach. */
type Reach<Request, Result> =
  /** Every namespace, with full access; `why` says so to a key that has less. */
  | { readonly everything: true; readonly why: string }
  | {
      /** Whether the request has a `namespace`, which for a bound key is its own; `given`: only where the request names one. */
      readonly namespace?: true | 'given';
      /** Whether the request asks for more than that namespace, which a bound key may not. */
      readonly beyond?: (request: Request) => boolean | undefined;
      /** Entries that the request names. One in another namespace is `not_found` for a bound key. */
      readonly entries?: (request: Request) => readonly string[];
      /** Ids in the request that the key does not reach are left out; `not_found` where none is left. */
      readonly selected?: true;
      /** Fields of the request as a key bound to a namespace has them, whatever it says. */
      readonly bound?: Partial<Request>;
      /** What of the result a key bound to a namespace is told; default all. */
      readonly shown?: (result: Result, namespace: string) => Result;
      /** The options name the namespace of a bound key: for it, entries of another one do not exist. */
      readonly hidden?: true;
    };

/** What is known of a stream at its end. */
export interface Streamed {
  /** Entries that went. */
  readonly count: number;
}
/** In the place of a result. */
export const Streamed = z.object({ count: z.int().min(0) });

/** What the audit record says beside who asked and how it ended. */
export interface Noted {
  readonly namespaces?: readonly string[];
  readonly ids?: readonly string[];
  /** Entries that were read, written or removed. */
  readonly count?: number | undefined;
  /** Nothing was changed; also where the request says `dryRun`. */
  readonly dryRun?: boolean;
}

/** Of a method that takes none. */
export const NoRequest = z.strictObject({});
type NoRequest = z.output<typeof NoRequest>;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Operation<Request = never, Result = unknown> {
  /** As in `POST /api/relations`. With `:id` in the path the id is the first argument of the method, before the request. */
  readonly route: `${Method} /api/${string}`;
  /** Its `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** What the answer holds, one sentence. */
  readonly answer: string;
  /** Body, or query of a GET. The fields of a DELETE may stand in either. Without fields the method takes no request. */
  readonly request: z.ZodObject & z.ZodType<Request>;
  /** The result: of the types inside, written as JSON by `written`. */
  readonly result: z.ZodType<Result>;
  /** Member of the answer that holds the result; without it the members of the result are those of the answer. */
  readonly as?: string;
  /** Members of the result that repeat the request: the answer leaves them out. */
  readonly echoes?: readonly string[];
  /** An answer that is not the result as it is: its schema, and its members made of the result and of what the server adds. */
  readonly form?: { readonly schema: z.ZodObject; readonly of: (result: Result, beside: never) => object };
  /** Other members of the result that the answer leaves out. */
  readonly untold?: readonly string[];
  /** Members that the server adds to the answer, which are not of the result. */
  readonly beside?: z.core.$ZodShape;
  /** List of the answer whose length is its `count`. */
  readonly counts?: string;
  /** The `message` of an answer without a result. */
  readonly says?: (request: Request, id: string | undefined) => string;
  /** What reads is ended where its client goes away, and may be sent again; what writes is finished. */
  readonly access: 'read' | 'write';
  readonly reaches: Reach<Request, Result>;
  /** Takes an `Idempotency-Key`. */
  readonly repeatable?: true;
  /** Clients send a key of their own, so that it may be repeated where no answer came. */
  readonly once?: true;
  /** It may be repeated without a key: a second time changes nothing. Default whether it reads. */
  readonly safe?: boolean;
  /** It answers with a stream, or takes chunks as the first argument of its method: its route and its answer have code of their own. */
  readonly stream?: 'out' | 'in';
  /**
   * Where others write to the store too. `none`: it asks for nothing of what is stored, or answers from what is known. `followed`: others'
   * changes are looked for while it is read. Default: they are looked for before it begins.
   */
  readonly view?: 'none' | 'followed';
  /** It may take as long as it needs. */
  readonly unlimited?: true;
  /** Besides those that every route may have. */
  readonly problems?: readonly '404'[];
  /** When it answers 409. */
  readonly conflict?: string;
  /** Absent for what tells nothing of memories. */
  readonly audited?: AuditedAction;
  readonly notes?: (request: Request, result: Result | undefined) => Noted;
}

type Definition<F> = F extends (...given: infer Given) => infer Answer
  ? Operation<RequestOf<Required<Given>>, Answer extends Promise<infer Result> ? Result : Streamed>
  : never;
/** Of the arguments of a method: the id or the chunks where there are any, the request where there is one, the options. */
type RequestOf<Given> = Given extends [string | AsyncIterable<unknown>, ...infer Rest]
  ? RequestOf<Rest>
  : Given extends [infer Request, unknown]
    ? Request
    : NoRequest;

/** A definition of every method of a group of the service: one that is missing does not compile. */
export type Definitions<Group> = { readonly [Name in keyof Group]: Definition<Group[Name]> };

/** Any operation, where its types are not known. */
export type AnyOperation = Operation<Record<string, unknown>>;

export const methodOf = ({ route }: Pick<AnyOperation, 'route'>): Method => route.split(' ')[0] as Method;
export const pathOf = ({ route }: Pick<AnyOperation, 'route'>): string => route.slice(route.indexOf(' ') + 1);
export const hasId = (operation: Pick<AnyOperation, 'route'>): boolean => pathOf(operation).includes('/:id');
export const takesRequest = ({ request }: Pick<AnyOperation, 'request'>): boolean => Object.keys(request.shape).length > 0;

/** One call: the id that stands in the path or the chunks of a stream, the request, the options. */
export interface Call {
  readonly id?: string | undefined;
  readonly chunks?: unknown;
  readonly request: Record<string, unknown>;
  readonly options: CallOptions;
}

/** The call that the arguments of a method are. */
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

/** What the audit says of a request that is about one namespace, or all. */
export const ofNamespace = ({ namespace }: { readonly namespace?: string | undefined }): Pick<Noted, 'namespaces'> =>
  namespace === undefined ? {} : { namespaces: [namespace] };

/** The schema of its answer: what `written` returns. */
export function answerSchema(operation: AnyOperation): z.ZodObject {
  const { result, form, as, counts, says, beside, echoes = [], untold = [] } = operation;
  if (form !== undefined) return form.schema;
  const leftOut = [...echoes, ...untold];
  const told = result instanceof z.ZodObject ? Object.entries(result.shape).filter(([name]) => !leftOut.includes(name)) : [];
  return z.object({
    success: z.literal(true),
    ...(counts !== undefined && { count: z.int().min(0) }),
    ...(says !== undefined && { message: z.string() }),
    ...(as === undefined ? Object.fromEntries(told) : { [as]: result }),
    ...beside,
  });
}
