import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from './log.ts';

/** The request for which work is done. */
export interface Scope {
  /** Absent for background work. */
  readonly requestId?: string | undefined;
  /** True after the response; work that continues then is background work. */
  readonly isOver: boolean;
  /** For tracing alone; nothing else looks into it. */
  readonly trace?: unknown;
}

const scopes = new AsyncLocalStorage<Scope | undefined>();

/** The current request, if any. */
export function currentScope(): Scope | undefined {
  const scope = scopes.getStore();
  return scope?.isOver === true ? undefined : scope;
}

/** Runs work, and all that follows from it, for this request; `undefined` for none. */
export function within<T>(scope: Scope | undefined, work: () => T): T {
  return scopes.run(scope, work);
}

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** The same log, with the id of the request in each line that is written on behalf of one. */
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
