import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from './log.ts';

/** The request that the current work belongs to. */
export interface Scope {
  /** Absent for background work. */
  readonly requestId?: string | undefined;
  /** True after the response; work that continues counts as background work. */
  readonly isOver: boolean;
  /** Owned by the tracer. */
  readonly trace?: unknown;
}

const scopes = new AsyncLocalStorage<Scope | undefined>();

/** The current request, if any. */
export function currentScope(): Scope | undefined {
  const scope = scopes.getStore();
  return scope?.isOver === true ? undefined : scope;
}

/** Runs `work` and its asynchronous continuations in the scope of a request; `undefined`: in none. */
export function runInScope<T>(scope: Scope | undefined, work: () => T): T {
  return scopes.run(scope, work);
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** A log that adds the id of the current request to each line. */
export function scopedLog(log: Log): Log {
  const written = LEVELS.map((level): [string, Log['info']] => [
    level,
    (fields, message) => {
      const requestId = currentScope()?.requestId;
      log[level](requestId === undefined ? fields : { requestId, ...fields }, message);
    },
  ]);
  return Object.fromEntries(written) as Record<(typeof LEVELS)[number], Log['info']>;
}
