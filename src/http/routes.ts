import type { Access } from '../memory/operations/administration.ts';
import type { ServerFacts } from '../operations/health.ts';
import { memoriesOf } from './exchange.ts';
import type { App, RouteContext } from './resource.ts';
import { bindDefined } from './routes/operation-routes.ts';
import { bindDocument } from './routes/document.ts';
import { bindProbes } from './routes/health.ts';
import { bindMcp } from './routes/mcp.ts';
import { bindMetrics } from './routes/metrics.ts';
import { bindStats } from './routes/stats.ts';
import { bindWeb } from './web.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** Every route, in the order they are tried: fixed words before `/api/:id`, files last. */
export function bindRoutes(app: App, context: RouteContext, pages: { readonly webRoot?: string; readonly version: string }): void {
  bindDefined(app, context, 'details');
  bindDefined(app, context, 'bulk');
  bindProbes(app, context);
  bindDefined(app, context, 'moves');
  bindStats(app, context);
  bindDefined(app, context, 'changes');
  bindDefined(app, context, 'sync');
  bindDefined(app, context, 'capture');
  bindDefined(app, context, 'lifecycle');
  bindDefined(app, context, 'backups');
  bindDefined(app, context, 'keys', { list: ({ grant }) => ({ yours: grant?.name ?? '' }) });
  bindDefined(app, context, 'administration');
  bindDefined(app, context, 'settings', { list: () => ({ access: accessTo(context) }) });
  bindDefined(app, context, 'relations');
  bindDefined(app, context, 'sources');
  bindDefined(app, context, 'memories', {
    get: async (req, { id }) => {
      const { relations } = await memoriesOf(req).relations.list({ id });
      return { relations };
    },
    health: ({ grant }): ServerFacts => {
      const { access = 'read', namespace } = grant ?? {};
      const key = { access, ...withoutUndefined({ namespace }) };
      return { key, storageType: context.storageType, requests: context.requests() };
    },
  });
  bindMetrics(app, context);
  bindMcp(app, context, pages.version);
  bindDocument(app, pages.version);
  bindWeb(app, pages.webRoot);
}

function accessTo({ settings, keyRequired }: RouteContext): Access {
  const { enabled, origins } = settings.cors;
  return { keyRequired: keyRequired(), host: settings.host, everyOrigin: enabled && origins.includes('*') };
}
