import { LoreError } from '../../../memory/errors.ts';
import { endsWithin } from './deadline.ts';
import { follow, stateAtStart, type LogState } from './log-order.ts';
import { comparePositions, eventOf, type LogEvent, type LogPosition, type LogRow, type SharedCheckpoint } from './log-row.ts';
import { Segment, type SharedTables } from './segment.ts';
import { readMeta, type LogStart } from './shared-meta.ts';

/** A row of this server that is being written. */
interface OwnRow {
  readonly row: LogRow;
  readonly segment: Segment;
  landed: boolean;
  /** Whether it was abandoned. It may still be written, through a handle that is no longer read. */
  isLeft: boolean;
  /** Bytes that it records, once it is written. */
  bytes: number;
  /** Whether it was read, and its position if it counts. */
  verdict?: { readonly countsAt?: LogPosition | undefined };
}

interface TailSettings {
  readonly tables: SharedTables;
  /** How long a segment is kept after a checkpoint covers all of it, milliseconds. */
  readonly retainMs: number;
  readonly onEvent: (event: LogEvent) => void;
  /** Called for every row that is read, including void ones. */
  readonly onRow: (row: LogRow, counts: boolean) => void;
  /** Time to wait for a write before checking whether it can still count, milliseconds. */
  readonly patienceMs: () => number;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
}

/** The state of the log at the opening. */
export interface OpeningState {
  readonly checkpoint: SharedCheckpoint;
  readonly mark: LogPosition;
  /** All events after the mark except the checkpoint itself, in order. */
  readonly events: readonly LogEvent[];
}

/** A time by both clocks: one stops while the machine sleeps, and the other may be adjusted. */
interface Moment {
  readonly steady: number;
  readonly wall: number;
}

/** The end of the log: follows it across segments, reports events and appends rows. One read at a time. */
export class LogTail {
  readonly #tables: SharedTables;
  readonly #retainMs: number;
  readonly #now: () => Moment;
  #tell: (event: LogEvent) => void;
  readonly #onRow: TailSettings['onRow'];
  readonly #patienceMs: TailSettings['patienceMs'];
  #segment: Segment;
  #state: LogState;
  /** Bytes recorded by the rows of the segment read so far. */
  #bytes = 0;
  /** Start of the last read of other servers' rows. */
  #readAt: Moment;
  readonly #own = new Map<string, OwnRow>();
  /** Names of the tables of the segments that were read. */
  readonly #names: Map<number, string>;
  #turn: Promise<unknown> = Promise.resolve();
  #upcoming: Promise<readonly LogEvent[]> | undefined;
  #lost = false;

  private constructor({ tables, retainMs, onEvent, onRow, patienceMs, now }: TailSettings, segment: Segment) {
    this.#now = () => ({ steady: now(), wall: Date.now() });
    this.#tables = tables;
    this.#retainMs = retainMs;
    this.#tell = onEvent;
    this.#onRow = onRow;
    this.#patienceMs = patienceMs;
    this.#segment = segment;
    this.#state = stateAtStart(segment.number);
    this.#names = new Map([[segment.number, segment.name]]);
    this.#readAt = this.#now();
  }

  /** Reads the log from the segment with the mark of a checkpoint. Returns the events instead of reporting them. */
  static async open(settings: TailSettings, { segment: number, name }: LogStart): Promise<{ tail: LogTail; beginning: OpeningState }> {
    const first = await Segment.open(settings.tables, { number, name });
    let events: LogEvent[] = [];
    let last: { checkpoint: SharedCheckpoint; mark: LogPosition } | undefined;
    const onEvent = (event: LogEvent): void => {
      if (event.kind !== 'head') return void events.push(event);
      const { head, mark } = event;
      last = { checkpoint: head, mark };
      events = events.filter(({ position }) => comparePositions(position, mark) > 0);
    };
    const tail = new LogTail({ ...settings, onEvent }, first);
    try {
      await tail.#readOn();
      if (last === undefined)
        throw new LoreError('filesystem', `The log of the store has no checkpoint in ${name} or after it. It was left as it is.`);
    } catch (error) {
      tail.close();
      throw error;
    }
    tail.#tell = settings.onEvent;
    return { tail, beginning: { ...last, events } };
  }

  get state(): LogState {
    return this.#state;
  }

  /** Bytes that the segment records, as far as it was read. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The name of the table of a segment that was read here; undefined for any other. */
  nameOf(segment: number): string | undefined {
    return this.#names.get(segment);
  }

  /** Whether the last segment read was dropped; the store must be reopened. */
  get lost(): boolean {
    return this.#lost;
  }

  /**
   * Reads the rows of other servers; concurrent calls share one read. Resolves with its events. Rejects with `unavailable`.
   */
  refresh(): Promise<readonly LogEvent[]> {
    this.#upcoming ??= this.#inTurn(async () => {
      this.#upcoming = undefined;
      return await this.#read({ renewed: true });
    });
    return this.#upcoming;
  }

  /** Appends a row; resolves with its position if it counts, or undefined if not. Rejects if unknown. */
  async write(row: LogRow): Promise<LogPosition | undefined> {
    this.#refuseLost();
    const own: OwnRow = { row, segment: this.#segment, landed: false, isLeft: false, bytes: 0 };
    this.#own.set(row.id, own);
    try {
      await this.#add(own);
      // The handle that wrote a row has it and all rows before it.
      if (own.landed) await this.#inTurn(() => this.#read({ renewed: false }));
      if (own.verdict === undefined && !this.#isVoid(own)) await this.refresh();
      // Unread rows of a segment come after its seal.
      return own.verdict?.countsAt;
    } finally {
      this.#own.delete(row.id);
    }
  }

  /** Rejects if the row was not written, as far as that is visible. */
  async #add(own: OwnRow): Promise<void> {
    try {
      await this.#addUnlessVoid(own);
    } catch (error) {
      // Maybe only the response was lost.
      await this.refresh().catch((cause: unknown) => {
        throw this.#lost ? cause : error;
      });
      if (own.verdict === undefined && !this.#isVoid(own)) throw error;
    }
  }

  /**
   * Waits until a row is written, was read, or cannot count any more. After conflicts the engine retries a commit with longer and longer
   * waits, for seconds, and the result is void.
   */
  async #addUnlessVoid(own: OwnRow): Promise<void> {
    const rows = [own.row];
    const landed = own.segment
      .add(rows, () => this.#isVoid(own))
      .then((bytes) => {
        if (!own.isLeft && bytes !== undefined) Object.assign(own, { landed: true, bytes });
      });
    // Nobody waits for the result of an abandoned one.
    landed.catch(() => undefined);
    while (!(await endsWithin(landed, this.#patienceMs()))) {
      // If the storage does not respond, the write ends on its own.
      await this.refresh().catch(() => undefined);
      if (own.verdict === undefined && !this.#isVoid(own)) continue;
      own.isLeft = !own.landed;
      return own.isLeft ? await this.#inTurn(() => own.segment.leave(rows, landed)) : undefined;
    }
  }

  /** Whether an unread row cannot count at any position: after the seal of its segment, or after another batch. */
  #isVoid({ row, segment }: OwnRow): boolean {
    return this.#segment !== segment || (row.kind === 'records' && row.base !== this.#state.sequence);
  }

  close(): void {
    this.#segment.close();
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return await turn;
  }

  async #read({ renewed }: { renewed: boolean }): Promise<readonly LogEvent[]> {
    this.#refuseLost();
    try {
      const began = this.#now();
      if (renewed) await this.#segment.renew();
      const events = await this.#readOn();
      if (renewed) this.#readAt = began;
      return events;
    } catch (error) {
      await this.#refuseGone().catch((cause: unknown) => {
        if (this.#lost) throw cause;
      });
      throw error;
    }
  }

  /** Reads to the end of the log, as far as the handles know it. */
  async #readOn(): Promise<readonly LogEvent[]> {
    const events: LogEvent[] = [];
    for (;;) {
      const { next } = this.#state;
      if (next !== undefined) {
        await this.#enter(next);
        continue;
      }
      const landed = this.#landed();
      const fresh = (await this.#segment.count()) - this.#state.rows;
      if (fresh <= 0) return events;
      const { rows, bytes } = onlyOwn(landed, fresh) ?? (await this.#segment.rowsFrom(this.#state.rows, fresh));
      await this.#refuseStale();
      this.#bytes += bytes;
      for (const row of rows) events.push(...this.#take(row));
    }
  }

  /** Rows of this server that its handle has and that were not read yet. */
  #landed(): readonly OwnRow[] {
    return [...this.#own.values()].filter((own) => own.landed && own.verdict === undefined && own.segment === this.#segment);
  }

  #take(row: LogRow): readonly LogEvent[] {
    const position: LogPosition = { segment: this.#state.segment, row: this.#state.rows };
    const { state, counts } = follow(this.#state, row);
    // Decoded first: a batch that cannot be decoded must stop the reading before it, each time.
    const event = counts ? eventOf(row, position) : undefined;
    this.#state = state;
    this.#onRow(row, counts);
    const own = this.#own.get(row.id);
    if (own !== undefined && own.verdict?.countsAt === undefined) own.verdict = { countsAt: counts ? position : undefined };
    if (event === undefined) return [];
    this.#tell(event);
    return [event];
  }

  async #enter(name: string): Promise<void> {
    const number = this.#state.segment + 1;
    const segment = await Segment.open(this.#tables, { number, name });
    const left = this.#segment;
    this.#segment = segment;
    this.#names.set(number, name);
    this.#state = stateAtStart(number, this.#state);
    this.#bytes = 0;
    left.close();
  }

  /**
   * A suspended server may read a segment that was dropped meanwhile, and even write to its remains, which nobody would ever read. So after
   * a delay, rows count only if the log still begins at this segment or before it, which is changed before any segment is dropped.
   */
  async #refuseStale(): Promise<void> {
    const { steady, wall } = this.#now();
    const age = Math.max(steady - this.#readAt.steady, wall - this.#readAt.wall);
    if (age >= this.#retainMs / 2) await this.#refuseGone();
  }

  async #refuseGone(): Promise<void> {
    this.#refuseLost();
    const start = (await readMeta(this.#tables))?.start;
    this.#lost = start === undefined || start.segment > this.#state.segment;
    this.#refuseLost();
  }

  #refuseLost(): void {
    if (!this.#lost) return;
    throw new LoreError(
      'unavailable',
      'The part of the log that this server read last was removed: the server was disconnected for too long.',
      {
        hint: 'The server is reopening the store; try again in a moment.',
        retryAfterSeconds: 1,
      },
    );
  }
}

/**
 * If the only unread row is this server's own, it need not be read. `landed`: the rows before it when the number was determined; one
 * written at the same time may come after the row that was found, which is another server's.
 */
function onlyOwn([own, another]: readonly OwnRow[], fresh: number): { rows: readonly LogRow[]; bytes: number } | undefined {
  return own !== undefined && another === undefined && fresh === 1 ? { rows: [own.row], bytes: own.bytes } : undefined;
}
