import { LoreError } from '../memory/errors.ts';
import type { StoreOperations } from '../memory/operations/sync-operations.ts';
import { wrapped } from '../operations/wrapping.ts';
import type { Freshness } from './freshness.ts';

interface RefreshSettings {
  readonly freshness: Pick<Freshness, 'within'>;
  /** Largest age of the view that an operation uses, ms; 0 checks before every one. */
  readonly maxAgeMs: number;
  /** Ends work with `unavailable` if the storage does not respond any more. */
  readonly unlessSilent: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

/** How often to look for changes of others while someone follows changes and sends no other request. */
const FOLLOW_MS = 5_000;

/**
 * Wraps the operations of a shared store: each sees at least the changes made `maxAgeMs` before it began. Rejects with `unavailable` if
 * that is unknown.
 */
export function refreshed(memories: StoreOperations, settings: RefreshSettings): StoreOperations {
  const { freshness, maxAgeMs, unlessSilent } = settings;
  const poll = new Poll(settings);
  const look = (): Promise<void> => unlessSilent(() => freshness.within(maxAgeMs));
  return wrapped(memories, ({ view, stream }, run) => {
    if (view === 'none') return run;
    if (view === 'followed') return (...given) => poll.during(run(...given) as AsyncIterable<unknown>);
    if (stream === 'out') {
      return async function* (...given) {
        await look();
        yield* run(...given) as AsyncIterable<unknown>;
      };
    }
    return (...given) =>
      unlessSilent(async () => {
        await freshness.within(maxAgeMs);
        try {
          return await run(...given);
        } catch (error) {
          // A stream can be consumed only once.
          if (stream === 'in' || !(error instanceof LoreError) || error.code !== 'not_found') throw error;
        }
        // An id may have been written by another server just now.
        await freshness.within(0);
        return await run(...given);
      });
  });
}

/** Looks for changes as long as at least one stream of them is read. */
class Poll {
  readonly #freshness: Pick<Freshness, 'within'>;
  #streams = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ freshness }: RefreshSettings) {
    this.#freshness = freshness;
  }

  async *during<T>(stream: AsyncIterable<T>): AsyncGenerator<T> {
    this.#streams += 1;
    this.#timer ??= setInterval(() => void this.#look(), FOLLOW_MS).unref();
    try {
      yield* stream;
    } finally {
      this.#streams -= 1;
      if (this.#streams === 0) this.#stop();
    }
  }

  /** Changes that cannot be reported now are reported later. */
  async #look(): Promise<void> {
    await this.#freshness.within(FOLLOW_MS).catch(() => undefined);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
