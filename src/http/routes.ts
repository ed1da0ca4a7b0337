import type { App, RouteContext } from './resource.ts';
import { bindAdministration } from './routes/administration.ts';
import { bindDefined } from './routes/defined.ts';
import { bindDocument } from './routes/document.ts';
import { bindEntry, bindUse } from './routes/entry.ts';
import { bindEvents } from './routes/events.ts';
import { bindExport } from './routes/export.ts';
import { bindHealth } from './routes/health.ts';
import { bindImport } from './routes/import.ts';
import { bindList } from './routes/list.ts';
import { bindMcp } from './routes/mcp.ts';
import { bindMetrics } from './routes/metrics.ts';
import { bindRecall } from './routes/recall.ts';
import { bindSave } from './routes/save.ts';
import { bindSearch } from './routes/search.ts';
import { bindStats } from './routes/stats.ts';
import { bindWeb } from './web.ts';

/** Every route, in the order they are tried: fixed words before `/api/:id`, files last. */
export function bindRoutes(app: App, context: RouteContext, pages: { readonly webRoot?: string; readonly version: string }): void {
  bindSave(app, context);
  bindRecall(app, context);
  bindSearch(app, context);
  bindDefined(app, context, 'details');
  bindList(app, context);
  bindDefined(app, context, 'bulk');
  bindHealth(app, context);
  bindDefined(app, context, 'moves');
  bindStats(app, context);
  bindEvents(app, context);
  bindExport(app, context);
  bindImport(app, context);
  bindDefined(app, context, 'sync');
  bindDefined(app, context, 'capture');
  bindDefined(app, context, 'lifecycle');
  bindUse(app, context);
  bindDefined(app, context, 'backups');
  bindAdministration(app, context);
  bindDefined(app, context, 'relations');
  bindDefined(app, context, 'sources');
  bindDefined(app, context, 'memories');
  bindEntry(app, context);
  bindMetrics(app, context);
  bindMcp(app, context, pages.version);
  bindDocument(app, pages.version);
  bindWeb(app, pages.webRoot);
}
