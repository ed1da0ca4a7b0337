import type { AuditedAction, AuditedCaller, AuditRecord, AuditSink } from '../../memory/audit.ts';
import { LoreError } from '../../memory/errors.ts';
import { AlreadyAnswered } from '../../memory/idempotency.ts';
import type { CallOptions, HealthOptions, ImportOptions } from '../../memory/operations/operations.ts';
import type { StoreOperations } from '../../memory/operations/sync-operations.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { operationOf, OPERATIONS } from '../../operations/table.ts';
import { ACTIONS, GROUP_ACTIONS } from './audit-actions.ts';
import { definedFacts, factsOf } from './audit-facts.ts';

type Call = (...given: unknown[]) => unknown;
type Actions = Readonly<Record<string, AuditedAction | undefined>>;

/**
 * The same operations, each of which leaves one record of who used it, of which entries and with what result; also where it was refused. An
 * answer that goes on is recorded when it begins (events) or ends (an export).
 */
export function auditedBy(memories: StoreOperations, caller: AuditedCaller, sink: AuditSink): StoreOperations {
  const record = recorder(caller, sink);
  const groups = new Map<PropertyKey, unknown>();
  return new Proxy(memories, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === 'function') {
        const definition = operationOf('memories', String(name));
        return recorded(target, value as Call, definition?.audited ?? action(ACTIONS, name), record(String(name), definition));
      }
      if (!Object.hasOwn(GROUP_ACTIONS, name) && !Object.hasOwn(OPERATIONS, name)) return value;
      if (!groups.has(name)) groups.set(name, groupOf(value as object, String(name), record));
      return groups.get(name);
    },
  });
}

function groupOf(group: object, name: string, record: ReturnType<typeof recorder>): unknown {
  return new Proxy(group, {
    get(target, method) {
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== 'function') return value;
      const definition = operationOf(name, String(method));
      const kind = definition?.audited ?? action(GROUP_ACTIONS[name as keyof typeof GROUP_ACTIONS], method);
      return recorded(target, value as Call, kind, record(`${name}.${String(method)}`, definition));
    },
  });
}

const action = (actions: Actions = {}, name: PropertyKey): AuditedAction | undefined =>
  typeof name === 'string' && Object.hasOwn(actions, name) ? actions[name] : undefined;

type Note = (of: { action: AuditedAction; given: readonly unknown[]; result: string; answer?: unknown }) => void;

function recorder(caller: AuditedCaller, sink: AuditSink): (operation: string, definition?: AnyOperation) => Note {
  return (operation, definition) =>
    ({ action: kind, given, result, answer }) => {
      const source = sourceOf(given);
      const facts = definition === undefined ? factsOf(given, answer) : definedFacts(definition, given, answer);
      const { key, access, bound, remote, requestId } = caller;
      const record: AuditRecord = {
        time: new Date().toISOString(),
        ...(requestId !== undefined && { requestId }),
        key,
        ...(access !== undefined && { access }),
        ...(bound !== undefined && { bound }),
        ...(remote !== undefined && { remote }),
        ...(source !== undefined && { source }),
        action: kind,
        operation,
        ...facts,
        result,
      };
      sink.write(record);
    };
}

function recorded(owner: object, method: Call, kind: AuditedAction | undefined, note: Note): Call {
  const call: Call = (...given) => Reflect.apply(method, owner, given);
  if (kind === undefined) return call;
  return (...given) => {
    let answer: unknown;
    try {
      answer = call(...given);
    } catch (error) {
      note({ action: kind, given, result: codeOf(error) });
      throw error;
    }
    if (isStream(answer)) return kind === 'export' ? countedStream(answer, { kind, given, note }) : begun(answer, { kind, given, note });
    return (answer as Promise<unknown>).then(
      (value) => {
        note({ action: kind, given, result: 'ok', answer: value });
        return value;
      },
      (error: unknown) => {
        note({ action: kind, given, result: codeOf(error) });
        throw error;
      },
    );
  };
}

type Recording = { readonly kind: AuditedAction; readonly given: readonly unknown[]; readonly note: Note };

function begun(stream: AsyncIterable<unknown>, { kind, given, note }: Recording): AsyncIterable<unknown> {
  note({ action: kind, given, result: 'ok' });
  return stream;
}

/** A reader that goes away early has what it took. */
async function* countedStream(stream: AsyncIterable<unknown>, { kind, given, note }: Recording): AsyncGenerator<unknown> {
  let count = 0;
  let result = 'ended early';
  try {
    for await (const item of stream) {
      if (typeof item === 'object' && item !== null && 'content' in item) count += 1;
      yield item;
    }
    result = 'ok';
  } catch (error) {
    result = codeOf(error);
    throw error;
  } finally {
    note({ action: kind, given, result, answer: { count } });
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

const codeOf = (error: unknown): string => {
  if (error instanceof AlreadyAnswered) return 'replayed';
  return error instanceof LoreError ? error.code : 'internal';
};

/** Every field that options have: with one that is missing here this does not compile. */
const OPTIONS: Readonly<Record<keyof (ImportOptions & HealthOptions), true>> = {
  source: true,
  signal: true,
  onLine: true,
  namespace: true,
  idempotencyKey: true,
  idempotent: true,
};

/** Options stand last, after the request. */
function sourceOf(given: readonly unknown[]): string | undefined {
  const last = given.length > 1 ? given.at(-1) : undefined;
  if (typeof last !== 'object' || last === null || !Object.keys(last).every((name) => Object.hasOwn(OPTIONS, name))) return undefined;
  return (last as CallOptions).source;
}
