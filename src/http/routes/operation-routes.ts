import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import { LoreError } from '../../memory/errors.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import { parseRequest } from '../../memory/validation.ts';
import { answerSchema, argumentsOf, hasId, methodOf, pathOf, takesRequest, type AnyOperation } from '../../operations/operation.ts';
import { changes } from '../../operations/events.ts';
import { transfer } from '../../operations/transfer.ts';
import { groupOf, operationsOf, type OperationGroup } from '../../operations/table.ts';
import { writerOf } from '../../operations/wire.ts';
import { sendJson } from '../responses/json-response.ts';
import { idempotentHandler, plainHandler } from '../responses/idempotent-handler.ts';
import { hasBody } from '../middleware/body.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected, type LoreMiddleware, type LoreRequest } from '../exchange.ts';
import { formOf } from '../representations/representations.ts';
import { guideResponses } from '../representations/guide.ts';
import { withQuery, queryParameter, readQuery, acceptingQuery } from '../query.ts';
import { bindResource, type App, type Handlers, type RouteContext } from '../resource.ts';
import { idInPath } from '../unknown-route.ts';
import { eventsHandler } from './events.ts';
import { exportHandler } from './export.ts';
import { importHandler } from './import.ts';

type Request = Record<string, unknown>;

/** Response members that the server adds to the result, by the name of the operation. */
type ExtraHandlers = Readonly<Record<string, (req: LoreRequest, asked: Asked) => object | Promise<object>>>;

/** The id in the path and the request. */
interface Asked {
  readonly id?: string;
  readonly request: Request;
}

/** The handlers of streams, by the id of the operation. */
const STREAM_HANDLERS: Readonly<Record<string, (context: RouteContext) => LoreMiddleware>> = {
  [changes.follow.id]: eventsHandler,
  [transfer.export.id]: exportHandler,
  [transfer.import.id]: importHandler,
};

/** The routes of a group of operations, built from their definitions. Paths with only an id come last, because they match any word. */
export function bindDefined(app: App, context: RouteContext, group: OperationGroup, beside: ExtraHandlers = {}): void {
  const paths = new Map<string, Handlers>();
  for (const [name, operation] of operationsOf(group)) {
    const path = pathOf(operation);
    const handler =
      STREAM_HANDLERS[operation.id]?.(context) ??
      handlerOf({ group, name, operation, tell: responseWriterOf(operation, context), beside: beside[name] }, context);
    paths.set(path, { ...paths.get(path), [methodOf(operation)]: handler });
  }
  const isOfId = (path: string): boolean => path.endsWith('/:id');
  const inOrder = [...paths].toSorted(([one], [other]) => Number(isOfId(one)) - Number(isOfId(other)));
  for (const [path, handlers] of inOrder) bindResource(app, path, handlers);
}

type ResponseWriter = (result: unknown, req: LoreRequest, asked: Asked & { readonly beside?: object }) => object;

interface Bound {
  readonly group: OperationGroup;
  readonly name: string;
  readonly operation: AnyOperation;
  readonly tell: ResponseWriter;
  readonly beside: ExtraHandlers[string] | undefined;
}

function handlerOf(bound: Bound, context: RouteContext): LoreMiddleware | LoreMiddleware[] {
  const { operation, tell, beside } = bound;
  const { request: schema, repeatable } = operation;
  const method = methodOf(operation);
  const idOf = hasId(operation) ? (req: LoreRequest) => ({ id: idInPath(req.path, req.params['id'] ?? '') }) : () => ({});
  const call = callerOf(bound);
  if (operation.access === 'read') {
    const answer = async (req: LoreRequest, res: ServerResponse, request: Request): Promise<void> => {
      const asked: Asked = { ...idOf(req), request };
      const result = await call(req, asked, { source: sourceOf(req), signal: whileConnected(res) });
      const more = beside === undefined ? {} : { beside: await beside(req, asked) };
      sendJson(req, res, 200, tell(result, req, { ...asked, ...more }));
    };
    if (method === 'GET') return withQuery(schema, answer);
    return [context.jsonBody, (req, res) => answer(req, res, parseRequest(schema, bodyOf(req)))];
  }
  const isBare = method === 'DELETE' && !takesRequest(operation);
  const read = (req: LoreRequest) => {
    const id = idOf(req);
    const request: Request = isBare ? {} : method === 'DELETE' ? fromEither(schema, req) : parseRequest(schema, bodyOf(req));
    const asked: Asked = { ...id, request };
    return {
      run: (options: CallOptions) => call(req, asked, options),
      tell: (result: unknown) => tell(result, req, asked),
    };
  };
  const handler: LoreMiddleware = repeatable === true ? idempotentHandler(context, read) : plainHandler(read);
  if (isBare) return handler;
  return method === 'DELETE' ? [whereSent(context.jsonBody), acceptingQuery(schema, handler)] : [context.jsonBody, handler];
}

type Method = (...given: unknown[]) => Promise<unknown>;

function callerOf({ group, name, operation }: Bound) {
  return (req: LoreRequest, asked: Asked, options: CallOptions): Promise<unknown> => {
    const service: object = groupOf(memoriesOf(req), group);
    return (service as Readonly<Record<string, Method>>)[name]!(...argumentsOf(operation, { ...asked, options }));
  };
}

/** Builds the response of an operation in the requested representation. */
function responseWriterOf(operation: AnyOperation, { settings }: RouteContext): ResponseWriter {
  const { as, counts, says, form } = operation;
  const write = writerOf(answerSchema(operation)) as (answer: object) => object;
  const guide = guideResponses[operation.id];
  return (result, req, { id, request, beside }) => {
    if (guide !== undefined && formOf(req, settings.responseForm) === 'guide') return guide(result as never, { id, ...beside } as never);
    if (form !== undefined) return write(form.of(result, beside as never));
    const members: Request = as === undefined ? { ...(result as Request | undefined) } : { [as]: result };
    return write({
      ...members,
      ...beside,
      success: true,
      ...(counts !== undefined && { count: (members[counts] as readonly unknown[]).length }),
      ...(says !== undefined && { message: says(request, id) }),
    });
  };
}

/** The fields of a DELETE may also be in the query, because many clients send no body with it. */
function fromEither(schema: z.ZodObject, req: LoreRequest): Request {
  if (!hasBody(req)) return readQuery(schema, req);
  const inQuery = Object.keys(schema.shape).find((name) => queryParameter(req, name) !== undefined);
  if (inQuery !== undefined) throw new LoreError('invalid_input', `${inQuery} must be in the body, because the request has one`);
  return parseRequest(schema, bodyOf(req));
}

function whereSent(middleware: LoreMiddleware): LoreMiddleware {
  return (req, res, next) => (hasBody(req) ? middleware(req, res, next) : next());
}
