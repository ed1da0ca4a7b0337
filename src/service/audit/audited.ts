import type { AuditedCaller, AuditRecord, AuditSink } from '../../memory/audit.ts';
import { LoreError } from '../../memory/errors.ts';
import { AlreadyAnswered } from '../../memory/idempotency.ts';
import type { StoreOperations } from '../../memory/operations/sync-operations.ts';
import { callOf } from '../../operations/operation.ts';
import { operationOf, OPERATIONS } from '../../operations/table.ts';
import { factsOf } from './audit-facts.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

type Method = (...given: unknown[]) => unknown;
/** Leaves the record of a call. */
type Note = (result: string, answer?: unknown) => void;

/**
 * The same operations, each of which leaves one record of who used it, of which entries and with what result; also where it was refused. An
 * answer that goes on is recorded when it begins (events) or ends (an export).
 */
export function auditedBy(memories: StoreOperations, caller: AuditedCaller, sink: AuditSink): StoreOperations {
  const groups = new Map<PropertyKey, unknown>();
  const audited = <T extends object>(owner: T, group: string): T =>
    new Proxy(owner, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === 'function') return recorded(target, value as Method, { group, name: String(name), caller, sink });
        if (group !== 'memories' || !Object.hasOwn(OPERATIONS, name)) return value;
        if (!groups.has(name)) groups.set(name, audited(value as object, String(name)));
        return groups.get(name);
      },
    });
  return audited(memories, 'memories');
}

interface Recording {
  readonly group: string;
  readonly name: string;
  readonly caller: AuditedCaller;
  readonly sink: AuditSink;
}

function recorded(owner: object, method: Method, { group, name, caller, sink }: Recording): Method {
  const operation = operationOf(group, name);
  const action = operation?.audited;
  if (operation === undefined || action === undefined) return (...given) => Reflect.apply(method, owner, given);
  return (...given) => {
    const note: Note = (result, answer) => {
      const call = callOf(operation, given);
      const { key, access, bound, remote, requestId } = caller;
      const { source } = call.options;
      const record: AuditRecord = {
        time: new Date().toISOString(),
        ...withoutUndefined({ requestId }),
        key,
        ...withoutUndefined({ access, bound, remote, source }),
        action,
        operation: group === 'memories' ? name : `${group}.${name}`,
        ...factsOf(operation, call, answer),
        result,
      };
      sink.write(record);
    };
    let answer: unknown;
    try {
      answer = Reflect.apply(method, owner, given);
    } catch (error) {
      note(codeOf(error));
      throw error;
    }
    if (isStream(answer)) return action === 'export' ? countedStream(answer, note) : begun(answer, note);
    return (answer as Promise<unknown>).then(
      (value) => {
        note('ok', value);
        return value;
      },
      (error: unknown) => {
        note(codeOf(error));
        throw error;
      },
    );
  };
}

function begun(stream: AsyncIterable<unknown>, note: Note): AsyncIterable<unknown> {
  note('ok');
  return stream;
}

/** A reader that goes away early has what it took. */
async function* countedStream(stream: AsyncIterable<unknown>, note: Note): AsyncGenerator<unknown> {
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
    note(result, { count });
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

const codeOf = (error: unknown): string => {
  if (error instanceof AlreadyAnswered) return 'replayed';
  return error instanceof LoreError ? error.code : 'internal';
};
