import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from './log.ts';

/** The request that a piece of work is done for. */
export interface Scope {
  /** Absent for work that no request asked for. */
  readonly requestId?: string | undefined;
  /** True once it is answered: what it has set off and goes on behind it belongs to nobody. */
  readonly isOver: boolean;
  /** For tracing alone; nothing else looks into it. */
  readonly trace?: unknown;
}

const scopes = new AsyncLocalStorage<Scope | undefined>();

/** The request that is answered here, if there is one. */
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
