import type { RecordBatch } from 'apache-arrow';
import type { FieldsWith } from '../../memory/entry-fields.ts';
import type { Entry } from '../../memory/entry.ts';
import { NameReader, numberColumn } from '../format/columns.ts';
import { ENTRY_COLUMNS, type EntryTexts, type FieldColumns, type OptionalCatalogFields } from '../format/field-columns.ts';
import type { StoredRow } from '../format/rows.ts';

/** The fields of an entry that are kept in memory. */
type CatalogFields = Pick<Entry, FieldsWith<{ catalog: true }>>;

/** In-memory metadata of an entry. */
export interface CatalogEntry extends Omit<CatalogFields, 'superseded'> {
  readonly superseded: boolean;
  /** Fingerprint of the embedder of its vectors; empty while pending. */
  readonly embedder: string;
  /** Passages beyond the first. */
  readonly passages: number;
  /** Version of the row; increases with every write. */
  readonly writtenAt: number;
}

const ROW_COLUMNS = ['embedder', 'passage_count', 'written_at'] as const;
export const catalogEntryColumns = ({ catalogColumns }: FieldColumns = ENTRY_COLUMNS): string[] => [...catalogColumns, ...ROW_COLUMNS];

/** Reads `catalogEntryColumns` of the rows of many batches. */
export class CatalogEntryReader {
  readonly #names = new NameReader();
  readonly #fields: FieldColumns;

  constructor(fields: FieldColumns = ENTRY_COLUMNS) {
    this.#fields = fields;
  }

  read(batch: RecordBatch): CatalogEntry[] {
    const columns = Object.fromEntries(this.#fields.catalog(batch, this.#names)) as Columns;
    // Written field by field: objects of one shape are smaller and faster than objects that grow.
    const { id, namespace, container, tags, priority, importance, source, contentHash, createdAt, updatedAt, superseded, ...more } =
      columns;
    const embedder = this.#names.column(batch, 'embedder');
    const [passages, writtenAt] = [numberColumn(batch, 'passage_count'), numberColumn(batch, 'written_at')];
    const optional = Object.entries<ArrayLike<unknown>>(more);
    return Array.from({ length: batch.numRows }, (_, row) => {
      const known = {
        id: id[row]!,
        namespace: namespace[row]!,
        container: container[row]!,
        tags: tags[row]!,
        priority: priority[row]!,
        importance: importance[row]!,
        source: source[row]!,
        contentHash: contentHash[row]!,
        createdAt: createdAt[row]!,
        updatedAt: updatedAt[row]!,
        superseded: superseded[row]!,
        embedder: embedder[row]!,
        passages: passages[row]!,
        writtenAt: writtenAt[row]!,
      };
      for (const [name, values] of optional) if (values[row] !== undefined) Reflect.set(known, name, values[row]);
      return known;
    });
  }
}

type Columns = {
  readonly [Name in Exclude<keyof CatalogEntry, keyof OptionalCatalogFields | 'embedder' | 'passages' | 'writtenAt'>]: ArrayLike<
    CatalogEntry[Name]
  >;
};

/** The metadata of an entry as stored now. */
export function catalogEntryOf({ entry, vectors, writtenAt }: StoredRow): CatalogEntry {
  const { id, namespace, container, tags, priority, importance, source, contentHash, createdAt, updatedAt } = entry;
  const facts = { id, namespace, container, tags, priority, importance, source, contentHash, createdAt, updatedAt, writtenAt };
  const state = { superseded: entry.superseded === true, embedder: vectors?.embedder ?? '', passages: vectors?.further.length ?? 0 };
  return { ...facts, ...ENTRY_COLUMNS.optional(entry), ...state };
}

/** The whole entry: metadata and texts. */
export function entryOf(known: CatalogEntry, texts: EntryTexts): Entry {
  const { id, namespace, container, tags, priority, importance, source, contentHash, createdAt, updatedAt, superseded } = known;
  // Without a spread: for objects with this many fields it takes ten times as long, and a page of a list makes a hundred.
  const { content } = texts;
  const entry = { content, id, namespace, container, tags, priority, importance, source, contentHash, createdAt, updatedAt };
  Object.assign(entry, texts, ENTRY_COLUMNS.optional(known));
  return superseded ? { ...entry, superseded } : entry;
}
