import type { z } from 'zod';
import {
  MergeNamespacesRequest,
  MoveRequest,
  RenameNamespaceRequest,
  type MoveReport,
  type NamespaceOperations,
} from '../../memory/operations/namespace-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import { answering } from '../answering.ts';
import { bodyOf, memoriesOf } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** POST /api/namespaces/rename, /merge and /move: entries from namespace to namespace. An accepted one is finished, also where its client goes. */
export function bindMoves(app: App, context: RouteContext): void {
  bindMove(app, context, '/api/namespaces/rename', RenameNamespaceRequest, (moves, request, options) => moves.rename(request, options));
  bindMove(app, context, '/api/namespaces/merge', MergeNamespacesRequest, (moves, request, options) => moves.merge(request, options));
  bindMove(app, context, '/api/namespaces/move', MoveRequest, (moves, request, options) => moves.move(request, options));
}

function bindMove<T extends z.ZodObject>(
  app: App,
  context: RouteContext,
  path: string,
  schema: T,
  carryOut: (moves: NamespaceOperations, request: z.output<T>, options: CallOptions) => Promise<MoveReport>,
): void {
  bindResource(app, path, {
    POST: [
      context.jsonBody,
      answering(context, (req) => {
        const form = formFor(req, context.settings);
        const request = parseRequest(schema, bodyOf(req));
        return { run: (options) => carryOut(memoriesOf(req).moves, request, options), tell: (report) => form.moved(report) };
      }),
    ],
  });
}
