import type { z } from 'zod';
import { LoreError } from '../../memory/errors.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import { parseRequest } from '../../memory/validation.ts';
import { answerSchema, hasId, methodOf, pathOf, type AnyOperation } from '../../operations/operation.ts';
import { operationsOf, type OperationGroup } from '../../operations/table.ts';
import { writerOf } from '../../operations/wire.ts';
import { sendJson } from '../answer.ts';
import { answering } from '../answering.ts';
import { hasBody } from '../body.ts';
import { bodyOf, memoriesOf, whileConnected, type LoreMiddleware, type LoreRequest } from '../exchange.ts';
import { queried, queryParameter, readQuery, takingQuery } from '../query.ts';
import { bindResource, type App, type Handlers, type RouteContext } from '../resource.ts';
import { entryId } from './entry.ts';

type Request = Record<string, unknown>;

/** The routes of a group of operations, as their definitions say. */
export function bindDefined(app: App, context: RouteContext, group: OperationGroup): void {
  const paths = new Map<string, Handlers>();
  for (const [name, operation] of operationsOf(group)) {
    const path = pathOf(operation);
    paths.set(path, { ...paths.get(path), [methodOf(operation)]: handlerOf({ group, name, operation }, context) });
  }
  for (const [path, handlers] of paths) bindResource(app, path, handlers);
}

interface Bound {
  readonly group: OperationGroup;
  readonly name: string;
  readonly operation: AnyOperation;
}

function handlerOf(bound: Bound, context: RouteContext): LoreMiddleware | LoreMiddleware[] {
  const { operation } = bound;
  const { request: schema } = operation;
  const tell = tellerOf(operation);
  if (methodOf(operation) === 'GET') {
    return queried(schema, async (req, res, request) => {
      sendJson(req, res, 200, tell(await call(bound, req, { request, options: { signal: whileConnected(res) } }), request));
    });
  }
  const isDelete = methodOf(operation) === 'DELETE';
  const handler = answering(context, (req) => {
    const request: Request = isDelete ? fromEither(schema, req) : parseRequest(schema, bodyOf(req));
    return { run: (options) => call(bound, req, { request, options }), tell: (result) => tell(result, request) };
  });
  return isDelete ? [whereSent(context.jsonBody), takingQuery(schema, handler)] : [context.jsonBody, handler];
}

type Call = (...given: unknown[]) => Promise<unknown>;

function call(
  { group, name, operation }: Bound,
  req: LoreRequest,
  { request, options }: { request: Request; options: CallOptions },
): Promise<unknown> {
  const service = memoriesOf(req)[group] as unknown as Readonly<Record<string, Call>>;
  return service[name]!(...(hasId(operation) ? [entryId(req)] : []), request, options);
}

/** Writes the answer of an operation. */
function tellerOf(operation: AnyOperation): (result: unknown, request: Request) => object {
  const { as, counts, says } = operation;
  const write = writerOf(answerSchema(operation)) as (answer: object) => object;
  return (result, request) => {
    const members: Request = as === undefined ? { ...(result as Request | undefined) } : { [as]: result };
    return write({
      ...members,
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
  if (inQuery !== undefined) throw new LoreError('invalid_input', `${inQuery} must stand in the body, as there is one`);
  return parseRequest(schema, bodyOf(req));
}

function whereSent(middleware: LoreMiddleware): LoreMiddleware {
  return (req, res, next) => (hasBody(req) ? middleware(req, res, next) : next());
}
