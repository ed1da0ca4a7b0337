import { givenOf } from '../../memory/entry-fields.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { LogRecord } from '../format/log-record.ts';
import { catalogEntryOf, type CatalogEntry } from '../catalog/catalog-entry.ts';

/** The effect of one commit on one entry: its namespace before and after; undefined if it did not or no longer exists. */
export interface EntryChange {
  readonly id: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The effect of these records on the entries in the catalog. Leaves out invisible changes: new vectors, or removals from the archive.
 */
export function entryChanges(records: readonly LogRecord[], catalog: Catalog): EntryChange[] {
  const gone = new Set<string>();
  return records.flatMap((record): EntryChange[] => {
    if (record.op === 'side') return [];
    const id = record.op === 'put' ? record.row.entry.id : record.id;
    const known = gone.has(id) ? undefined : catalog.get(id);
    if (record.op === 'remove') {
      gone.add(id);
      return known === undefined ? [] : [{ id, before: known.namespace, after: undefined }];
    }
    const next = catalogEntryOf(record.row);
    if (known !== undefined && looksOf(known) === looksOf(next)) return [];
    return [{ id, before: known?.namespace, after: next.namespace }];
  });
}

/** The visible fields of an entry, without its text. */
function looksOf(known: CatalogEntry): string {
  const { namespace, container, tags, priority, importance, contentHash, updatedAt, superseded } = known;
  // The table keeps importance as a 32-bit float.
  return JSON.stringify([
    namespace,
    container,
    tags,
    priority,
    Math.fround(importance),
    contentHash,
    updatedAt,
    superseded,
    givenOf(known),
  ]);
}
