import type { AuditSink } from '../../memory/audit.ts';
import { clientNetwork } from './client-address.ts';

interface Refusal {
  /** `none`: no key was sent; `unknown`: the key is not valid. */
  readonly key: 'none' | 'unknown';
  readonly remote: string;
  readonly requestId: string;
}

interface Folded {
  /** The first refusal that is not yet written. */
  first?: Partial<Refusal> & Pick<Refusal, 'key'>;
  count: number;
  readonly timer: NodeJS.Timeout;
}

const FOLD_MS = 60_000;
/** Most client networks that are counted separately; more share one line without an address. */
const MOST_ADDRESSES = 100;

/**
 * Refused requests in the audit log: the first of an address at once, further ones together in one line a minute. Anyone can be refused any
 * number of times, and must not push out the lines of callers with a key.
 */
export class RefusedRequests {
  readonly #sink: AuditSink;
  readonly #folded = new Map<string, Folded>();
  #closed = false;

  constructor(sink: AuditSink) {
    this.#sink = sink;
  }

  note(refusal: Refusal): void {
    const { key, remote } = refusal;
    // By network, as for the rate limit: one client can use very many IPv6 addresses, which would fill the table.
    const own = `${key} ${clientNetwork(remote)}`;
    const isOneOfMany = !this.#folded.has(own) && this.#folded.size >= MOST_ADDRESSES;
    const [name, told] = isOneOfMany ? [key, { key }] : [own, refusal];
    const folded = this.#folded.get(name);
    if (folded === undefined) {
      this.#write(told, 1);
      this.#begin(name);
      return;
    }
    folded.first ??= told;
    folded.count += 1;
  }

  /** Writes the pending refusals. Later ones are written at once. */
  close(): void {
    this.#closed = true;
    for (const { first, count, timer } of this.#folded.values()) {
      clearTimeout(timer);
      if (first !== undefined) this.#write(first, count);
    }
    this.#folded.clear();
  }

  #begin(name: string): void {
    if (this.#closed) return;
    this.#folded.set(name, { count: 0, timer: setTimeout(() => this.#end(name), FOLD_MS).unref() });
  }

  #end(name: string): void {
    const { first, count = 0 } = this.#folded.get(name) ?? {};
    this.#folded.delete(name);
    if (first === undefined) return;
    this.#write(first, count);
    this.#begin(name);
  }

  #write(refusal: NonNullable<Folded['first']>, count: number): void {
    const facts = { action: 'refuse', operation: 'authenticate', count, result: 'unauthorized' } as const;
    this.#sink.write({ time: new Date().toISOString(), ...refusal, ...facts });
  }
}
