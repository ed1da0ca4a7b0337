import type { AuditedAction } from '../../memory/audit.ts';
import type { OperationGroup } from '../../operations/table.ts';
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

/** The operations that stand on their own. A new one belongs here, or this does not compile. */
export const ACTIONS = {
  save: 'write',
  recall: 'read',
  search: 'read',
  explain: 'read',
  diagnose: 'administer',
  verify: 'administer',
  list: 'read',
  get: 'read',
  markUsed: 'read',
  update: 'write',
  forget: 'delete',
  namespaces: 'read',
  health: undefined,
  stats: 'read',
  migrate: 'administer',
  export: 'export',
  import: 'import',
} as const satisfies ActionsOf<StoreOperations>;

/** Those of each group that has no definitions yet. */
export const GROUP_ACTIONS = {
  changes: { follow: 'read' },
} as const satisfies Groups;
