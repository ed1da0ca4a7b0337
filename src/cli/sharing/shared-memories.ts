import { setTimeout as sleep } from 'node:timers/promises';
import { LoreError } from '../../memory/errors.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { McpMemories } from '../../mcp/caller.ts';
import { isReachable } from '../connection.ts';
import { openShared, connectAsGuest, openAsHost, type StoreAccess, type StoreAccessOptions } from './store-access.ts';

const WAIT_MS = 50;
/** Random delay, so that few of the processes that see a holder leave try to replace it at once. */
const SPREAD_MS = 200;
/** How long a call is retried; the duration of the last attempt comes on top. */
const CALL_MS = 25_000;
const SIT_MS = 15_000;

type Options = Omit<StoreAccessOptions, 'onLost'>;

/**
 * Shares one store between long-running processes: the first opens the store and serves the others; when it exits, another takes over
 * (docs/adr/0015). All calls are safe to repeat, so a call without an answer is retried. Opens nothing before `open` or the first call.
 * Rejects with `unavailable` if the store stays unreachable.
 */
export class SharedMemories implements McpMemories {
  readonly relations: McpMemories['relations'] = {
    relate: (request, options) => this.#call(options, ({ relations }) => relations.relate(request, options)),
    list: (request, options) => this.#call(options, ({ relations }) => relations.list(request, options)),
  };
  readonly lifecycle: McpMemories['lifecycle'] = {
    forgetMany: (request, options) => this.#call(options, ({ lifecycle }) => lifecycle.forgetMany(request, options)),
  };
  readonly capture: McpMemories['capture'] = {
    context: (request, options) => this.#call(options, ({ capture }) => capture.context(request, options)),
  };
  readonly #options: Options;
  #access: Promise<StoreAccess> | undefined;
  /** The resolved value of `#access`. */
  #taken: StoreAccess | undefined;
  /** Accesses that are closing. */
  #leaving: Promise<unknown> = Promise.resolve();
  #hasSat = false;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Opens the store early, so that the first call need not wait. A failure appears in the calls, not here. */
  async open(): Promise<void> {
    if (this.#closed) return;
    await this.#take().catch((err: unknown) => this.#options.log.debug({ err }, 'the store could not be opened yet'));
  }

  readonly save: McpMemories['save'] = (request, options) => this.#call(options, (memories) => memories.save(request, options));
  readonly recall: McpMemories['recall'] = (request, options) => this.#call(options, (memories) => memories.recall(request, options));
  readonly search: McpMemories['search'] = (request, options) => this.#call(options, (memories) => memories.search(request, options));
  readonly list: McpMemories['list'] = (request, options) => this.#call(options, (memories) => memories.list(request, options));
  readonly get: McpMemories['get'] = (id, options) => this.#call(options, (memories) => memories.get(id, options));
  readonly update: McpMemories['update'] = (id, patch, options) => this.#call(options, (memories) => memories.update(id, patch, options));
  readonly namespaces: McpMemories['namespaces'] = (options) => this.#call(options, (memories) => memories.namespaces(options));
  readonly health: McpMemories['health'] = (options) => this.#call(options, (memories) => memories.health(options));

  readonly forget: McpMemories['forget'] = (id, options) => {
    let tries = 0;
    return this.#call(options, async (memories) => {
      tries += 1;
      await memories.forget(id, options).catch((error: unknown) => {
        // A retried deletion whose response was lost finds nothing: the entry is deleted, as requested.
        if (tries === 1 || !(error instanceof LoreError) || error.code !== 'not_found') throw error;
      });
    });
  };

  /** Finishes running calls and releases the store. Safe to repeat; later calls are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    const access = await this.#access?.catch(() => undefined);
    await access?.close();
    await this.#leaving;
  }

  async #call<T>({ signal }: CallOptions = {}, work: (memories: McpMemories) => Promise<T>): Promise<T> {
    for (const giveUp = performance.now() + CALL_MS; ; await sleep(WAIT_MS)) {
      signal?.throwIfAborted();
      const access = await this.#take();
      try {
        return await access.use(work);
      } catch (error) {
        if (signal?.aborted === true || performance.now() >= giveUp || !isLost(error, access)) throw error;
        this.#leave(access);
      }
    }
  }

  #take(): Promise<StoreAccess> {
    if (this.#closed) return Promise.reject(closed());
    if (this.#taken?.isGood() === false) this.#leave(this.#taken);
    return (this.#access ??= this.#open().then(
      (access) => {
        this.#hasSat = true;
        return (this.#taken = access);
      },
      (error: unknown) => {
        this.#access = undefined;
        throw error;
      },
    ));
  }

  #leave(access: StoreAccess): void {
    if (this.#taken !== access) return;
    this.#taken = undefined;
    this.#access = undefined;
    this.#leaving = Promise.allSettled([this.#leaving, access.close()]);
  }

  /** Finds the process that has the store open, or opens it here. */
  async #open(): Promise<StoreAccess> {
    // A store that this process is about to close cannot be reopened before.
    await this.#leaving;
    const { liveHolder, storeAbilities, isStoreRequested } = await import('../../lock-holder.ts');
    const { loaded, log } = this.#options;
    if (!storeAbilities(loaded).lockFile) return await openShared(this.#options);
    let access: StoreAccess | undefined;
    const onLost = (): void => {
      if (access !== undefined) this.#leave(access);
      void this.open();
    };
    const options = { ...this.#options, onLost };
    let failures = 0;
    if (this.#hasSat) await sleep(Math.random() * SPREAD_MS);
    for (const giveUp = performance.now() + SIT_MS; !this.#closed; await sleep(WAIT_MS)) {
      const holder = liveHolder(loaded);
      if (holder?.url !== undefined && (await isReachable(holder.url))) {
        return (access = await connectAsGuest({ url: holder.url, token: holder.token }, options));
      }
      if (holder === undefined && !isStoreRequested(loaded)) {
        try {
          return (access = await openAsHost(options));
        } catch (error) {
          failures += 1;
          const isOvertaken = liveHolder(loaded) !== undefined;
          // The other process may have ended again; a third failure is final.
          if (!isOvertaken && failures > 2) throw error;
          log.debug({ err: error }, 'the store could not be opened');
        }
      }
      if (performance.now() >= giveUp) throw outOfReach(holder);
    }
    throw closed();
  }
}

/** Whether an error means that the holder is gone, and says nothing about the call. */
function isLost(error: unknown, access: StoreAccess): boolean {
  if (!(error instanceof LoreError)) return false;
  const tookTooLong = error.cause instanceof Error && error.cause.name === 'TimeoutError';
  if (error.code === 'network') return !tookTooLong;
  return (error.code === 'unavailable' || error.code === 'unauthorized') && !access.isGood();
}

function outOfReach(holder: { readonly pid: number } | undefined): LoreError {
  const who = holder === undefined ? 'another process' : `process ${holder.pid}`;
  return new LoreError('unavailable', `The store is open in ${who}, which does not share it or does not respond.`, {
    hint: 'Wait for that command to end, or stop it.',
  });
}

function closed(): LoreError {
  return new LoreError('unavailable', 'This MCP server is shutting down.');
}
