import {
  CaptureRequest,
  CaptureSessionsRequest,
  CaptureStatsRequest,
  CaptureUndoRequest,
  ContextRequest,
} from '../../memory/capture-operations.ts';
import { sendJson } from '../answer.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected } from '../exchange.ts';
import { readQuery } from '../query.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../validation.ts';

/**
 * POST /api/capture: an event of a hook. GET /api/capture/stats and /api/capture/sessions: what came of them. POST /api/capture/undo: takes back what a
 * session captured. POST /api/context: what is worth knowing before a prompt.
 */
export function bindCapture(app: App, { settings, jsonBody }: RouteContext): void {
  bindResource(app, '/api/capture', {
    POST: [
      ...jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(CaptureRequest, bodyOf(req));
        sendJson(req, res, 200, form.capture(await memoriesOf(req).capture.accept(request, { source: sourceOf(req) })));
      },
    ],
  });
  bindResource(app, '/api/capture/stats', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      sendJson(req, res, 200, form.captureStats(await memoriesOf(req).capture.stats(readQuery(CaptureStatsRequest, req))));
    },
  });
  bindResource(app, '/api/capture/sessions', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      sendJson(req, res, 200, form.captureSessions(await memoriesOf(req).capture.sessions(readQuery(CaptureSessionsRequest, req))));
    },
  });
  bindResource(app, '/api/capture/undo', {
    POST: [
      ...jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const request = parseRequest(CaptureUndoRequest, bodyOf(req));
        sendJson(req, res, 200, form.captureUndo(await memoriesOf(req).capture.undo(request, { source: sourceOf(req) })));
      },
    ],
  });
  bindResource(app, '/api/context', {
    POST: [
      ...jsonBody,
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
