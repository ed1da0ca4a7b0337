import { Clock } from '../memory/clock.ts';
import { MAX_TAGS, type Entry } from '../memory/entry.ts';
import { entryNotFound, LoreError } from '../memory/errors.ts';
import { tokenize } from '../memory/tokens.ts';
import type { Directory } from './directory.ts';
import type { JournalRecord } from './journal-record.ts';
import type { EntryRow, StoredRow } from './rows.ts';
import { Writer } from './writer.ts';

/** What became of one row that was to be stored. */
export interface InsertResult {
  readonly status: 'stored' | 'duplicate';
  readonly entry: Entry;
}

interface Insert {
  readonly kind: 'insert';
  readonly row: EntryRow;
  result?: InsertResult;
  fault?: Error;
}
interface Update {
  readonly kind: 'update';
  readonly id: string;
  readonly change: (row: EntryRow) => EntryRow;
  entry?: Entry;
  fault?: Error;
}
interface Removal {
  readonly kind: 'remove';
  readonly id: string;
  fault?: Error;
}
type Change = Insert | Update | Removal;

interface Parts {
  readonly directory: Directory;
  /** Whole rows as they stand, for those of these ids that are there. */
  readonly readRows: (ids: readonly string[]) => Promise<Map<string, EntryRow>>;
  /** Waits while too much is on its way to the table. */
  readonly whenRoom: () => Promise<void>;
  /** Makes records safe; rejects where it cannot, and then nothing of them may be seen. */
  readonly append: (records: readonly JournalRecord[]) => Promise<void>;
  /** Makes a record that is safe seen. */
  readonly apply: (record: JournalRecord) => void;
  /** Told after every commit. */
  readonly onChange: () => void;
}

/** Every change of the store: decided one after the other, made safe together, seen at once by every read that follows. */
export class Changes {
  readonly #parts: Parts;
  readonly #clock: Clock;
  readonly #writer = new Writer<Change>((changes) => this.#commit(changes));

  /** Versions given out are higher than `after`. */
  constructor(parts: Parts, after: number) {
    this.#parts = parts;
    this.#clock = new Clock(after);
  }

  async insert(row: EntryRow): Promise<InsertResult> {
    const change: Insert = { kind: 'insert', row };
    await this.#submit(change);
    return change.result as InsertResult;
  }

  async update(id: string, change: (row: EntryRow) => EntryRow): Promise<Entry> {
    const update: Update = { kind: 'update', id, change };
    await this.#submit(update);
    return update.entry as Entry;
  }

  async remove(id: string): Promise<void> {
    await this.#submit({ kind: 'remove', id });
  }

  /** Runs between commits: nothing is written meanwhile. */
  exclusive(run: () => Promise<void> | void): Promise<void> {
    return this.#writer.exclusive(run);
  }

  /** Finishes the changes that were accepted and refuses new ones. */
  close(): Promise<void> {
    return this.#writer.close();
  }

  async #submit(change: Change): Promise<void> {
    await this.#parts.whenRoom();
    await this.#writer.submit(change);
    if (change.fault !== undefined) throw change.fault;
  }

  async #commit(changes: readonly Change[]): Promise<void> {
    const { directory } = this.#parts;
    const stage = new Stage(directory, await this.#parts.readRows(changes.flatMap((change) => idNeeded(change, directory))));
    for (const change of changes) {
      try {
        decide(change, stage);
      } catch (error) {
        change.fault = error instanceof Error ? error : new Error(String(error));
      }
    }
    const records = stage.records(this.#clock.now());
    if (records.length === 0) return;
    await this.#parts.append(records);
    // In the turn in which they became safe: a generation that is sealed in between would be dropped with its journal and without them.
    for (const record of records) this.#parts.apply(record);
    this.#parts.onChange();
  }
}

/** The row that must be read before a change can be decided. */
function idNeeded(change: Change, directory: Directory): string[] {
  if (change.kind === 'remove') return [];
  if (change.kind === 'update') return [change.id];
  const twin = directory.same(change.row.entry);
  return twin === undefined ? [] : [twin];
}

/** The store as it will be once the changes of a commit that were decided so far are made. */
class Stage {
  readonly #directory: Directory;
  readonly #read: ReadonlyMap<string, EntryRow>;
  /** Undefined for what is removed. */
  readonly #changed = new Map<string, EntryRow | undefined>();
  readonly #byContent = new Map<string, string>();

  constructor(directory: Directory, read: ReadonlyMap<string, EntryRow>) {
    this.#directory = directory;
    this.#read = read;
  }

  has(id: string): boolean {
    return this.#changed.has(id) ? this.#changed.get(id) !== undefined : this.#directory.get(id) !== undefined;
  }

  row(id: string): EntryRow | undefined {
    return this.#changed.has(id) ? this.#changed.get(id) : this.#directory.get(id) && this.#read.get(id);
  }

  /** The entry with exactly this content in the same place. */
  same(entry: Entry): string | undefined {
    const staged = this.#byContent.get(contentKey(entry));
    const stagedEntry = staged === undefined ? undefined : this.#changed.get(staged)?.entry;
    if (stagedEntry !== undefined && contentKey(stagedEntry) === contentKey(entry)) return staged;
    const known = this.#directory.same(entry);
    return known === undefined || this.#changed.has(known) ? undefined : known;
  }

  put(row: EntryRow): void {
    this.#changed.set(row.entry.id, row);
    this.#byContent.set(contentKey(row.entry), row.entry.id);
  }

  remove(id: string): void {
    this.#changed.set(id, undefined);
  }

  records(writtenAt: number): JournalRecord[] {
    return [...this.#changed].flatMap(([id, row]): JournalRecord[] => {
      if (row !== undefined) return [{ op: 'put', row: { ...row, writtenAt } satisfies StoredRow }];
      return this.#directory.get(id) === undefined ? [] : [{ op: 'remove', id, writtenAt }];
    });
  }
}

const contentKey = ({ contentHash, namespace, container }: Entry): string => JSON.stringify([contentHash, namespace, container]);

function decide(change: Change, stage: Stage): void {
  switch (change.kind) {
    case 'insert':
      return decideInsert(change, stage);
    case 'update':
      return decideUpdate(change, stage);
    case 'remove':
      if (stage.has(change.id)) stage.remove(change.id);
      else change.fault = entryNotFound(change.id);
  }
}

function decideInsert(change: Insert, stage: Stage): void {
  const { entry } = change.row;
  const twin = stage.same(entry);
  if (twin === undefined) {
    if (stage.has(entry.id)) change.fault = idTaken(entry.id);
    else {
      stage.put(change.row);
      change.result = { status: 'stored', entry };
    }
    return;
  }
  const present = stage.row(twin);
  if (present === undefined) {
    change.fault = new LoreError('internal', `The entry ${twin} could not be read.`);
    return;
  }
  const merged = withTags(present, entry.tags);
  // Writes only where a duplicate brings a tag that is not there.
  if (merged !== present) stage.put(merged);
  change.result = { status: 'duplicate', entry: merged.entry };
}

function decideUpdate(update: Update, stage: Stage): void {
  const row = stage.row(update.id);
  if (row === undefined) {
    update.fault = entryNotFound(update.id);
    return;
  }
  const next = update.change(row);
  const twin = stage.same(next.entry);
  if (twin !== undefined && twin !== update.id) {
    update.fault = new LoreError('invalid_input', `The entry ${twin} already holds exactly this content.`, {
      hint: 'Forget one of the two, or change the text.',
    });
    return;
  }
  if (next !== row) stage.put(next);
  update.entry = next.entry;
}

function idTaken(id: string): LoreError {
  return new LoreError('invalid_input', `The id ${id} belongs to another entry with other content.`);
}

/** The row with the tags it lacks, as far as an entry may have tags. */
function withTags(row: EntryRow, tags: readonly string[]): EntryRow {
  const missing = [...new Set(tags)].filter((tag) => !row.entry.tags.includes(tag)).slice(0, MAX_TAGS - row.entry.tags.length);
  if (missing.length === 0) return row;
  const searchText = [row.searchText, ...missing.flatMap((tag) => tokenize(tag))].join(' ').trim();
  return { ...row, searchText, entry: { ...row.entry, tags: [...row.entry.tags, ...missing] } };
}
