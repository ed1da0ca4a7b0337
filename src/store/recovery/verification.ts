import { LoreError } from '../../memory/errors.ts';
import { contentHash } from '../format/content-hash.ts';
import type { Fresh } from '../memtable/memtable.ts';
import { textOf, type RawRow } from '../format/rows.ts';
import type { SideTables } from '../tables/auxiliary-tables.ts';
import { refuseFaults } from '../errors/store-error.ts';
import type { View } from '../tables/view.ts';

/** What came of looking at some entries. */
export interface Verified {
  readonly checked: number;
  readonly altered: readonly string[];
  readonly unreadable: readonly string[];
}

interface Parts {
  /** As it is when the rows are asked for. */
  readonly view: () => View;
  readonly fresh: Fresh;
  readonly sides: SideTables;
}

const COLUMNS = ['id', 'content', 'search_text', 'content_hash'];

/** Reads entries from the disk, past what is kept in memory, and compares each with the checksum of what was saved. */
export class Verification {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks at these entries; at those that are in the journal alone, which has checksums of its own, as they are in memory. */
  async entries(ids: readonly string[]): Promise<Verified> {
    const wanted = ids.filter((id) => this.#parts.fresh.get(id) === undefined);
    const unreadable: string[] = [];
    const view = this.#parts.view();
    const rows = await view.during(() => readRows(view, wanted, unreadable));
    const found = new Map(rows.map((row) => [textOf(row, 'id'), row]));
    const asked = new Set(wanted);
    // A row that nobody asked for has a wrong byte in its id: it is one of those that were not found.
    const isStrange = [...found.keys()].some((id) => !asked.has(id));
    const nameless = isStrange ? wanted.filter((id) => !found.has(id) && !unreadable.includes(id)) : [];
    const altered = [...wanted.filter((id) => found.has(id) && !isAsSaved(found.get(id)!)), ...nameless];
    const fresh = ids.flatMap((id) => this.#parts.fresh.get(id)?.entry ?? []);
    for (const { id, content, contentHash: saved } of fresh) if (contentHash(content) !== saved) altered.push(id);
    return { checked: rows.length + unreadable.length + fresh.length, altered, unreadable };
  }

  /** Looks at all of the archive; undefined where that cannot be read. */
  async archive(): Promise<Verified | undefined> {
    const archived = await this.#parts.sides.archive.all().catch(refuseOthers);
    if (archived === undefined) return undefined;
    const altered = archived.flatMap(({ entry }) => (contentHash(entry.content) === entry.contentHash ? [] : [entry.id]));
    return { checked: archived.length, altered, unreadable: [] };
  }
}

const isAsSaved = (row: RawRow): boolean => contentHash(textOf(row, 'content')) === textOf(row, 'content_hash');

/** Throws what says nothing of the data: a fault of the system may be over the next time. */
function refuseOthers(error: unknown): undefined {
  if (!(error instanceof LoreError) || error.code !== 'internal') throw error;
  refuseFaults('read entries')(error.cause);
}

/** The rows that can be read. Where not all can, half by half; the ids of the others go into `unreadable`. */
async function readRows(view: View, ids: readonly string[], unreadable: string[]): Promise<RawRow[]> {
  try {
    return await view.rows(ids, COLUMNS);
  } catch (error) {
    refuseOthers(error);
    if (ids.length === 1) {
      unreadable.push(...ids);
      return [];
    }
    const middle = Math.ceil(ids.length / 2);
    return [...(await readRows(view, ids.slice(0, middle), unreadable)), ...(await readRows(view, ids.slice(middle), unreadable))];
  }
}
