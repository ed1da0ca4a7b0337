import { LoreError } from '../memory/errors.ts';
import type { Log } from '../memory/log.ts';
import type { Database } from './database.ts';
import {
  buildVectorIndex,
  distrustVectorIndex,
  dropVectorIndex,
  hasIndex,
  isVectorIndexDistrusted,
  trustVectorIndex,
  type VectorIndexPlan,
} from './indexes.ts';

/** Fragments from which a quiet moment is used to merge them: each one costs every query 0.15 to 0.3 ms. */
const SOFT_FRAGMENTS = 16;
/**
 * Fragments from which they are merged under load too: where what they cost the queries outweighs a merge, which costs more the more rows
 * there are.
 */
const hardFragments = (rows: number): number => Math.min(200, Math.round(32 + Math.sqrt(rows) / 2));
/** Fresh rows from which a quiet moment is used to index them. */
const SOFT_ROWS = 1000;
const QUIET_MS = 400;
/** Old versions are kept this long for the reads that still use them. */
const KEEP_VERSIONS_MS = 15_000;
/** After the last merge its predecessor's files are removed once nobody can be reading them. */
const TIDY_AFTER_MS = 30_000;
/** LanceDB leaks file descriptors with every optimize until the connection is closed. */
const REOPEN_AFTER_RUNS = 50;
const RETRY_MS = 5000;

interface Parts {
  readonly database: Database;
  /** Runs between commits, while nothing is written. */
  readonly exclusive: (run: () => Promise<void>) => Promise<void>;
  readonly log: Log;
}

/**
 * Keeps the table fast behind the requests: merges fragments, folds fresh rows into the indexes, grows the vector index, removes old
 * versions. Runs by how much was written, never on a timer of its own and never on the way of a request.
 */
export class Maintenance {
  readonly #database: Database;
  readonly #exclusive: Parts['exclusive'];
  readonly #log: Log;
  #plan: VectorIndexPlan | undefined;
  #vectorIndexReady = false;
  #rows = 0;
  #fragments = 0;
  #freshRows = 0;
  #runs = 0;
  #failures = 0;
  #doing: string | undefined;
  #running: Promise<void> | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #tidy: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({ database, exclusive, log }: Parts) {
    this.#database = database;
    this.#exclusive = exclusive;
    this.#log = log;
  }

  /** `idle`, or what is running or about to. */
  get state(): string {
    if (this.#doing !== undefined) return this.#doing;
    return this.#due() ? 'optimizing' : 'idle';
  }

  /** How often in a row the last runs have failed. */
  get failures(): number {
    return this.#failures;
  }

  /** Whether a search may use the vector index of the current plan. */
  get vectorIndex(): VectorIndexPlan | undefined {
    return this.#vectorIndexReady ? this.#plan : undefined;
  }

  /** Names the vector index to keep from now on, and looks at the table as it was found. */
  async begin(plan: VectorIndexPlan): Promise<void> {
    this.#plan = plan;
    if (isVectorIndexDistrusted(this.#database.path)) {
      await dropVectorIndex(this.#database.entries, plan.column);
      trustVectorIndex(this.#database.path);
    }
    const { fragmentStats, numRows } = await this.#database.entries.stats();
    this.#rows = numRows;
    this.#fragments = fragmentStats.numFragments;
    this.#vectorIndexReady = await hasIndex(this.#database.entries, plan.column);
    const words = await this.#database.entries.indexStats('search_text_idx');
    this.#freshRows = words?.numUnindexedRows ?? 0;
    if (!this.#vectorIndexReady && numRows >= plan.fromRows) this.#freshRows = Math.max(this.#freshRows, SOFT_ROWS);
    this.#schedule();
  }

  /** Told after every commit. */
  noteCommit({ rows }: { rows: number }): void {
    this.#rows += rows;
    this.#fragments += 1;
    this.#freshRows += rows;
    this.#schedule();
  }

  /** Merges and indexes now. Rejects where that fails. */
  async runNow(): Promise<void> {
    await this.#running;
    const failures = this.#failures;
    this.#start();
    await this.#running;
    if (this.#failures > failures) throw new LoreError('unavailable', 'The store could not be optimized; the log says why.');
  }

  /** Waits for what is running, and starts nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#quiet);
    clearTimeout(this.#tidy);
    await this.#running;
  }

  #due(): boolean {
    return this.#fragments >= SOFT_FRAGMENTS || this.#freshRows >= SOFT_ROWS;
  }

  #schedule(): void {
    if (this.#closed || this.#running !== undefined || !this.#due()) return;
    clearTimeout(this.#quiet);
    const wait = this.#failures > 0 ? RETRY_MS * this.#failures : this.#fragments >= hardFragments(this.#rows) ? 0 : QUIET_MS;
    this.#quiet = setTimeout(() => this.#start(), wait).unref();
  }

  #start(): void {
    if (this.#running !== undefined || this.#closed) return;
    clearTimeout(this.#quiet);
    clearTimeout(this.#tidy);
    this.#running = this.#run()
      .then((merged) => {
        this.#failures = 0;
        // What a merge replaced can only be removed once nobody reads it, so another run follows when all is quiet.
        if (merged && !this.#closed) this.#tidy = setTimeout(() => this.#start(), TIDY_AFTER_MS).unref();
      })
      .catch((error: unknown) => {
        this.#failures += 1;
        this.#log.warn({ error: String(error), failures: this.#failures }, 'maintenance failed; it will be tried again');
      })
      .finally(() => {
        this.#doing = undefined;
        this.#running = undefined;
        this.#schedule();
      });
  }

  /** Whether there were fragments to merge. */
  async #run(): Promise<boolean> {
    const started = performance.now();
    const plan = this.#plan;
    this.#doing = 'optimizing';
    const [fragments, freshRows] = [this.#fragments, this.#freshRows];
    // An IVF_RQ index loses recall when optimize merges it: it is built again afterwards, and searches are exact meanwhile.
    if (plan?.kind === 'ivf_rq' && this.#vectorIndexReady) {
      this.#vectorIndexReady = false;
      distrustVectorIndex(this.#database.path);
    }
    const merged = await this.#merge();
    this.#fragments = Math.max(0, this.#fragments - fragments);
    this.#freshRows = Math.max(0, this.#freshRows - freshRows);
    await this.#growVectorIndex();
    this.#runs += 1;
    if (this.#runs % REOPEN_AFTER_RUNS === 0) await this.#database.reopen();
    this.#log.debug({ fragments, freshRows, ms: Math.round(performance.now() - started) }, 'optimized');
    return merged;
  }

  /**
   * Merges while the writers wait (about 0.1 to 0.5 s up to 10,000 rows). Beside them LanceDB gives up its merge as soon as a deletion is
   * committed, and under load takes so long that more fragments come than go.
   */
  async #merge(): Promise<boolean> {
    let merged = false;
    await this.#exclusive(async () => {
      const { compaction } = await this.#database.entries.optimize({ cleanupOlderThan: new Date(Date.now() - KEEP_VERSIONS_MS) });
      merged = compaction.fragmentsRemoved > 0;
    });
    return merged;
  }

  async #growVectorIndex(): Promise<void> {
    const plan = this.#plan;
    if (plan === undefined || this.#vectorIndexReady) return;
    if ((await this.#database.entries.countRows(`${plan.column} IS NOT NULL`)) < plan.fromRows) return;
    this.#doing = 'indexing vectors';
    await buildVectorIndex(this.#database.entries, plan);
    trustVectorIndex(this.#database.path);
    this.#vectorIndexReady = true;
  }
}
