import type { AuditedAction, AuditedCaller, AuditRecord, AuditSink } from '../../memory/audit.ts';
import { LoreError } from '../../memory/errors.ts';
import { DuplicateRequestError } from '../../memory/idempotency.ts';
import type { StoreOperations } from '../../memory/operations/sync-operations.ts';
import { callOf, type AnyOperation } from '../../operations/operation.ts';
import { wrapped, type Method } from '../../operations/wrapping.ts';
import { factsOf } from './audit-facts.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Leaves the record of a call. */
type Note = (result: string, answer?: unknown) => void;

/**
 * Wraps operations so that each call, even a refused one, leaves an audit record. A stream is recorded when it begins (events) or ends
 * (an export).
 */
export function auditedBy(memories: StoreOperations, caller: AuditedCaller, sink: AuditSink): StoreOperations {
  return wrapped(memories, (operation, run, name) => {
    const { audited: action } = operation;
    return action === undefined ? run : recorded(run, { operation, action, name, caller, sink });
  });
}

interface Recording {
  readonly operation: AnyOperation;
  readonly action: AuditedAction;
  readonly name: string;
  readonly caller: AuditedCaller;
  readonly sink: AuditSink;
}

function recorded(run: Method, { operation, action, name, caller, sink }: Recording): Method {
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
        operation: name,
        ...factsOf(operation, call, answer),
        result,
      };
      sink.write(record);
    };
    let answer: unknown;
    try {
      answer = run(...given);
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

/** A reader that stops early has received everything sent so far. */
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
  if (error instanceof DuplicateRequestError) return 'replayed';
  return error instanceof LoreError ? error.code : 'internal';
};
