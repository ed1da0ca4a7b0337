import { LoreError } from '../memory/errors.ts';

const KNOWN: readonly {
  readonly pattern: RegExp;
  readonly code: 'unavailable' | 'filesystem';
  readonly message: string;
  readonly hint: string;
}[] = [
  {
    pattern: /No space left on device|os error 28|ENOSPC|StorageFull/,
    code: 'unavailable',
    message: 'The disk is full.',
    hint: 'Free some space; reading goes on, and saving works again at once.',
  },
  {
    pattern: /Read-only file system|os error 30|EROFS/,
    code: 'unavailable',
    message: 'The store is on a read-only file system.',
    hint: 'Mount it writable, or set storage.path to another folder.',
  },
  {
    pattern: /Too many open files|os error 24|EMFILE/,
    code: 'unavailable',
    message: 'The process has too many open files.',
    hint: 'Raise the limit (ulimit -n), then start again.',
  },
  {
    pattern: /Permission denied|os error 13|EACCES|EPERM/,
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
    const text = cause instanceof Error ? cause.message : String(cause);
    const known = KNOWN.find(({ pattern }) => pattern.test(text));
    if (known !== undefined) throw new LoreError(known.code, `Could not ${action}. ${known.message}`, { cause, hint: known.hint });
    throw new LoreError('internal', `Could not ${action}.`, { cause });
  };
}
