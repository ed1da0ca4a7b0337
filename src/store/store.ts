import type { RecordBatch } from 'apache-arrow';
import type { EntryFilter } from '../memory/entry.ts';
import type { Usage } from '../memory/lifecycle.ts';
import type { Diagnosis, DiagnoseRequest } from '../memory/operations.ts';
import { noTelemetry, type Telemetry } from '../memory/telemetry.ts';
import type { Vocabulary } from '../memory/word-statistics.ts';
import { UpkeepRuns } from '../memory/upkeep.ts';
import { Copies, dropStaging } from './backup.ts';
import { clearBegunStore, makeStoreFolder } from './creation.ts';
import { brokenIndexText, Database } from './database.ts';
import { diagnose } from './diagnosis.ts';
import { Directory } from './directory.ts';
import { KNOWN_COLUMNS, KnownReader, type Known } from './known.ts';
import { Entries } from './entries.ts';
import type { EntryChange } from './entry-changes.ts';
import { Figures } from './figures.ts';
import { besideStore, upgradeFormat, type BackupPlace } from './format-steps.ts';
import { Fresh } from './fresh-rows.ts';
import { HeadKeeper, loadHead, readHead } from './head.ts';
import { IndexGuard } from './index-guard.ts';
import { Journal } from './journal.ts';
import type { AnswerLimits } from './known-answers.ts';
import { versionsOf } from './journal-record.ts';
import { watchStore } from './levels.ts';
import { Lexicon } from './lexicon.ts';
import { StoreLock } from './lock.ts';
import { Maintenance } from './maintenance.ts';
import { NamedEntities } from './named-entities.ts';
import { Quarantine, type Damage } from './quarantine.ts';
import { isWritable } from './readiness.ts';
import { dropBallast, Reserve } from './reserve.ts';
import { searchKeywords, searchVectors, type Hit, type Sources, type VectorSearch } from './search.ts';
import { SideTables } from './side-tables.ts';
import { Spaces, type SpaceSettings, type VectorSpace } from './spaces.ts';
import { isDiskFull } from './store-error.ts';
import { syncFolder } from './sync.ts';
import { Verification } from './verification.ts';
import { countWords, readLexicon, UNREADABLE_ROWS, Words, writeLexicon } from './words.ts';

export interface StoreSettings extends SpaceSettings {
  /** Where a store of an older format is copied to before it is brought to this one; default beside the store. */
  readonly backups?: BackupPlace;
  /** Space that is held for the day on which the disk is full, bytes; default none. */
  readonly reserveBytes?: number;
  /** How long answers to requests with a key are kept; default a day. */
  readonly answers?: AnswerLimits;
  /** Told what the store does, and asked for nothing; default nobody. */
  readonly telemetry?: Telemetry;
}

const DEFAULT_PROBES = 100;

/** Everything that is kept, in one folder, open in one process. */
export class Store {
  readonly entries: Entries;
  readonly figures: Figures;
  readonly copies: Copies;
  /** Which entries name what. */
  readonly named: NamedEntities;
  readonly #settings: StoreSettings;
  readonly #quarantine: Quarantine;
  readonly #telemetry: Telemetry;
  readonly #lock: StoreLock;
  readonly #database: Database;
  readonly #directory = new Directory();
  readonly #fresh = new Fresh();
  readonly #journal: Journal;
  readonly sides: SideTables;
  /** Whether what is on the disk is what was saved. */
  readonly verification: Verification;
  /** What was done to the store, by whomever. */
  readonly upkeep = new UpkeepRuns();
  /** Which vectors are searched. */
  readonly spaces: Spaces;
  #tableWords: Lexicon;
  #words: Words;
  readonly #maintenance: Maintenance;
  readonly #guard: IndexGuard;
  readonly #reserve: Reserve;
  #counting: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #follower: (changes: readonly EntryChange[]) => void = () => undefined;

  private constructor({ settings, space, lock, database, journal, sides, known, newestVersion, quarantine }: Opened) {
    this.#settings = settings;
    this.#reserve = new Reserve({ path: settings.path, bytes: settings.reserveBytes ?? 0, log: settings.log });
    this.#quarantine = quarantine;
    const telemetry = (this.#telemetry = settings.telemetry ?? noTelemetry);
    this.#lock = lock;
    this.#database = database;
    this.#journal = journal;
    this.sides = sides;
    this.#directory.load(known);
    this.figures = new Figures({ database, directory: this.#directory, fresh: this.#fresh });
    this.named = new NamedEntities({ database, fresh: this.#fresh });
    this.#tableWords = new Lexicon();
    this.#words = new Words(this.#tableWords, this.#fresh);
    this.#maintenance = new Maintenance({
      database,
      fresh: this.#fresh,
      journal,
      sides,
      onAdopt: (generation) => this.spaces.take(generation),
      onRenewed: (columns) => this.#quarantine.note({ message: brokenIndexText(columns), mayLose: false }),
      words: () => this.#tableWords,
      whenCounted: () => this.#counting,
      rows: () => this.#directory.size,
      exclusive: (run) => this.entries.exclusive(run),
      onFailure: (error) => this.#reserve.noteFailure(error),
      log: settings.log,
      upkeep: this.upkeep,
      telemetry,
    });
    this.entries = new Entries({
      database,
      directory: this.#directory,
      fresh: this.#fresh,
      journal,
      sides,
      newestVersion,
      telemetry,
      reserve: this.#reserve,
      whenRoom: () => this.#maintenance.whenRoom(),
      onChange: (changes) => {
        this.#maintenance.noteChange();
        if (changes.length > 0) this.#follower(changes);
      },
    });
    this.verification = new Verification({ snapshot: () => database.snapshot, fresh: this.#fresh, sides });
    const { entries } = this;
    const maintenance = this.#maintenance;
    this.#guard = new IndexGuard(() => maintenance.renewIndexes());
    this.spaces = new Spaces({ settings, database, directory: this.#directory, fresh: this.#fresh, entries, maintenance }, space);
    const exclusive = (run: () => void): Promise<void> => entries.exclusive(run);
    this.copies = new Copies({ path: settings.path, database, directory: this.#directory, maintenance, exclusive });
    watchStore(telemetry, { database, directory: this.#directory, fresh: this.#fresh, entries, figures: this.figures });
  }

  /**
   * Opens the store of a folder, creating it where nothing is there. Rejects with `filesystem` where another process has it open or it
   * cannot be read; then nothing was changed.
   */
  static async open(settings: StoreSettings, space: VectorSpace): Promise<Store> {
    try {
      return await Store.#openOnce(settings, space);
    } catch (error) {
      // Opening writes a little: what is held in reserve is for that too.
      if (!isDiskFull(error) || !dropBallast(settings.path)) throw error;
      return await Store.#openOnce(settings, space);
    }
  }

  static async #openOnce(settings: StoreSettings, space: VectorSpace): Promise<Store> {
    const grown = makeStoreFolder(settings.path);
    const lock = await StoreLock.acquire(settings.path);
    try {
      if (settings.durability === 'full') for (const folder of grown) await syncFolder(folder);
      return await Store.#openLocked(settings, lock, space);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  static async #openLocked(settings: StoreSettings, lock: StoreLock, space: VectorSpace): Promise<Store> {
    const { path, backups = besideStore(path), log } = settings;
    const synced = settings.durability === 'full';
    const quarantine = new Quarantine(path, log);
    const found = loadHead(path, quarantine);
    await dropStaging(path);
    await clearBegunStore({ path, head: found, quarantine });
    await upgradeFormat({ path, synced, place: backups, log });
    const known: Known[] = [];
    const reader = new KnownReader();
    const visit = (batch: RecordBatch): void => {
      for (const row of reader.read(batch)) known.push(row);
    };
    const head = new HeadKeeper(path, readHead(path), { synced });
    const place = { path, synced, head, quarantine };
    const database = await Database.open(place, { width: space.width, columns: KNOWN_COLUMNS, visit });
    let [sides, store]: [SideTables?, Store?] = [];
    try {
      sides = await SideTables.open({ ...place, answers: settings.answers });
      const { journal, records } = await Journal.open(settings.path, { synced, quarantine });
      const newestVersion = [...known, ...records.flatMap(versionsOf)].reduce((newest, { writtenAt }) => Math.max(newest, writtenAt), 0);
      store = new Store({ settings, space, lock, database, journal, sides, known, newestVersion, quarantine });
      for (const record of records) store.entries.apply(record);
      await store.entries.reconcile(records);
      store.#counting = store.#countWords();
      await store.spaces.serve(space);
      await store.spaces.dropUnusedColumns();
      await store.#reserve.begin();
      return store;
    } catch (error) {
      // What it has begun behind the requests must not go on in a folder that another process may open now.
      if (store !== undefined) {
        await store.#stopWork();
        store.#journal.close();
      }
      database.close();
      sides?.close();
      throw error;
    }
  }

  get path(): string {
    return this.#settings.path;
  }

  /** What was found damaged when it was opened, and since. */
  get damages(): readonly Damage[] {
    return this.#quarantine.damages;
  }

  get lock(): StoreLock {
    return this.#lock;
  }

  get directory(): Directory {
    return this.#directory;
  }

  /** How common each word is; exact from `whenCounted` on. */
  get words(): Vocabulary {
    return this.#words;
  }

  /** `idle`, or what is running behind the requests. */
  get maintenance(): string {
    return this.#maintenance.state;
  }

  /** Whether nothing can be saved for want of space on the disk. */
  get isDiskFull(): boolean {
    return this.#reserve.isFull;
  }

  get maintenanceFailures(): number {
    return this.#maintenance.failures;
  }

  /** Whether it would take a write now, as far as can be told without one. */
  async isWritable(): Promise<boolean> {
    if (this.#closing !== undefined) return false;
    return await isWritable({ path: this.path, journal: this.#journal, maintenance: this.#maintenance, reserve: this.#reserve });
  }

  /** Tells every commit that did something to entries, whoever asked for it, as soon as it is safe. One can follow. */
  tell(follower: (changes: readonly EntryChange[]) => void): void {
    this.#follower = follower;
  }

  whenCounted(): Promise<void> {
    return this.#counting;
  }

  /** Nearest entries within one space; scores are cosines. */
  async searchVectors(search: Pick<VectorSearch, 'vector' | 'fingerprint' | 'filter' | 'limit'>): Promise<Hit[]> {
    const embedders = this.#directory.embedders();
    if (!embedders.has(search.fingerprint)) return [];
    const columns = this.#database.columnsFor(search.vector.length);
    const wanted = (): VectorSearch => ({
      ...search,
      filter: this.#directory.simplify(search.filter),
      columns,
      // Rows without a vector are never found anyway, so one space needs no predicate.
      mixed: [...embedders.keys()].filter((other) => other !== '').length > 1,
      index: this.spaces.indexUse(columns.first),
      passages: this.#directory.longTexts > 0,
      cache: this.spaces.cacheOf(search.fingerprint),
    });
    return await this.#telemetry.timed('vector search', () => this.#guard.run(() => searchVectors(this.#sources(), wanted())));
  }

  /** How well the indexes agree with the rows; reads the whole table once. */
  async diagnose({ probes = DEFAULT_PROBES }: DiagnoseRequest): Promise<Diagnosis> {
    const { fingerprint, width } = this.spaces.current;
    const columns = this.#database.columnsFor(width);
    const { snapshot } = this.#database;
    const index = this.spaces.indexUse(columns.first);
    // That kind is built for every version anew.
    const builtAt = index?.kind === 'ivf_rq' ? snapshot.committedAt : this.#maintenance.indexBuiltAt;
    const parts = { snapshot, directory: this.#directory, fresh: this.#fresh, columns, fingerprint, index, builtAt };
    return await snapshot.during(() => diagnose(parts, probes));
  }

  /** Entries that hold any of the tokens, best first; scores are BM25. Up to `limit` of the table, and of the newest rows as many. */
  searchKeywords(search: { tokens: readonly string[]; filter: EntryFilter; limit: number }): Promise<Hit[]> {
    const wanted = { ...search, filter: this.#directory.simplify(search.filter), words: this.#words };
    return this.#telemetry.timed('keyword search', () => this.#guard.run(() => searchKeywords(this.#sources(), wanted)));
  }

  #sources(): Sources {
    // In this order: see `Fresh.generations`.
    const { generations } = this.#fresh;
    return { generations, snapshot: this.#database.snapshot };
  }

  /** Keeps how often entries were recalled, without a new version of any. */
  keepUsage(usage: readonly Usage[]): Promise<void> {
    return this.#maintenance.between(() => this.sides.keepUsage(usage));
  }

  /** Runs the work that otherwise waits for a quiet moment, and resolves when it is done. */
  optimize(): Promise<void> {
    return this.#maintenance.runNow();
  }

  /** For a short command that wrote much: does the work behind it, so that the next command need not. */
  leaveTidy(): Promise<void> {
    return this.#maintenance.runIfUrgent();
  }

  /** Finishes accepted writes and running maintenance, closes the tables, gives the lock back. Safe to repeat. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#stopWork();
    await this.#counting
      .then(() => writeLexicon(this.path, this.#database.snapshot.version, this.#tableWords))
      // What was not counted to its end, or could not be written, is counted at the next start.
      .catch(() => undefined);
    this.#journal.close();
    this.#database.close();
    this.sides.close();
    this.#lock.release();
  }

  /** Finishes what was accepted and what is under way, and begins nothing more. */
  async #stopWork(): Promise<void> {
    await this.#reserve.close();
    this.spaces.close();
    await this.#maintenance.close();
    await this.entries.close();
  }

  /** Also warms the search texts: they are read on the way, or soon asked for. */
  async #countWords(): Promise<void> {
    const kept = await readLexicon(this.path, this.#database.snapshot.version);
    if (kept !== undefined) {
      this.#tableWords = kept;
      this.#words = new Words(kept, this.#fresh);
      return;
    }
    const counted = countWords(this.#database.reader, { into: this.#tableWords, offer: (row) => this.entries.offerSearchText(row) });
    if (!(await counted)) this.#quarantine.note(UNREADABLE_ROWS);
  }
}

interface Opened {
  readonly settings: StoreSettings;
  readonly space: VectorSpace;
  readonly lock: StoreLock;
  readonly database: Database;
  readonly journal: Journal;
  readonly sides: SideTables;
  readonly known: readonly Known[];
  readonly newestVersion: number;
  readonly quarantine: Quarantine;
}
