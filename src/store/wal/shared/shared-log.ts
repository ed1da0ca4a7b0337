import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Table } from '@lancedb/lancedb';
import { LoreError } from '../../../memory/errors.ts';
import type { Log } from '../../../memory/log.ts';
import type { LogRecord } from '../../format/log-record.ts';
import { META } from '../../format/schema.ts';
import { createDeadline, type WithDeadline } from './deadline.ts';
import { carriedOf } from './log-order.ts';
import type { LogContent, LogEvent, LogPosition, LogRow, SharedCheckpoint } from './log-row.ts';
import { LiveServers } from './live-servers.ts';
import { LogTail, type OpeningState } from './log-tail.ts';
import { Segment, segmentName, segmentNumber, tableNames, type SharedTables } from './segment.ts';
import { advanceStart, readMeta, type SharedFacts } from './shared-meta.ts';
import { AppendTurns } from './append-turns.ts';

export { comparePositions, type LogEvent, type SharedCheckpoint } from './log-row.ts';

export interface SharedLogSettings {
  readonly connect: () => Promise<Connection>;
  /** Name of the server in the log; made unique for each opening. */
  readonly server: string;
  /** Longest wait for one call to the store, milliseconds. */
  readonly timeoutMs: number;
  /** Time without a heartbeat after which the lease holder may be replaced, milliseconds. */
  readonly leaseMs: number;
  readonly log: Log;
  /** Called for every event that counts, including own ones, in order, before the reading call resolves. Must not throw. */
  readonly onEvent: (event: LogEvent) => void;
  /**
   * How long a segment is kept after a checkpoint covers it, milliseconds. A server that does not read for longer must reopen the store.
   */
  readonly retainMs?: number;
  /** Called for every call and write. */
  readonly state?: Watch;
  /** Monotonic clock, milliseconds. */
  readonly now?: () => number;
}

/** Watches the calls to the storage. */
interface Watch {
  during<Result>(call: Promise<Result>): Promise<Result>;
  writing<Result>(write: Promise<Result>): Promise<Result>;
}

const NOBODY: Watch = { during: (call) => call, writing: (write) => write };

interface Holder {
  readonly server: string;
  readonly term: number;
  /** When this server last read a row of the holder, by the clock of the log. */
  readonly seenAt: number;
}

/** Every server sends a sign of life once in this many lease times. */
const SIGN_LEASES = 2;
/** A server without a sign for this many lease times is not in use any more: one sign may be late. */
const SILENT_LEASES = 5;

/** How long segments covered by checkpoints are kept for servers that are behind, milliseconds. */
const RETAIN_MS = 600_000;

/** A checkpoint that was read, with its time by the clock of the log. */
interface SeenCheckpoint {
  readonly mark: LogPosition;
  readonly seenAt: number;
}

interface Parts {
  readonly settings: SharedLogSettings;
  readonly now: () => number;
  readonly server: string;
  readonly facts: SharedFacts;
  readonly tables: SharedTables;
  readonly tail: LogTail;
  readonly turns: AppendTurns;
  readonly servers: LiveServers;
  readonly beginning: OpeningState;
}

/** Rows that show the other servers that the holder is alive. */
const SIGNS_OF_LIFE: ReadonlySet<LogRow['kind']> = new Set(['lease', 'beat', 'mark', 'head']);
/** Rows of the holder besides its batches wait for their turn too: between batches of others, the engine would delay it for seconds. */
const TAKES_A_TURN: ReadonlySet<LogRow['kind']> = new Set(['beat', 'mark', 'head', 'seal']);

/**
 * The log that gives all servers of a shared store one order. The order alone decides which rows count: a server decides on the events it
 * has read, appends, and learns whether another server came first.
 */
export class SharedLog {
  /** The last checkpoint and all events after its mark, at the opening. */
  readonly beginning: OpeningState;
  /** This server's name in the log. */
  readonly server: string;
  readonly storeId: string;
  /** Format with which the store was created. */
  readonly format: number;
  readonly #settings: SharedLogSettings;
  readonly #now: () => number;
  readonly #tables: SharedTables;
  readonly #tail: LogTail;
  readonly #turns: AppendTurns;
  readonly #servers: LiveServers;
  readonly #state: Watch;
  #seenAt: number;
  /** Start of the last write of its own rows that showed the others that it is alive. */
  #shownAt = -Infinity;
  /** End of the last `showLife`. */
  #signedAt = -Infinity;
  #checkpoints: readonly SeenCheckpoint[];
  /** Number of the segment that openers begin at, as far as this server knows. */
  #start: number;
  /** For `ask`. */
  #asked: Table | undefined;
  #isClosed = false;

  private constructor(parts: Parts) {
    this.#settings = parts.settings;
    this.#now = parts.now;
    this.#seenAt = parts.now();
    this.server = parts.server;
    this.storeId = parts.facts.storeId;
    this.format = parts.facts.format;
    this.#tables = parts.tables;
    this.#tail = parts.tail;
    this.#turns = parts.turns;
    this.#servers = parts.servers;
    this.#state = parts.settings.state ?? NOBODY;
    this.beginning = parts.beginning;
    this.#checkpoints = [{ mark: parts.beginning.mark, seenAt: this.#seenAt }];
    this.#start = parts.facts.start?.segment ?? 0;
  }

  /** Opens the log of an existing store, see `createShared`. Rejects with `not_found` if there is none. */
  static async open(settings: SharedLogSettings): Promise<SharedLog> {
    const state = settings.state ?? NOBODY;
    const deadline = createDeadline(settings.timeoutMs);
    const within: WithDeadline = (action, call) => state.during(deadline(action, call));
    const connection = await within('open the store', settings.connect());
    try {
      const tables = { connection, within };
      const facts = await readMeta(tables);
      if (facts?.start === undefined) throw new LoreError('not_found', 'There is no store at storage.path yet.');
      const server = `${settings.server}#${randomBytes(4).toString('hex')}`;
      const retainMs = settings.retainMs ?? RETAIN_MS;
      const now = settings.now ?? (() => performance.now());
      const turns = new AppendTurns(server);
      const onEvent = (event: LogEvent): void => shared.#hear(event);
      const servers = new LiveServers({ silentMs: SILENT_LEASES * settings.leaseMs, now });
      let isOpening = true;
      const onRow = (row: LogRow, counts: boolean): void => {
        if (row.kind === 'records') turns.note(row.server, counts);
        // Only at the opening are rows older than the moment; the clocks of other machines may be off.
        servers.note(row, isOpening ? Math.max(0, Date.now() - row.at) : 0);
      };
      const patienceMs = (): number => turns.patienceMs;
      const { tail, beginning } = await LogTail.open({ tables, retainMs, onEvent, onRow, patienceMs, now }, facts.start);
      isOpening = false;
      const shared: SharedLog = new SharedLog({ settings, now, server, facts, tables, tail, turns, servers, beginning });
      return shared;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Whether the last segment read was dropped: close and reopen. */
  get lost(): boolean {
    return this.#tail.lost;
  }

  /** Rows of the active segment; more rows make each write slower. */
  get segmentRows(): number {
    return this.#tail.state.rows;
  }

  /** Bytes of the active segment, which every opening server reads. */
  get segmentBytes(): number {
    return this.#tail.bytes;
  }

  /** Number of segments started after the one with the mark of the last checkpoint. */
  get segmentsSinceCheckpoint(): number {
    return this.#tail.state.segment - this.#checkpoints.at(-1)!.mark.segment;
  }

  /** The lease holder, as far as the log was read. */
  get holder(): Holder | undefined {
    const { holder, term } = this.#tail.state;
    return holder === undefined ? undefined : { server: holder, term, seenAt: this.#seenAt };
  }

  /** Number of servers that use the store, as far as the log was read; short commands do not count. */
  get servers(): number {
    return this.#servers.count;
  }

  /** Whether this server has the lease, with a heartbeat recent enough that no other server can have taken it. */
  get isHolder(): boolean {
    return this.#hasLease && this.#now() - this.#shownAt < this.#settings.leaseMs;
  }

  get #hasLease(): boolean {
    return this.#tail.state.holder === this.server;
  }

  /** Reads the rows of other servers. Resolves with their events. Rejects with `unavailable`. */
  async refresh(): Promise<readonly LogEvent[]> {
    this.#refuseClosed();
    return await this.#tail.refresh();
  }

  /**
   * Appends records that were decided on all events reported so far. Resolves with true if they count (`onEvent` was called), or false if
   * another batch came first: then decide again. Rejects with `unavailable` if unknown: they may still count, and are reported then.
   */
  async append(records: readonly LogRecord[]): Promise<boolean> {
    // Taken before anything is awaited: later events were not known when this was decided.
    const base = this.#tail.state.sequence;
    const began = performance.now();
    const counts = (await this.#write({ kind: 'records', base, records: () => records })) !== undefined;
    // A void batch had a conflict, and is no measure of the usual duration.
    if (counts) this.#turns.time(performance.now() - began);
    return counts;
  }

  /**
   * Reads the rows of other servers, and resolves when it is this server's turn to append: at once if no other server writes, or else
   * after reading their batch or waiting long enough. Rejects with `unavailable`.
   */
  async turn(): Promise<void> {
    for (;;) {
      await this.refresh();
      const waitMs = this.#turns.waitMs();
      if (waitMs === 0) return;
      await sleep(this.#turns.lookMs(waitMs));
    }
  }

  /** Takes the lease if it is free, or its holder sent no heartbeat for `leaseMs`. Returns whether this server has it now. */
  async takeLease(): Promise<boolean> {
    await this.refresh();
    if (this.#hasLease) return this.isHolder || (await this.beat());
    const { holder } = this;
    if (holder !== undefined && this.#now() - holder.seenAt < this.#settings.leaseMs) return false;
    const { term, signs } = this.#tail.state;
    await this.#write({ kind: 'lease', term: term + 1, seen: signs });
    return this.isHolder;
  }

  /** Sends a heartbeat. Returns whether this server still has the lease. */
  async beat(): Promise<boolean> {
    if (this.#hasLease) await this.#write({ kind: 'beat', term: this.#tail.state.term });
    return this.isHolder;
  }

  /** Appends a sign of life, which also tests whether the storage accepts writes. It does not change who has the lease. */
  async showLife(): Promise<void> {
    await this.#write({ kind: 'beat', term: this.#tail.state.term });
    this.#signedAt = this.#now();
  }

  /** For a server without the lease: sends a sign of life if the last one is old. */
  async renewPresence(): Promise<void> {
    if (this.#now() - Math.max(this.#shownAt, this.#signedAt) >= SIGN_LEASES * this.#settings.leaseMs) await this.showLife();
  }

  /** Makes the smallest possible request to the storage. Rejects with `unavailable`. */
  async ask(): Promise<void> {
    this.#refuseClosed();
    const { connection, within } = this.#tables;
    this.#asked ??= await connection.openTable(META);
    await within('reach the store', this.#asked.checkoutLatest());
  }

  /** Releases the lease, so that another server may take it at once, and ends the count of this server. Nothing if it has neither. */
  async release(): Promise<void> {
    if (this.#hasLease || this.#signedAt > -Infinity) await this.#write({ kind: 'release', term: this.#tail.state.term });
  }

  /** Marks a position for the next checkpoint. Undefined if this server no longer has the lease. */
  async mark(): Promise<LogPosition | undefined> {
    return this.#hasLease ? await this.#write({ kind: 'mark', term: this.#tail.state.term }) : undefined;
  }

  /** Publishes a checkpoint: the tables contain all changes up to the mark. False if another mark or holder came first. */
  async publish(mark: LogPosition, checkpoint: SharedCheckpoint): Promise<boolean> {
    if (!this.#hasLease) return false;
    return (await this.#write({ kind: 'head', term: this.#tail.state.term, mark, head: checkpoint })) !== undefined;
  }

  /** Ends the segment and starts a new one. False if this server no longer has the lease. */
  async closeSegment(): Promise<boolean> {
    if (!this.#hasLease) return false;
    const { segment, term } = this.#tail.state;
    const next = segmentName(this.storeId, segment + 1);
    (await Segment.create(this.#tables, { number: segment + 1, name: next })).close();
    const sealed = (await this.#write({ kind: 'seal', term, next })) !== undefined;
    if (sealed) await this.#begin();
    else await this.#drop(next);
    return sealed;
  }

  /**
   * Moves the start of the log to the segment of the last checkpoint's mark, and drops segments that were covered for `retainMs`. Only
   * the lease holder does this. Safe to repeat.
   */
  async trim(): Promise<void> {
    if (!this.isHolder) return;
    const names = new Map<number, string[]>();
    for (const name of await tableNames(this.#tables)) {
      const number = segmentNumber(this.storeId, name);
      if (number !== undefined) names.set(number, [...(names.get(number) ?? []), name]);
    }
    await this.#moveStart();
    const old = this.#oldCheckpoint();
    if (old === undefined) return;
    const first = Math.min(old.mark.segment, this.#start);
    const superfluous = [...names].filter(([number]) => number < first).toSorted(([first], [second]) => first - second);
    for (const name of superfluous.flatMap(([, drops]) => drops)) await this.#drop(name);
  }

  /** Closes the log without releasing the lease. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#tail.close();
    this.#asked?.close();
    this.#tables.connection.close();
  }

  #hear(event: LogEvent): void {
    if (event.kind !== 'records') this.#seenAt = this.#now();
    if (event.kind === 'head') {
      const old = this.#oldCheckpoint();
      const kept = this.#checkpoints.filter(({ seenAt }) => old === undefined || seenAt >= old.seenAt);
      this.#checkpoints = [...kept, { mark: event.mark, seenAt: this.#seenAt }];
    }
    this.#settings.onEvent(event);
  }

  /** The newest checkpoint that all active servers have seen. */
  #oldCheckpoint(): SeenCheckpoint | undefined {
    const retainMs = this.#settings.retainMs ?? RETAIN_MS;
    return this.#checkpoints.findLast(({ seenAt }) => this.#now() - seenAt >= retainMs);
  }

  /** Resolves with the position where it counts, or with undefined if it does not. */
  async #write(content: LogContent): Promise<LogPosition | undefined> {
    if (TAKES_A_TURN.has(content.kind) && this.#turns.hasRivals) await this.turn();
    for (;;) {
      this.#refuseClosed();
      await this.#begin();
      const { segment } = this.#tail.state;
      const began = this.#now();
      const place = await this.#state.writing(this.#tail.write({ ...content, ...this.#stamp() }));
      if (place !== undefined && SIGNS_OF_LIFE.has(content.kind)) this.#shownAt = Math.max(this.#shownAt, began);
      // It came after the seal of its segment, where nothing counts, and may count in the next one.
      if (place !== undefined || content.kind === 'seal' || this.#tail.state.segment === segment) return place;
    }
  }

  /** A segment that has only a name begins with the final state of the previous one; the first server that arrives writes it. */
  async #begin(): Promise<void> {
    while (!this.#tail.state.begun) await this.#tail.write({ kind: 'begin', carried: carriedOf(this.#tail.state), ...this.#stamp() });
  }

  #stamp(): Pick<LogRow, 'id' | 'server' | 'at'> {
    return { id: randomUUID(), server: this.server, at: Date.now() };
  }

  async #moveStart(): Promise<void> {
    const number = this.#checkpoints.at(-1)?.mark.segment ?? this.#start;
    const name = this.#tail.nameOf(number);
    if (number <= this.#start || name === undefined) return;
    await advanceStart(this.#tables, { segment: number, name });
    this.#start = number;
  }

  /** Its remains are dropped the next time. */
  async #drop(name: string): Promise<void> {
    const { connection, within } = this.#tables;
    await within('drop a part of the log of the store', connection.dropTable(name)).catch((error: unknown) => {
      this.#settings.log.warn({ err: error, table: name }, 'A part of the log that is not needed any more could not be dropped.');
    });
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw new LoreError('unavailable', 'The store is closed.');
  }
}
