import type { ApiKey, KeyOperations } from '../memory/operations/key-operations.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';
import { generateKey, listKeys, revokeKey, type KeyRecord } from './api-keys.ts';
import { readKeyUses } from './key-uses.ts';

/** The keys of a file, as operations: of a server, and of the command line. */
export function keyFileOperations(file: string): KeyOperations {
  const shown = ({ id, name, access, namespace, createdAt }: KeyRecord): ApiKey => {
    const used = readKeyUses(file)[id];
    const lastUsedAt = used === undefined ? undefined : Date.parse(used);
    return { id, name, access, ...withoutUndefined({ namespace }), createdAt: Date.parse(createdAt), ...withoutUndefined({ lastUsedAt }) };
  };
  return {
    list: async () => (await listKeys(file)).map(shown),
    generate: async ({ name, access = 'full', namespace }) => {
      const { key, record } = await generateKey({ file, name, access, namespace });
      return { key, ...shown(record) };
    },
    revoke: async ({ id }) => shown(await revokeKey({ file, key: id })),
  };
}
