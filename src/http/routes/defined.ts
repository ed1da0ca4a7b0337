import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import { LoreError } from '../../memory/errors.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import { parseRequest } from '../../memory/validation.ts';
import { answerSchema, argumentsOf, hasId, methodOf, pathOf, type AnyOperation, type Call } from '../../operations/operation.ts';
import { groupOf, operationsOf, type OperationGroup } from '../../operations/table.ts';
import { writerOf } from '../../operations/wire.ts';
import { sendJson } from '../answer.ts';
import { answering, answeringOnce } from '../answering.ts';
import { hasBody } from '../body.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected, type LoreMiddleware, type LoreRequest } from '../exchange.ts';
import { queried, queryParameter, readQuery, takingQuery } from '../query.ts';
import { bindResource, type App, type Handlers, type RouteContext } from '../resource.ts';
import { entryId } from './entry.ts';

type Request = Record<string, unknown>;

/** What only the server knows, as members of the answer beside those of the result; by the name of the operation. */
export type Beside = Readonly<Record<string, (req: LoreRequest, request: Request) => object>>;

/** The routes of a group of operations, as their definitions say. */
export function bindDefined(app: App, context: RouteContext, group: OperationGroup, beside: Beside = {}): void {
  const paths = new Map<string, Handlers>();
  for (const [name, operation] of operationsOf(group)) {
    const path = pathOf(operation);
    const tell = tellerOf(operation, beside[name]);
    paths.set(path, { ...paths.get(path), [methodOf(operation)]: handlerOf({ group, name, operation, tell }, context) });
  }
  for (const [path, handlers] of paths) bindResource(app, path, handlers);
}

type Teller = (result: unknown, request: Request, req: LoreRequest) => object;

interface Bound {
  readonly group: OperationGroup;
  readonly name: string;
  readonly operation: AnyOperation;
  readonly tell: Teller;
}

function handlerOf(bound: Bound, context: RouteContext): LoreMiddleware | LoreMiddleware[] {
  const { operation, tell } = bound;
  const { request: schema, repeatable } = operation;
  const method = methodOf(operation);
  if (operation.access === 'read') {
    const answer = async (req: LoreRequest, res: ServerResponse, request: Request): Promise<void> => {
      const options = { source: sourceOf(req), signal: whileConnected(res) };
      sendJson(req, res, 200, tell(await call(bound, req, { request, options }), request, req));
    };
    if (method === 'GET') return queried(schema, answer);
    return [context.jsonBody, (req, res) => answer(req, res, parseRequest(schema, bodyOf(req)))];
  }
  const asked = (req: LoreRequest) => {
    const request: Request = method === 'DELETE' ? fromEither(schema, req) : parseRequest(schema, bodyOf(req));
    return {
      run: (options: CallOptions) => call(bound, req, { request, options }),
      tell: (result: unknown) => tell(result, request, req),
    };
  };
  const handler: LoreMiddleware = repeatable === true ? answering(context, asked) : answeringOnce(asked);
  return method === 'DELETE' ? [whereSent(context.jsonBody), takingQuery(schema, handler)] : [context.jsonBody, handler];
}

type Method = (...given: unknown[]) => Promise<unknown>;

function call({ group, name, operation }: Bound, req: LoreRequest, { request, options }: Omit<Call, 'id'>): Promise<unknown> {
  const service = groupOf(memoriesOf(req), group) as unknown as Readonly<Record<string, Method>>;
  const id = hasId(operation) ? entryId(req) : undefined;
  return service[name]!(...argumentsOf(operation, { id, request, options }));
}

/** Writes the answer of an operation. */
function tellerOf(operation: AnyOperation, beside?: Beside[string]): Teller {
  const { as, counts, says } = operation;
  const write = writerOf(answerSchema(operation)) as (answer: object) => object;
  return (result, request, req) => {
    const members: Request = as === undefined ? { ...(result as Request | undefined) } : { [as]: result };
    return write({
      ...members,
      ...beside?.(req, request),
      success: true,
      ...(counts !== undefined && { count: (members[counts] as readonly unknown[]).length }),
      ...(says !== undefined && { message: says(request) }),
    });
  };
}

/** The fields of a DELETE may stand in its query: many clients send no body with it. */
function fromEither(schema: z.ZodObject, req: LoreRequest): Request {
  if (!hasBody(req)) return readQuery(schema, req);
  const inQuery = Object.keys(schema.shape).find((name) => queryParameter(req, name) !== undefined);
  if (inQuery !== undefined) throw new LoreError('invalid_input', `${inQuery} must be in the body, because the request has one`);
  return parseRequest(schema, bodyOf(req));
}

function whereSent(middleware: LoreMiddleware): LoreMiddleware {
  return (req, res, next) => (hasBody(req) ? middleware(req, res, next) : next());
}
