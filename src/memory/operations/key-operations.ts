import { z } from 'zod';
import { Namespace } from '../entry.ts';
import type { Result } from '../result.ts';
import { Time } from '../timestamp.ts';
import type { CallOptions } from './operations.ts';

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u;
export const KEY_NAME_RULE = 'must be 1 to 64 letters, digits, spaces or . _ @ - and begin with a letter or digit';
export const KeyName = z.string().regex(NAME, KEY_NAME_RULE);
const KEY_ACCESS = ['full', 'read'] as const;

export const GenerateKeyRequest = z
  .strictObject({
    name: KeyName.optional().meta({ description: 'Default: `key-` and its id.' }),
    access: z.enum(KEY_ACCESS).optional().meta({ description: '`read` cannot change anything. Default `full`.' }),
    namespace: Namespace.optional().meta({ description: 'The only namespace the key can access. Default: all.' }),
  })
  .meta({ id: 'GenerateKeyRequest' });
export type GenerateKeyRequest = z.output<typeof GenerateKeyRequest>;

export const RevokeKeyRequest = z
  .strictObject({ id: z.string().regex(/^[0-9a-f]{12}$/, 'must be the 12 characters of the id of a key') })
  .meta({ id: 'RevokeKeyRequest' });
export type RevokeKeyRequest = z.output<typeof RevokeKeyRequest>;

/** A generated key, without the key itself. */
export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    access: z.enum(KEY_ACCESS),
    namespace: z.string().exactOptional().meta({ description: 'The only namespace it can access; absent for all.' }),
    createdAt: Time,
    lastUsedAt: Time.exactOptional().meta({ description: 'To the minute; absent if it was never used.' }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = Result<typeof ApiKey>;

/** The keys that are generated and kept as SHA-256. Reject with LoreError. */
export interface KeyOperations {
  /** Oldest first. */
  list(options?: CallOptions): Promise<readonly ApiKey[]>;
  /** `key` is in this result only. Rejects with `invalid_input` if the name is taken. */
  generate(request: GenerateKeyRequest, options?: CallOptions): Promise<ApiKey & { readonly key: string }>;
  /** Rejects with `not_found` if no key has the id. */
  revoke(request: RevokeKeyRequest, options?: CallOptions): Promise<ApiKey>;
}
