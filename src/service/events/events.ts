import type { EventOperations, FollowRequest, StoreEvent } from '../../memory/operations/event-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { EntryChange } from '../../store/write/entry-changes.ts';
import type { Store } from '../../store/store.ts';
import { EventBatch } from './event-batch.ts';
import { EventLog, eventsAt } from './event-log.ts';

/** Delay after a change, so that related changes are reported together. */
const FIRST_MS = 50;
/** Interval between two reports; each is three events at most. */
const PAUSE_MS = 300;
/** A client that does not read its waiting events receives an event to fetch everything again. */
const MAX_WAITING = 200;

/** The waiting events of one subscriber. */
class Inbox {
  readonly namespace: string | undefined;
  #waiting: StoreEvent[] = [];
  #closed = false;
  #wake: () => void = () => undefined;

  constructor(namespace: string | undefined) {
    this.namespace = namespace;
  }

  put(events: readonly StoreEvent[]): void {
    const last = events.at(-1);
    if (last === undefined) return;
    const isTooMuch = this.#waiting.length + events.length > MAX_WAITING;
    this.#waiting = isTooMuch ? [{ id: last.id, type: 'reset' }] : [...this.#waiting, ...events];
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** The waiting events, as soon as there are any; undefined once closed. */
  async take(): Promise<readonly StoreEvent[] | undefined> {
    while (this.#waiting.length === 0) {
      if (this.#closed) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

/** Reports changes of a store to subscribers. Without subscribers it keeps a short log and runs no timer. */
export class Events implements EventOperations {
  readonly #log = new EventLog();
  readonly #inboxes = new Set<Inbox>();
  #pending = new EventBatch();
  #timer: NodeJS.Timeout | undefined;
  #toldAt = 0;
  #closed = false;

  constructor({ store }: { readonly store: Store }) {
    store.tell((changes) => this.#take(changes));
  }

  async *follow({ namespace, after }: FollowRequest, { signal }: CallOptions = {}): AsyncGenerator<StoreEvent> {
    if (this.#closed || signal?.aborted === true) return;
    // Earlier changes must not be reported after `ready`.
    this.#tell();
    const inbox = new Inbox(namespace);
    const leave = (): void => inbox.close();
    inbox.put(this.#log.since(after, namespace));
    this.#inboxes.add(inbox);
    signal?.addEventListener('abort', leave, { once: true });
    try {
      for (let events = await inbox.take(); events !== undefined; events = await inbox.take()) yield* events;
    } finally {
      signal?.removeEventListener('abort', leave);
      this.#inboxes.delete(inbox);
      if (this.#inboxes.size === 0) this.#stop();
    }
  }

  /** Ends every `follow`. Safe to repeat. */
  close(): void {
    this.#closed = true;
    this.#stop();
    for (const inbox of this.#inboxes) inbox.close();
  }

  #take(changes: readonly EntryChange[]): void {
    for (const change of changes) this.#pending.add(change);
    if (this.#inboxes.size === 0 || this.#timer !== undefined) return;
    const wait = Math.max(FIRST_MS, this.#toldAt + PAUSE_MS - performance.now());
    this.#timer = setTimeout(() => this.#tell(), wait).unref();
  }

  #tell(): void {
    this.#stop();
    if (this.#pending.isEmpty) return;
    const batch = this.#pending;
    this.#pending = new EventBatch();
    this.#toldAt = performance.now();
    const at = this.#log.add(batch);
    for (const inbox of this.#inboxes) inbox.put(eventsAt(at, batch, inbox.namespace));
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
