import { entryNotFound, LoreError } from '../../memory/errors.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { StoreOperations } from '../../memory/operations/sync-operations.ts';
import { argumentsOf, callOf, type AnyOperation, type Call } from '../../operations/operation.ts';
import { operationsOf, type GroupOf, type OPERATIONS, type OperationGroup } from '../../operations/table.ts';

/** What a key may do, as `RestrictedMemories` knows it. */
export interface Limits {
  /** The one that a key is bound to. */
  readonly namespace: string | undefined;
  /** Throws `forbidden` for a key that may only read. */
  readonly mayWrite: () => void;
  /** Throws `forbidden` for a key that is bound to one namespace. */
  readonly mayLeaveNamespace: () => void;
  /** The request in the namespace of the key; throws `forbidden` where it names another. */
  readonly within: <T extends { namespace?: string | undefined }>(request: T) => T;
  /** Rejects with `not_found` for an entry that the key does not reach. */
  readonly mustReach: (id: string, options?: CallOptions) => Promise<void>;
}

type Method = (...given: unknown[]) => Promise<unknown>;

/** Those of a group that are defined. */
type Limited<Group extends OperationGroup> = Pick<
  GroupOf<StoreOperations, Group>,
  keyof (typeof OPERATIONS)[Group] & keyof GroupOf<StoreOperations, Group>
>;

/** A group of operations within what an API key may do, as their definitions say. */
export function limited<Group extends OperationGroup>(
  group: Group,
  service: GroupOf<StoreOperations, Group>,
  limits: Limits,
): Limited<Group> {
  const methods = service as unknown as Readonly<Record<string, Method>>;
  const calls = operationsOf(group).map(([name, operation]): [string, Method] => [
    name,
    async (...given) => {
      const call = await within(operation, callOf(operation, given), limits);
      const result = await methods[name]!(...argumentsOf(operation, call));
      const { reaches } = operation;
      if (limits.namespace === undefined || !('shown' in reaches)) return result;
      return reaches.shown(result, limits.namespace);
    },
  ]);
  return Object.fromEntries(calls) as never;
}

/** The call as it may be carried out; rejects where the key does not allow it. */
async function within({ access, reaches }: AnyOperation, { id, request, options }: Call, limits: Limits): Promise<Call> {
  if ('everything' in reaches) throw new LoreError('forbidden', reaches.why);
  if (access === 'write') limits.mayWrite();
  if (reaches.beyond?.(request) === true) limits.mayLeaveNamespace();
  const allowed = {
    ...(isWithin(reaches.namespace, request) ? limits.within(request) : request),
    ...(limits.namespace !== undefined && reaches.bound),
    ...(reaches.selected && { ids: await reached(request['ids'] as readonly string[], { limits, options }) }),
  };
  const named = [id ?? [], reaches.entries?.(request as never) ?? []].flat();
  for (const each of named) await limits.mustReach(each, options);
  const bound = reaches.hidden === true && limits.namespace !== undefined && { namespace: limits.namespace };
  return { id, request: allowed, options: { ...options, ...bound } };
}

/** Whether the namespace of a bound key is that of the request. */
const isWithin = (namespace: true | 'given' | undefined, request: Call['request']): boolean =>
  namespace === 'given' ? request['namespace'] !== undefined : namespace === true;

/** Those of the ids that the key reaches. The answer to others is the same as to ids that name nothing. */
async function reached(ids: readonly string[], { limits, options }: { limits: Limits; options: CallOptions }): Promise<string[]> {
  const within: string[] = [];
  for (const id of ids) await limits.mustReach(id, options).then(() => within.push(id), unlessNotFound);
  if (within.length === 0 && ids[0] !== undefined) throw entryNotFound(ids[0]);
  return within;
}

function unlessNotFound(error: unknown): void {
  if (!(error instanceof LoreError && error.code === 'not_found')) throw error;
}
