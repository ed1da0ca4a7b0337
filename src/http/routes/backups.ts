import { BackupRequest, VerifyBackupRequest } from '../../memory/operations/backup-operations.ts';
import { sendJson } from '../answer.ts';
import { answering } from '../answering.ts';
import { bodyOf, memoriesOf, sourceOf, whileConnected } from '../exchange.ts';
import { bindResource, formFor, type App, type RouteContext } from '../resource.ts';
import { parseRequest } from '../../memory/validation.ts';

/** GET and POST /api/backups: those that are there, and a new one; POST /api/backups/verify: whether one is whole. Restoring needs the store closed. */
export function bindBackups(app: App, context: RouteContext): void {
  const { settings, jsonBody } = context;
  bindResource(app, '/api/backups', {
    GET: async (req, res) => {
      const form = formFor(req, settings);
      sendJson(req, res, 200, form.backups(await memoriesOf(req).backups.list({ signal: whileConnected(res) })));
    },
    POST: [
      jsonBody,
      answering(context, (req) => {
        const form = formFor(req, settings);
        parseRequest(BackupRequest, bodyOf(req));
        return { run: (options) => memoriesOf(req).backups.create(options), tell: (backup) => form.backup(backup) };
      }),
    ],
  });
  bindResource(app, '/api/backups/verify', {
    POST: [
      jsonBody,
      async (req, res) => {
        const form = formFor(req, settings);
        const { name } = parseRequest(VerifyBackupRequest, bodyOf(req));
        sendJson(req, res, 200, form.backupCheck(await memoriesOf(req).backups.verify(name, { source: sourceOf(req) })));
      },
    ],
  });
}
