import type { Entry } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { StoreOperations } from '../../memory/operations/sync-operations.ts';
import { argumentsOf, hasId, type AnyOperation } from '../../operations/operation.ts';
import { operationsOf, type OperationGroup } from '../../operations/table.ts';

/** What a key may do, as `RestrictedMemories` knows it. */
export interface Limits {
  /** Throws `forbidden` for a key that may only read. */
  readonly mayWrite: () => void;
  /** Throws `forbidden` for a key that is bound to one namespace. */
  readonly mayLeaveNamespace: () => void;
  /** The request in the namespace of the key; throws `forbidden` where it names another. */
  readonly within: <T extends { namespace?: string | undefined }>(request: T) => T;
  /** Rejects with `not_found` for an entry that the key does not reach. */
  readonly get: (id: string, options?: CallOptions) => Promise<Entry>;
}

type Call = (...given: unknown[]) => Promise<unknown>;

/** A group of operations within what an API key may do, as their definitions say. */
export function limited<Group extends OperationGroup>(
  group: Group,
  service: StoreOperations[Group],
  limits: Limits,
): StoreOperations[Group] {
  const methods = service as unknown as Readonly<Record<string, Call>>;
  const calls = operationsOf(group).map(([name, operation]): [string, Call] => [
    name,
    async (...given) => {
      const { id, request, options } = argumentsOf(operation, given);
      const allowed = await within(operation, { id, request, options }, limits);
      return await methods[name]!(...(hasId(operation) ? [id] : []), allowed, options);
    },
  ]);
  return Object.fromEntries(calls) as unknown as StoreOperations[Group];
}

/** The request as it may be carried out; rejects where the key does not allow it. */
async function within(
  { access, reaches }: AnyOperation,
  { id, request, options }: { id?: string | undefined; request: Record<string, unknown>; options: CallOptions },
  limits: Limits,
): Promise<Record<string, unknown>> {
  if ('everything' in reaches) throw new LoreError('forbidden', reaches.why);
  if (access === 'write') limits.mayWrite();
  const allowed = reaches.namespace === true ? limits.within(request) : request;
  const named = [id ?? [], reaches.entries?.(request as never) ?? []].flat();
  for (const each of named) await limits.get(each, options);
  return allowed;
}
