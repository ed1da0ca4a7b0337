import type { Directory } from '../catalog/catalog.ts';
import type { JournalRecord } from '../format/log-record.ts';

/** The namespaces that a commit is about to touch. */
export interface Touched {
  /** An entry of theirs goes, or becomes another. */
  readonly changed: ReadonlySet<string>;
  /** They get a new entry. */
  readonly added: ReadonlySet<string>;
}

/** Is told of every commit before it is safe, and waited for; the function it resolves with is called once the commit is safe or has failed. */
export type CommitGuard = (touched: Touched) => Promise<() => void>;

/** What these records are about to do, by the namespaces of the entries. */
export function touchedBy(records: readonly JournalRecord[], directory: Directory): Touched {
  const changed = new Set<string>();
  const added = new Set<string>();
  for (const record of records) {
    if (record.op === 'side') continue;
    const known = directory.get(record.op === 'put' ? record.row.entry.id : record.id);
    if (known !== undefined) changed.add(known.namespace);
    if (record.op === 'put') (known === undefined ? added : changed).add(record.row.entry.namespace);
  }
  return { changed, added };
}
