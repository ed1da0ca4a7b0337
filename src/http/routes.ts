import type { App, RouteContext } from './resource.ts';
import { bindDiagnose } from './routes/diagnose.ts';
import { bindDocument } from './routes/document.ts';
import { bindEntry } from './routes/entry.ts';
import { bindExplain } from './routes/explain.ts';
import { bindExport } from './routes/export.ts';
import { bindHealth } from './routes/health.ts';
import { bindImport } from './routes/import.ts';
import { bindList } from './routes/list.ts';
import { bindMigrate } from './routes/migrate.ts';
import { bindNamespaces } from './routes/namespaces.ts';
import { bindRecall } from './routes/recall.ts';
import { bindSave } from './routes/save.ts';
import { bindSearch } from './routes/search.ts';
import { bindStats } from './routes/stats.ts';
import { bindWeb } from './web.ts';

/** Every route, in the order they are tried: fixed words before `/api/:id`, files last. */
export function bindRoutes(app: App, context: RouteContext, pages: { readonly webRoot: string; readonly version: string }): void {
  bindSave(app, context);
  bindRecall(app, context);
  bindSearch(app, context);
  bindExplain(app, context);
  bindList(app, context);
  bindHealth(app, context);
  bindNamespaces(app, context);
  bindStats(app, context);
  bindDiagnose(app, context);
  bindExport(app);
  bindImport(app, context);
  bindMigrate(app, context);
  bindEntry(app, context);
  bindDocument(app, pages.version);
  bindWeb(app, pages.webRoot);
}
