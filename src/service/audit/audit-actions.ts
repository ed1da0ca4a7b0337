import type { AuditedAction } from '../../memory/audit.ts';
import type { OperationGroup, OPERATIONS } from '../../operations/table.ts';
import type { StoreOperations } from '../../memory/operations/sync-operations.ts';

/** Every operation of a group, and what it is; undefined for what tells nothing of anyone's memories. */
type ActionsOf<T> = {
  readonly [K in keyof T as T[K] extends (...given: never[]) => unknown ? K : never]: AuditedAction | undefined;
};
type Groups = {
  readonly [
    K in keyof StoreOperations as StoreOperations[K] extends (...given: never[]) => unknown ? never : Exclude<K, OperationGroup>
  ]: ActionsOf<StoreOperations[K]>;
};

/** Those of the operations that stand on their own which have no definitions yet. A new one belongs here, or this does not compile. */
export const ACTIONS = {
  health: undefined,
  export: 'export',
  import: 'import',
} as const satisfies ActionsOf<Omit<StoreOperations, keyof (typeof OPERATIONS)['memories']>>;

/** Those of each group that has no definitions yet. */
export const GROUP_ACTIONS = {
  changes: { follow: 'read' },
} as const satisfies Groups;
