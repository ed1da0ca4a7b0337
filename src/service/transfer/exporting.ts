import type { ExportLine, ExportRequest } from '../../memory/operations/operations.ts';
import type { Store } from '../../store/store.ts';
import { exportAuxiliary, relationsAmong } from './auxiliary-transfer.ts';
import { exportedEntry, exportHeader } from './export-lines.ts';

interface Parts {
  readonly store: Store;
  /** Of the active embedder. */
  readonly space: () => { readonly fingerprint: string; readonly width: number };
}

/** The header, then the entries, oldest first, a few hundred in memory at a time; with `all`, then their additional data. */
export async function* exported(
  { store, space }: Parts,
  { namespace, vectors = false, all = false }: ExportRequest,
): AsyncGenerator<ExportLine> {
  const keep = (id: string): boolean => namespace === undefined || store.catalog.get(id)?.namespace === namespace;
  const entries = store.catalog.count(namespace === undefined ? {} : { namespaces: [namespace] });
  const batches = store.entries.scan(keep);
  // The first entries are read before the header is sent, so that an unreadable store fails before anything looks successful.
  const first = await batches.next();
  yield exportHeader(space(), entries);
  const ids = new Set<string>();
  for (let next = first; next.done !== true; next = await batches.next()) {
    for (const row of next.value) {
      if (all) ids.add(row.entry.id);
      yield exportedEntry(row, vectors);
    }
  }
  if (!all) return;
  yield* exportAuxiliary(store, ids, namespace);
  yield* late({ store, keep: (id) => keep(id) && !ids.has(id), vectors }, ids);
}

interface Late {
  readonly store: Store;
  readonly keep: (id: string) => boolean;
  readonly vectors: boolean;
}

/** New entries: those archived at the start and restored before the archive was read would be in neither part. */
async function* late({ store, keep, vectors }: Late, ids: ReadonlySet<string>): AsyncGenerator<ExportLine> {
  const came = new Set<string>();
  for await (const rows of store.entries.scan(keep)) {
    for (const row of rows) {
      came.add(row.entry.id);
      yield exportedEntry(row, vectors);
    }
  }
  if (came.size === 0) return;
  for (const relation of relationsAmong(store, new Set([...ids, ...came]))) {
    if (came.has(relation.sourceId) || came.has(relation.targetId)) yield { relation };
  }
}
