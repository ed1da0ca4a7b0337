import { LoreError } from '../memory/errors.ts';
import type { StoreOperations } from '../memory/operations/sync-operations.ts';
import type { Freshness } from './freshness.ts';

type Call = (...given: unknown[]) => unknown;

interface RefreshSettings {
  readonly freshness: Pick<Freshness, 'within'>;
  /** Age of the oldest view that an operation may have of the store, ms; 0 looks before every one. */
  readonly maxAgeMs: number;
  /** Ends work with `unavailable` where the storage answers nothing any more. */
  readonly unlessSilent: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

const GROUPS: ReadonlySet<PropertyKey> = new Set<keyof StoreOperations>([
  'relations',
  'lifecycle',
  'capture',
  'moves',
  'sources',
  'bulk',
  'details',
  'statistics',
  'changes',
  'sync',
]);

/**
 * What an operation needs of the view. `again`: the usual; where it finds nothing by an id, it looks once more, for what was just written
 * elsewhere. `once`: what it takes cannot be taken twice. `none`: it asks for nothing of
 * what is stored, or answers from what is known. `stream`: before its first line. `follow`: again and again, while someone listens.
 */
type Need = 'again' | 'once' | 'none' | 'stream' | 'follow';
const NEEDS: Readonly<Record<string, Need | undefined>> = {
  import: 'once',
  export: 'stream',
  health: 'none',
  'capture.accept': 'none',
  'changes.follow': 'follow',
};

/** While someone follows the changes and asks for nothing else, others' are looked for this often. */
const FOLLOW_MS = 5_000;

/**
 * The same operations on a store that others write to: each sees at least what they had written `maxAgeMs` before it began. Rejects with
 * `unavailable` where nobody can tell what that is.
 */
export function refreshed(memories: StoreOperations, settings: RefreshSettings): StoreOperations {
  const groups = new Map<PropertyKey, object>();
  const poll = new Poll(settings);
  const operation = (owner: object, method: Call, name: string): Call =>
    seen((...given) => Reflect.apply(method, owner, given), NEEDS[name] ?? 'again', { ...settings, poll });
  return new Proxy(memories, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === 'function') return operation(target, value as Call, String(name));
      if (!GROUPS.has(name)) return value;
      const known = groups.get(name);
      if (known !== undefined) return known;
      const group = groupOf(value as object, (owner, method, inner) => operation(owner, method, `${String(name)}.${inner}`));
      groups.set(name, group);
      return group;
    },
  });
}

function groupOf(group: object, operation: (owner: object, method: Call, name: string) => Call): object {
  return new Proxy(group, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? operation(target, value as Call, String(name)) : value;
    },
  });
}

function seen(call: Call, need: Need, { freshness, maxAgeMs, unlessSilent, poll }: RefreshSettings & { readonly poll: Poll }): Call {
  switch (need) {
    case 'none':
      return call;
    case 'follow':
      return (...given) => poll.during(call(...given) as AsyncIterable<unknown>);
    case 'stream':
      return async function* (...given) {
        await unlessSilent(() => freshness.within(maxAgeMs));
        yield* call(...given) as AsyncIterable<unknown>;
      };
    case 'once':
      return (...given) =>
        unlessSilent(async () => {
          await freshness.within(maxAgeMs);
          return await call(...given);
        });
    case 'again':
      return (...given) =>
        unlessSilent(async () => {
          await freshness.within(maxAgeMs);
          try {
            return await call(...given);
          } catch (error) {
            if (!(error instanceof LoreError) || error.code !== 'not_found') throw error;
          }
          await freshness.within(0);
          return await call(...given);
        });
  }
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

  /** What cannot be told now is told later. */
  async #look(): Promise<void> {
    await this.#freshness.within(FOLLOW_MS).catch(() => undefined);
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
