import { randomBytes } from 'node:crypto';
import { Namespace } from '../memory/entry.ts';
import { LoreError } from '../memory/errors.ts';
import type { Grant } from '../memory/grant.ts';
import { KEY_NAME_RULE, KeyName } from '../memory/operations/key-operations.ts';
import { changeKeyFile, digestOf, readKeyFile, type KeyRecord } from './key-file.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

export { keysFilePath, type KeyRecord } from './key-file.ts';
export { openKeyRing } from './key-ring.ts';

const KEY_PREFIX = 'lore_';
const KEY_BYTES = 32;
const ID_PREFIX_CHARS = 4;

interface NewKey {
  readonly file: string;
  /** Default: `key-` and the id. */
  readonly name?: string | undefined;
  readonly access: Grant['access'];
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
}

/**
 * Generates a key and stores its SHA-256. Only the result contains the key itself. Errors: `invalid_input` for an invalid or taken name or
 * an invalid namespace; `filesystem`; `config` for a damaged file.
 */
export async function generateKey({ file, name, access, namespace }: NewKey): Promise<{ key: string; record: KeyRecord }> {
  const key = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
  const id = randomBytes(6).toString('hex');
  const record = checkedRecord({
    id,
    name: name ?? `key-${id}`,
    access,
    ...withoutUndefined({ namespace }),
    sha256: digestOf(key).toString('hex'),
    createdAt: new Date().toISOString(),
  });
  await changeKeyFile(file, (keys) => {
    if (!keys.some((other) => other.name === record.name)) return { keys: [...keys, record], result: undefined };
    throw new LoreError('invalid_input', `A key named ${JSON.stringify(record.name)} exists already.`, { hint: 'Choose another name.' });
  });
  return { key, record };
}

/** Validates a record; its namespace gets the stored form. */
function checkedRecord({ namespace, ...record }: KeyRecord): KeyRecord {
  if (!KeyName.safeParse(record.name).success) throw new LoreError('invalid_input', `The name of a key ${KEY_NAME_RULE}.`);
  const parsed = Namespace.optional().safeParse(namespace);
  if (!parsed.success) throw new LoreError('invalid_input', `The namespace ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
  return { ...record, ...withoutUndefined({ namespace: parsed.data }) };
}

/** All generated keys, oldest first. Errors: `filesystem`, `config`. */
export async function listKeys(file: string): Promise<readonly KeyRecord[]> {
  return readKeyFile(file);
}

/** Number of generated keys that are not revoked. Errors: `filesystem`, `config`. */
export function countKeys(file: string): number {
  return readKeyFile(file).length;
}

/**
 * Revokes a key by name, id or id prefix of four or more characters. Errors: `not_found`; `invalid_input` if several match; `filesystem`;
 * `config`.
 */
export async function revokeKey({ file, key }: { readonly file: string; readonly key: string }): Promise<KeyRecord> {
  return changeKeyFile(file, (keys) => {
    const result = findKey(keys, key);
    return { keys: keys.filter((record) => record !== result), result };
  });
}

function findKey(keys: readonly KeyRecord[], wanted: string): KeyRecord {
  const named = keys.find((record) => record.name === wanted);
  const found = named ? [named] : keys.filter((record) => wanted.length >= ID_PREFIX_CHARS && record.id.startsWith(wanted.toLowerCase()));
  const [target, second] = found;
  if (!target) {
    throw new LoreError('not_found', `No key has the name or id ${JSON.stringify(wanted.slice(0, 64))}.`, {
      hint: '`lore auth list` shows every key.',
    });
  }
  if (second)
    throw new LoreError('invalid_input', 'Several keys have an id with this prefix.', { hint: 'Give more characters of the id.' });
  return target;
}
