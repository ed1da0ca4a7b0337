import { randomUUID } from 'node:crypto';
import type { Entry } from '../../memory/entry.ts';
import type { ArchivedEntry } from '../../memory/lifecycle.ts';
import { contentHash } from '../format/content-hash.ts';
import { textOf, type RawRow, type StoredRow } from '../format/rows.ts';
import { parseAuxiliary, type Copies, type EntryCopy, type AuxiliaryCopy, type LostRows, type LostEntry } from './entry-copies.ts';
import type { RestoredEntry, StoreDamage } from './repair.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const ARCHIVE = 'archive';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

interface Doubt {
  readonly entry: Entry;
  readonly writtenAt: number;
  /** Whether its content differs from the saved one. */
  readonly isAltered: boolean;
  /** Of its vectors. */
  readonly embedder: string | undefined;
}

/** Collects damaged rows, their copies, and wanted copies. */
export class SalvageNotes {
  /** Entries whose vectors or search text are computed again. */
  remade = 0;
  readonly #copies: Copies;
  readonly #logged: ReadonlyMap<string, boolean>;
  readonly #altered = new Set<string>();
  readonly #lost = new Set<string>();
  readonly #doubtful = new Set<string>();
  readonly #restored = new Map<string, RestoredEntry>();
  readonly #wanted = new Map<string, LostEntry>();
  /** Replaces an invalid id. */
  readonly #newIds = new Map<string, string>();
  readonly #auxiliary = new Map<string, Map<string, (row: RawRow) => boolean>>();

  /** `journal`: see `pendingInLog`. */
  constructor(copies: Copies, logged: ReadonlyMap<string, boolean>) {
    this.#copies = copies;
    this.#logged = logged;
  }

  get found(): Pick<StoreDamage, 'altered' | 'lost' | 'doubtful' | 'restored' | 'remade'> & { readonly wanted: LostRows } {
    return {
      altered: [...this.#altered],
      lost: [...this.#lost],
      doubtful: [...this.#doubtful],
      restored: [...this.#restored.values()],
      remade: this.remade,
      wanted: { entries: this.#wanted, auxiliary: this.#auxiliary },
    };
  }

  /** Handles an altered row, or one from an altered file: returns its replacement, or undefined to keep it. */
  doubt({ entry, writtenAt, isAltered, embedder }: Doubt): StoredRow | undefined {
    const { id } = entry;
    if (this.#isInJournal(id)) return undefined;
    this.#wanted.set(id, { hashes: [...new Set([entry.contentHash, contentHash(entry.content)])], writtenAt });
    const copy = this.#copies.entries.get(id);
    if (copy?.isExact === true) {
      const { row } = this.#restore(id, copy);
      return embedder === undefined || row.vectors?.embedder === embedder ? row : { ...row, vectors: undefined };
    }
    if (!isAltered) this.#doubtful.add(this.idFor(id));
    else if (copy === undefined) this.#altered.add(this.idFor(id));
    if (!isAltered || copy === undefined) return undefined;
    const { content, contentHash: hash, summary } = this.#restore(id, copy).row.entry;
    // Only its content is verified; other fields of the row may be newer.
    const { vectors } = copy.row;
    const whole = { ...entry, id: this.idFor(id), content, contentHash: hash, ...withoutUndefined({ summary }) };
    return { entry: whole, searchText: '', vectors: vectors?.embedder === embedder ? vectors : undefined, writtenAt };
  }

  /** The id, or a new one if it is not a valid id. */
  idFor(id: string): string {
    if (UUID.test(id)) return id;
    const made = this.#newIds.get(id) ?? randomUUID();
    this.#newIds.set(id, made);
    return made;
  }

  /** Handles an unreadable row: returns a copy, or undefined if there is none or the log has it. */
  lost(id: string, wanted: LostEntry): StoredRow | undefined {
    if (this.#isInJournal(id)) return undefined;
    this.#wanted.set(id, wanted);
    const copy = this.#copies.entries.get(id);
    if (copy?.way === 'backup') return this.#restore(id, copy).row;
    this.#lost.add(id);
    return undefined;
  }

  /** Handles an auxiliary row: returns the row to keep, or undefined. */
  side(table: string, { row, isWrong }: { readonly row: RawRow; readonly isWrong: boolean }): RawRow | undefined {
    const key = textOf(row, 'key');
    const value = parseAuxiliary(row['body']);
    const archived = table === ARCHIVE ? (value as ArchivedEntry | undefined)?.entry : undefined;
    const isAltered = archived !== undefined && contentHash(archived.content) !== archived.contentHash;
    if (value !== undefined && !isAltered) {
      if (isWrong && archived !== undefined) this.#doubtful.add(archived.id);
      return row;
    }
    const rows = this.#auxiliary.get(table) ?? new Map<string, (copy: RawRow) => boolean>();
    this.#auxiliary.set(table, rows);
    rows.set(key, (copy) => isAsGood(copy, archived));
    const copy: AuxiliaryCopy | undefined = this.#copies.auxiliary.get(table)?.get(key);
    if (copy === undefined && isAltered) this.#altered.add(key);
    if (copy !== undefined && table === ARCHIVE) this.#restored.set(key, { id: key, way: 'backup', from: copy.from });
    return copy?.row ?? (isAltered ? row : undefined);
  }

  #restore(id: string, copy: EntryCopy): EntryCopy {
    this.#restored.set(id, { id: copy.row.entry.id, way: copy.way, ...withoutUndefined({ from: copy.from }) });
    return copy;
  }

  /** Whether the next start reads the entry from the log, or removes it. */
  #isInJournal(id: string): boolean {
    const isKept = this.#logged.get(id);
    if (isKept === true) this.#restored.set(id, { id, way: 'journal' });
    return isKept !== undefined;
  }
}

/** Whether a row is readable; for the archive, with the same saved content as this entry. */
function isAsGood(copy: RawRow, archived: Entry | undefined): boolean {
  const value = parseAuxiliary(copy['body']);
  if (archived === undefined || value === undefined) return value !== undefined;
  const { content, contentHash: hash } = (value as ArchivedEntry).entry;
  return contentHash(content) === hash && [archived.contentHash, contentHash(archived.content)].includes(hash);
}
