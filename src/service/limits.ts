import { entryNotFound, LoreError } from '../memory/errors.ts';
import type { Grant } from '../memory/grant.ts';
import type { CallOptions } from '../memory/operations/operations.ts';
import type { StoreOperations } from '../memory/operations/sync-operations.ts';
import { argumentsOf, callOf, type AnyOperation, type Call } from '../operations/operation.ts';
import { wrapped } from '../operations/wrapping.ts';

/**
 * Wraps operations with the limits of an API key, according to their definitions: a read-only key changes nothing, a bound key sees and
 * changes only its namespace. Refusals are `forbidden`, except for an id in another namespace, which is `not_found`, so that its
 * existence is not revealed.
 */
export function restrictTo(memories: StoreOperations, grant: Grant): StoreOperations {
  if (grant.access === 'full' && grant.namespace === undefined) return memories;
  const limits = new Limits(memories, grant);
  return wrapped(memories, (operation, method) => {
    const run = (call: Call): unknown => method(...argumentsOf(operation, call));
    // A stream is refused before it begins.
    if (operation.stream === 'out') return (...given) => run(limits.allowed(operation, callOf(operation, given)));
    return async (...given) => {
      const call = limits.allowed(operation, callOf(operation, given));
      return limits.shown(operation, await run(await limits.reached(operation, call)));
    };
  });
}

/** What one key may do. */
class Limits {
  readonly #memories: Pick<StoreOperations, 'get'>;
  readonly #readOnly: boolean;
  readonly #namespace: string | undefined;

  constructor(memories: Pick<StoreOperations, 'get'>, { access, namespace }: Grant) {
    this.#memories = memories;
    this.#readOnly = access === 'read';
    this.#namespace = namespace;
  }

  /** The call in the namespace of the key. Throws where the key does not allow it, whatever the entries are that it names. */
  allowed({ access, reaches }: AnyOperation, call: Call): Call {
    if ('everything' in reaches) throw new LoreError('forbidden', reaches.why);
    if (access === 'write' && this.#readOnly) throw new LoreError('forbidden', 'This key is read-only.');
    const { request, options } = call;
    const namespace = this.#namespace;
    if (namespace === undefined) return call;
    const { namespace: asked } = request;
    const isWithin = reaches.namespace === 'given' ? asked !== undefined : reaches.namespace === true;
    const isBeyond = isWithin && asked !== undefined && asked !== namespace;
    if (isBeyond || reaches.beyond?.(request) === true) throw new LoreError('forbidden', 'This key is bound to one namespace.');
    return {
      ...call,
      request: { ...request, ...(isWithin && { namespace }), ...reaches.bound },
      options: { ...options, ...(reaches.hidden && { namespace }) },
    };
  }

  /** The call with the entries that the key reaches. Rejects with `not_found` where it names others. */
  async reached({ reaches }: AnyOperation, call: Call): Promise<Call> {
    if ('everything' in reaches) return call;
    const { id, options } = call;
    const request = { ...call.request };
    if (reaches.selected) request['ids'] = await this.#within(request['ids'] as readonly string[], options);
    for (const each of [id ?? [], reaches.entries?.(request) ?? []].flat()) await this.#mustReach(each, options);
    return { ...call, request };
  }

  /** What the key is told of a result. */
  shown({ reaches }: AnyOperation, result: unknown): unknown {
    return this.#namespace === undefined || !('shown' in reaches) ? result : reaches.shown(result, this.#namespace);
  }

  async #mustReach(id: string, options?: CallOptions): Promise<void> {
    const { namespace } = await this.#memories.get(id, options);
    if (this.#namespace !== undefined && namespace !== this.#namespace) throw entryNotFound(id);
  }

  /** Those of the ids that the key reaches. The answer to others is the same as to ids that name nothing. */
  async #within(ids: readonly string[], options: CallOptions): Promise<string[]> {
    const within: string[] = [];
    for (const id of ids) await this.#mustReach(id, options).then(() => within.push(id), unlessNotFound);
    if (within.length === 0 && ids[0] !== undefined) throw entryNotFound(ids[0]);
    return within;
  }
}

function unlessNotFound(error: unknown): void {
  if (!(error instanceof LoreError && error.code === 'not_found')) throw error;
}
