import { LoreError } from '../../memory/errors.ts';
import { remoteFault } from './remote-fault.ts';
import { cloudFault } from './service-fault.ts';

const DISK_FULL = /No space left on device|os error 28\b|ENOSPC|StorageFull|Disk quota exceeded|os error 122\b|EDQUOT/;
/** Advice on when to retry after a failure of the machine. */
const RETRY_SECONDS = 10;

const KNOWN: readonly {
  readonly pattern: RegExp;
  readonly code: 'unavailable' | 'filesystem';
  readonly message: string;
  readonly hint: string;
}[] = [
  {
    pattern: DISK_FULL,
    code: 'unavailable',
    message: 'The disk is full.',
    hint: 'Free some space. Reading still works, and saving resumes at once.',
  },
  {
    pattern: /Read-only file system|os error 30\b|EROFS/,
    code: 'unavailable',
    message: 'The store is on a read-only file system.',
    hint: 'Mount it writable, or set storage.path to another folder.',
  },
  {
    pattern: /Too many open files|os error 24\b|EMFILE|ENFILE/,
    code: 'unavailable',
    message: 'The process has too many open files.',
    hint: 'Try again with fewer connections. If it happens often, raise the limit (ulimit -n) and restart.',
  },
  {
    pattern: /Input\/output error|os error 5\b|\bEIO\b/,
    code: 'unavailable',
    message: 'The disk reported an error.',
    hint: 'Check the disk; `lore doctor` checks the store.',
  },
  {
    pattern: /Permission denied|os error 13\b|EACCES|EPERM/,
    code: 'filesystem',
    message: 'This user may not read or write the store folder.',
    hint: 'Give the user rights to it, or set storage.path to another folder.',
  },
];

/**
 * Converts a failure of the engine, for `.catch(asStoreError('save entries'))`. The engine's own text stays in the cause, because it
 * contains paths and source lines that a client must not see.
 */
export function asStoreError(action: string): (cause: unknown) => never {
  return (cause) => {
    if (cause instanceof LoreError) throw cause;
    const remote = cloudFault(action, cause) ?? remoteFault(action, cause);
    if (remote !== undefined) throw remote;
    const text = cause instanceof Error ? cause.message : String(cause);
    const known = KNOWN.find(({ pattern }) => pattern.test(text));
    if (known !== undefined) {
      const options = { cause, hint: known.hint, ...(known.code === 'unavailable' && { retryAfterSeconds: RETRY_SECONDS }) };
      throw new LoreError(known.code, `Could not ${action}. ${known.message}`, options);
    }
    throw new LoreError('internal', `Could not ${action}.`, { cause });
  };
}

/** Whether the cause is a full disk, or an exhausted quota of the user. */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (DISK_FULL.test(cause.message)) return true;
  return false;
}

const NO_SUCH_FILE = '2';

/** Whether the system denied reading a file: that may be temporary, and does not mean damage. */
export function isFault(cause: unknown): boolean {
  const text = cause instanceof Error ? cause.message : String(cause);
  const number = /os error (\d+)/.exec(text)?.[1];
  return (number !== undefined && number !== NO_SUCH_FILE) || /\b(?:EACCES|EPERM|EMFILE|ENFILE|EIO|ENOMEM)\b/.test(text);
}

/** Whether the engine failed but not the system: a file may be damaged. */
export function mayBeDamage(error: unknown): error is LoreError {
  return error instanceof LoreError && error.code === 'internal' && !isFault(error.cause) && !isDiskFull(error);
}

/** Rethrows system errors, for `.catch(refuseFaults('open the store'))`. Anything else counts as damage and gives undefined. */
export function refuseFaults(action: string): (cause: unknown) => undefined {
  return (cause) => {
    if (isFault(cause)) asStoreError(action)(cause);
  };
}
