import {
  CaptureRequest,
  CaptureReviewRequest,
  CaptureSessionsRequest,
  CaptureStatsRequest,
  CaptureUndoRequest,
  ContextRequest,
} from '../../memory/operations/capture-operations.ts';
import { sendJson } from '../answer.ts';
import { answering } from '../answering.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected } from '../exchange.ts';
import { queried } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/**
 * POST /api/capture: an event of a hook. GET /api/capture/stats and /api/capture/sessions: what came of them. POST /api/capture/undo: takes back what a
 * session captured. POST /api/capture/review: keeps or drops captured entries. POST /api/context: what is worth knowing before a prompt.
 */
export function bindCapture(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/capture', {
    POST: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(CaptureRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).capture.accept(request, options), tell: (receipt) => form.capture(receipt) };
      }),
    ],
  });
  bindResource(app, '/api/capture/stats', {
    GET: queried(CaptureStatsRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      sendJson(req, res, 200, form.captureStats(await memoriesOf(req).capture.stats(request)));
    }),
  });
  bindResource(app, '/api/capture/sessions', {
    GET: queried(CaptureSessionsRequest, async (req, res, request) => {
      const form = formFor(req, settings);
      sendJson(req, res, 200, form.captureSessions(await memoriesOf(req).capture.sessions(request)));
    }),
  });
  bindResource(app, '/api/capture/undo', {
    POST: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(CaptureUndoRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).capture.undo(request, options), tell: (report) => form.captureUndo(report) };
      }),
    ],
  });
  bindResource(app, '/api/capture/review', {
    POST: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        const request = parseRequest(CaptureReviewRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).capture.review(request, options), tell: (report) => form.captureReview(report) };
      }),
    ],
  });
  bindResource(app, '/api/context', {
    POST: [
      jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(ContextRequest, bodyOf(req));
        sendJson(
          req,
          res,
          200,
          form.context(await memoriesOf(req).capture.context(request, { source: sourceOf(req), signal: whileConnected(res) })),
        );
      },
    ],
  });
}
