import type { AnyOperation } from './operation.ts';
import { operationOf, OPERATIONS, type OperationGroup } from './table.ts';

/** Runs one operation: takes its arguments, returns its promise or its stream. */
export type Method = (...given: unknown[]) => unknown;
/** What replaces an operation; `name` is `save` of the service itself, `relations.list` of a group. */
type Wrap = (operation: AnyOperation, run: Method, name: string) => Method;

/** The operations of a service, each as `wrap` returns it. Other members are not accessible. */
export function wrapped<Service extends object>(service: Service, wrap: Wrap): Service {
  const groups = new Map<PropertyKey, object>();
  return new Proxy(service, {
    get(target, name) {
      if (typeof name === 'symbol') return undefined;
      if (name === 'memories' || !Object.hasOwn(OPERATIONS, name)) return wrappedMethod({ owner: target, group: 'memories', name }, wrap);
      const known = groups.get(name);
      if (known !== undefined) return known;
      const group = wrappedGroup(Reflect.get(target, name) as object, name, wrap);
      groups.set(name, group);
      return group;
    },
  });
}

/** The service, and one more group of operations. */
export function withGroup<Service extends object, Group extends OperationGroup, Added extends object>(
  service: Service,
  group: Group,
  operations: Added,
): Service & { readonly [G in Group]: Added } {
  return new Proxy(service, {
    get(target, name) {
      if (name === group) return operations;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  }) as Service & { readonly [G in Group]: Added };
}

const wrappedGroup = (owner: object, group: string, wrap: Wrap): object =>
  new Proxy(owner, { get: (_, name) => (typeof name === 'symbol' ? undefined : wrappedMethod({ owner, group, name }, wrap)) });

function wrappedMethod({ owner, group, name }: { owner: object; group: string; name: string }, wrap: Wrap): Method | undefined {
  const operation = operationOf(group, name);
  if (operation === undefined) return undefined;
  const run: Method = (...given) => Reflect.apply(Reflect.get(owner, name) as Method, owner, given);
  return wrap(operation, run, group === 'memories' ? name : `${group}.${name}`);
}
