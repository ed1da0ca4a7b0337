import { deepEqual } from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLog, type Log } from '../../src/memory/log.ts';
import { Store } from '../../src/store/store.ts';
import type { StoreSettings } from '../../src/store/store-settings.ts';
import { temporaryFolder } from './folder.ts';
import { allEntries, SPACE } from './store.ts';

export interface SharedStoreOptions extends Partial<Pick<StoreSettings, 'mayMaintain' | 'onLost' | 'shards'>> {
  /** Name of the server, which has its own folder. */
  readonly name?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly leaseMs?: number;
  readonly log?: Log;
}

/** A server's view of a shared store: on object storage, or in a folder used like it. `own`: the server's local files. The caller closes it. */
export async function openSharedStore(place: string, own: string, options: SharedStoreOptions = {}): Promise<Store> {
  const { name = 'a', leaseMs = 1_500, log = silentLog, options: storage = {}, ...more } = options;
  const localPath = path.join(own, `server-${name}`);
  mkdirSync(localPath, { recursive: true });
  return await Store.open(
    {
      path: place,
      shared: { options: storage, timeoutMs: 20_000, leaseMs, localPath },
      durability: 'full',
      vectorCacheBytes: 64 * 1024 * 1024,
      hnsw: { fromRows: 10_000, efConstruction: 100, ef: 100 },
      log,
      ...more,
    },
    SPACE,
  );
}

const LONGEST_WAIT_MS = 20_000;

/** Two or more servers on one store. */
export class Pair implements AsyncDisposable {
  readonly place: string;
  readonly #own: Awaited<ReturnType<typeof temporaryFolder>>;
  readonly #options: Readonly<Record<string, string>>;
  readonly #open: Store[] = [];

  private constructor(own: Awaited<ReturnType<typeof temporaryFolder>>, { place, options = {} }: PairOptions) {
    this.#own = own;
    this.place = place ?? path.join(own.path, 'place');
    this.#options = options;
  }

  static async open(options: PairOptions = {}): Promise<Pair> {
    const pair = new Pair(await temporaryFolder(), options);
    const { shards } = options;
    await pair.add({ name: 'a', ...(shards !== undefined && { shards }) });
    await pair.add({ name: 'b' });
    return pair;
  }

  get first(): Store {
    return this.#open[0]!;
  }

  get second(): Store {
    return this.#open[1]!;
  }

  async add(options: SharedStoreOptions): Promise<Store> {
    const store = await openSharedStore(this.place, this.#own.path, { options: this.#options, ...options });
    this.#open.push(store);
    return store;
  }

  /** Resolves once this server, by default the first, has the lease. */
  async maintained(by = this.first): Promise<void> {
    const until = performance.now() + LONGEST_WAIT_MS;
    while (!by.maintains) {
      if (performance.now() > until) throw new Error('The server did not take the lease.');
      await sleep(50);
    }
  }

  /** The contents as both servers see them after a refresh; rejects if they differ. */
  async contents(): Promise<string[]> {
    const [first, second] = await Promise.all([contentsOf(this.first), contentsOf(this.second)]);
    deepEqual(second, first);
    return first;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.#open) await store.close();
    await this.#own[Symbol.asyncDispose]();
  }
}

interface PairOptions extends Pick<SharedStoreOptions, 'shards'> {
  /** Default: its own folder. */
  readonly place?: string;
  readonly options?: Readonly<Record<string, string>>;
}

/** In alphabetical order, with everything that others wrote. */
export async function contentsOf(store: Store): Promise<string[]> {
  await store.catchUp();
  return (await allEntries(store)).map(({ content }) => content).toSorted();
}
