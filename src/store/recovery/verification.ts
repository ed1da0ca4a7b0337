import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LoreError } from '../../memory/errors.ts';
import type { VerifiedFiles, WrongFile } from '../../memory/operations/verification.ts';
import { contentHash } from '../format/content-hash.ts';
import type { Memtables } from '../memtable/memtable.ts';
import { fragmentsOf, type Fragment } from '../format/manifest-text.ts';
import { textOf, type RawRow } from '../format/rows.ts';
import type { AuxiliaryTables } from '../tables/auxiliary-tables.ts';
import { refuseFaults } from '../errors/store-error.ts';
import type { FileSums, SummedFile } from '../tables/file-sums.ts';
import type { View } from '../tables/view.ts';
import { hasExpectedSum, kindOf, pathInStore } from './file-check.ts';

/** The result of verifying entries. */
export interface Verified {
  readonly checked: number;
  readonly altered: readonly string[];
  readonly unreadable: readonly string[];
}

/** The result of verifying files, with all entries of an altered one. */
export type CheckedFiles = Omit<VerifiedFiles, 'withoutChecksum'>;

interface Parts {
  /** Location of the tables, and the checksums of their files, if they are in a folder. */
  readonly tables: { readonly uri: string; readonly sums?: FileSums };
  /** Returns the current view when rows are requested. */
  readonly database: { readonly view: View };
  readonly memtables: Memtables;
  readonly auxiliary: AuxiliaryTables;
  /** Replaces all indexes with empty ones, which are filled in the background. */
  readonly renewIndexes: () => Promise<void>;
}

const COLUMNS = ['id', 'content', 'search_text', 'content_hash'];

/** Reads entries from the disk, bypassing caches, and compares each with the checksum of its saved content. */
export class Verification {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Verifies these entries. Those only in the log, which has its own checksums, are verified in memory. */
  async entries(ids: readonly string[]): Promise<Verified> {
    const wanted = ids.filter((id) => this.#parts.memtables.get(id) === undefined);
    const unreadable: string[] = [];
    const view = this.#parts.database.view;
    const rows = await view.during(() => readRows(view, wanted, unreadable));
    const found = new Map(rows.map((row) => [textOf(row, 'id'), row]));
    const asked = new Set(wanted);
    // A row that was not requested has a wrong byte in its id: it is one of those not found.
    const isStrange = [...found.keys()].some((id) => !asked.has(id));
    const nameless = isStrange ? wanted.filter((id) => !found.has(id) && !unreadable.includes(id)) : [];
    const misread = wanted.filter((id) => {
      const row = found.get(id);
      return row !== undefined && !isAsSaved(row);
    });
    const altered = [...misread, ...nameless];
    const fresh = ids.flatMap((id) => this.#parts.memtables.get(id)?.entry ?? []);
    for (const { id, content, contentHash: saved } of fresh) if (contentHash(content) !== saved) altered.push(id);
    return { checked: rows.length + unreadable.length + fresh.length, altered, unreadable };
  }

  /** Verifies the whole archive; undefined if it cannot be read. */
  async archive(): Promise<Verified | undefined> {
    const archived = await this.#parts.auxiliary.archive.all().catch(refuseOthers);
    if (archived === undefined) return undefined;
    const altered = archived.flatMap(({ entry }) => (contentHash(entry.content) === entry.contentHash ? [] : [entry.id]));
    return { checked: archived.length, altered, unreadable: [] };
  }

  /** The table files in use; undefined if they are not in a local folder. */
  async filesInUse(): Promise<SummedFile[] | undefined> {
    return await this.#parts.tables.sums?.inUse();
  }

  /** Compares these files with their checksums, except files without one. Awaits `pause` after each. */
  async files(files: readonly SummedFile[], pause: () => Promise<void>): Promise<CheckedFiles> {
    const { uri, sums } = this.#parts.tables;
    const wrong: WrongFile[] = [];
    let checked = 0;
    for (const summed of files) {
      const { table, file, sum } = summed;
      if (sum === undefined || sums?.isNow(summed) !== true) continue;
      checked += 1;
      // The file may have gone out of use while it was read.
      if (!(await hasExpectedSum(uri, { table, file, sum })) && sums.isNow(summed)) {
        wrong.push({ path: pathInStore(summed), table, kind: kindOf(summed), entries: await this.#entriesIn(summed) });
      }
      await pause();
    }
    return { checked, wrong };
  }

  /** Rebuilds all indexes in the background, after one was found altered. Rejects with `unavailable` while the store closes. */
  renewIndexes(): Promise<void> {
    return this.#parts.renewIndexes();
  }

  /** Adds missing checksums, except for files with these entries; all other entries were as saved. */
  async prove(but: readonly string[]): Promise<void> {
    const { sums } = this.#parts.tables;
    const { parts } = this.#parts.database.view;
    const doubtful = new Set<string>();
    for (const part of parts) {
      const fragments = new Set(but.map((id) => part.fragmentOf(id)));
      for (const { id, files } of this.#fragmentsOf(part.name)) {
        if (fragments.has(id)) for (const file of files) doubtful.add(pathInStore({ table: part.name, file }));
      }
    }
    await sums?.prove({ but: doubtful });
  }

  async #entriesIn({ table, file }: Pick<SummedFile, 'table' | 'file'>): Promise<string[]> {
    const fragment = this.#fragmentsOf(table).find(({ files, deletions }) => files.includes(file) || deletions?.file === file)?.id;
    if (fragment === undefined) return [];
    const { database, auxiliary } = this.#parts;
    if (table === auxiliary.archive.shape.name) return await auxiliary.archive.keysIn(fragment);
    return database.view.parts.find(({ name }) => name === table)?.idsIn(fragment) ?? [];
  }

  /** From the last version with checksums; undefined if that is unknown. */
  #fragmentsOf(table: string): Fragment[] {
    const { uri, sums } = this.#parts.tables;
    try {
      const manifest = sums?.manifestOf(table);
      return manifest === undefined ? [] : fragmentsOf(readFileSync(path.join(uri, pathInStore({ table, file: manifest }))));
    } catch {
      return [];
    }
  }
}

const isAsSaved = (row: RawRow): boolean => contentHash(textOf(row, 'content')) === textOf(row, 'content_hash');

/** Rethrows errors that say nothing about the data: a system error may be temporary. */
function refuseOthers(error: unknown): undefined {
  if (!(error instanceof LoreError) || error.code !== 'internal') throw error;
  refuseFaults('read entries')(error.cause);
}

/** The readable rows. If some are unreadable, reads in halves; their ids go into `unreadable`. */
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
