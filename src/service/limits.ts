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

/** The access of one key. */
class Limits {
  readonly #memories: Pick<StoreOperations, 'get'>;
  readonly #readOnly: boolean;
  readonly #namespace: string | undefined;

  constructor(memories: Pick<StoreOperations, 'get'>, { access, namespace }: Grant) {
    this.#memories = memories;
    this.#readOnly = access === 'read';
    this.#namespace = namespace;
  }

  /** The call, restricted to the namespace of the key. Throws if the key never allows such a call, for any entries. */
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

  /** The call, restricted to the entries that the key can reach. Rejects with `not_found` if it names others. */
  async reached({ reaches }: AnyOperation, call: Call): Promise<Call> {
    if ('everything' in reaches) return call;
    const { id, options } = call;
    const request = { ...call.request };
    if (reaches.selected) request['ids'] = await this.#within(request['ids'] as readonly string[], options);
    for (const each of [id ?? [], reaches.entries?.(request) ?? []].flat()) await this.#mustReach(each, options);
    return { ...call, request };
  }

  /** The part of a result that the key may see. */
  shown({ reaches }: AnyOperation, result: unknown): unknown {
    return this.#namespace === undefined || !('shown' in reaches) ? result : reaches.shown(result, this.#namespace);
  }

  async #mustReach(id: string, options?: CallOptions): Promise<void> {
    const { namespace } = await this.#memories.get(id, options);
    if (this.#namespace !== undefined && namespace !== this.#namespace) throw entryNotFound(id);
  }

  /** The ids that the key can reach. Unreachable ids get the same response as ids of no entry. */
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
