/** Every operation, by the group and the name it has in the service. */
import { administration } from './administration.ts';
import { backups } from './backups.ts';
import { bulk } from './bulk.ts';
import { capture } from './capture.ts';
import { checks } from './checks.ts';
import { details } from './details.ts';
import { entries } from './entries.ts';
import { changes } from './events.ts';
import { finding } from './finding.ts';
import { health } from './health.ts';
import { keys } from './keys.ts';
import { lifecycle } from './lifecycle.ts';
import { memories } from './memories.ts';
import { moves } from './namespaces.ts';
import type { AnyOperation } from './operation.ts';
import { relations } from './relations.ts';
import { settings } from './settings.ts';
import { sources } from './sources.ts';
import { statistics } from './statistics.ts';
import { sync } from './sync.ts';
import { transfer } from './transfer.ts';

export const OPERATIONS = {
  memories: { ...entries, ...finding, ...memories, ...checks, ...health, ...transfer },
  administration,
  backups,
  bulk,
  capture,
  changes,
  details,
  keys,
  lifecycle,
  moves,
  relations,
  settings,
  sources,
  statistics,
  sync,
} as const;
export type OperationGroup = keyof typeof OPERATIONS;

/** The service object with the operations of a group; those of `memories` are on the service itself. */
export type GroupOf<Service, Group extends string> = (Service & { readonly memories: Service })[Group & (keyof Service | 'memories')];
export function groupOf<Service extends object, Group extends OperationGroup>(service: Service, group: Group): GroupOf<Service, Group> {
  const groups: object = service;
  return ((groups as Partial<Record<Group, unknown>>)[group] ?? service) as GroupOf<Service, Group>;
}

/** The operations of a group, by name. */
export function operationsOf(group: OperationGroup): readonly (readonly [name: string, operation: AnyOperation])[] {
  return Object.entries(OPERATIONS[group] as Readonly<Record<string, AnyOperation>>);
}

/** The definition of an operation; undefined for an unknown one. */
export function operationOf(group: string, name: string): AnyOperation | undefined {
  const groups: Readonly<Record<string, object>> = OPERATIONS;
  const operations = Object.hasOwn(groups, group) ? (groups[group] as Readonly<Record<string, AnyOperation>>) : {};
  return Object.hasOwn(operations, name) ? operations[name] : undefined;
}
