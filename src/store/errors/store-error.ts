import { LoreError } from '../../memory/errors.ts';
import { remoteFault } from './remote-fault.ts';
import { cloudFault } from './service-fault.ts';

const DISK_FULL = /No space left on device|os error 28\b|ENOSPC|StorageFull|Disk quota exceeded|os error 122\b|EDQUOT/;
/** When it makes sense to try again what the machine did not allow. */
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
    message: 'The store folder may not be read or written by this user.',
    hint: 'Give the user rights to it, or set storage.path to another folder.',
  },
];

/**
 * Turns a failure of the engine into one of ours, for `.catch(asStoreError('save entries'))`. The engine's own text stays in the cause:
 * it holds paths and source lines that are no business of a client.
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

/** Whether something failed because there was no space left on the disk, or none of the user's share of it. */
export function isDiskFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (DISK_FULL.test(cause.message)) return true;
  return false;
}

const NO_SUCH_FILE = '2';

/** Whether the system did not let a file be read: that may pass, and says nothing about what is in the file. */
export function isFault(cause: unknown): boolean {
  const text = cause instanceof Error ? cause.message : String(cause);
  const number = /os error (\d+)/.exec(text)?.[1];
  return (number !== undefined && number !== NO_SUCH_FILE) || /\b(?:EACCES|EPERM|EMFILE|ENFILE|EIO|ENOMEM)\b/.test(text);
}

/** Whether the engine failed and the system did not: a file may be damaged. */
export function mayBeDamage(error: unknown): error is LoreError {
  return error instanceof LoreError && error.code === 'internal' && !isFault(error.cause) && !isDiskFull(error);
}

/** Throws such a fault, for `.catch(refuseFaults('open the store'))`. Anything else is taken for damage, and gives undefined. */
export function refuseFaults(action: string): (cause: unknown) => undefined {
  return (cause) => {
    if (isFault(cause)) asStoreError(action)(cause);
  };
}
