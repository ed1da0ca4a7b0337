import type { ApiKey, KeyOperations } from '../../memory/operations/key-operations.ts';

/** The file of this user's generated keys. */
export async function keysFile(): Promise<string> {
  const [{ keysFilePath }, { userDirectories }] = await Promise.all([
    import('../../config/api-keys.ts'),
    import('../../config/directories.ts'),
  ]);
  return keysFilePath(userDirectories().config);
}

/** This user's keys; a server on this machine has the same. */
export async function openKeys(): Promise<KeyOperations> {
  const { keyFileOperations } = await import('../../config/key-file-operations.ts');
  return keyFileOperations(await keysFile());
}

/** A key as `--json` has it: times in ISO 8601. */
export type PrintedKey = Omit<ApiKey, 'createdAt' | 'lastUsedAt'> & { readonly createdAt: string; readonly lastUsedAt?: string };

export function printedKey<Key extends ApiKey>({ createdAt, lastUsedAt, ...rest }: Key) {
  const iso = (ms: number): string => new Date(ms).toISOString();
  return { ...rest, createdAt: iso(createdAt), ...(lastUsedAt !== undefined && { lastUsedAt: iso(lastUsedAt) }) };
}
