/** Every operation that is defined here, by the group and the name it has in the service. */
import { backups } from './backups.ts';
import { bulk } from './bulk.ts';
import { capture } from './capture.ts';
import { details } from './details.ts';
import { lifecycle } from './lifecycle.ts';
import { moves } from './namespaces.ts';
import type { AnyOperation } from './operation.ts';
import { relations } from './relations.ts';
import { sources } from './sources.ts';
import { statistics } from './statistics.ts';
import { sync } from './sync.ts';

export const OPERATIONS = { backups, bulk, capture, details, lifecycle, moves, relations, sources, statistics, sync } as const;
export type OperationGroup = keyof typeof OPERATIONS;

/** The operations of a group, by name. */
export function operationsOf(group: OperationGroup): readonly (readonly [name: string, operation: AnyOperation])[] {
  return Object.entries(OPERATIONS[group] as unknown as Readonly<Record<string, AnyOperation>>);
}

/** The definition of an operation; undefined for those that have none yet. */
export function operationOf(group: string, name: string): AnyOperation | undefined {
  const groups: Readonly<Record<string, object>> = OPERATIONS;
  if (!Object.hasOwn(groups, group) || !Object.hasOwn(groups[group]!, name)) return undefined;
  return (groups[group] as Readonly<Record<string, AnyOperation>>)[name];
}
