import type { Catalog } from '../catalog/catalog.ts';
import type { LogRecord } from '../format/log-record.ts';

/** The namespaces affected by a commit. */
export interface TouchedNamespaces {
  /** Namespaces with removed or changed entries. */
  readonly changed: ReadonlySet<string>;
  /** Namespaces with new entries. */
  readonly added: ReadonlySet<string>;
}

/** Called and awaited before every commit; the function it resolves with is called when the commit is durable or has failed. */
export type CommitGuard = (touched: TouchedNamespaces) => Promise<() => void>;

/** The namespaces affected by these records. */
export function touchedBy(records: readonly LogRecord[], catalog: Catalog): TouchedNamespaces {
  const changed = new Set<string>();
  const added = new Set<string>();
  for (const record of records) {
    if (record.op === 'side') continue;
    const known = catalog.get(record.op === 'put' ? record.row.entry.id : record.id);
    if (known !== undefined) changed.add(known.namespace);
    if (record.op === 'put') (known === undefined ? added : changed).add(record.row.entry.namespace);
  }
  return { changed, added };
}
