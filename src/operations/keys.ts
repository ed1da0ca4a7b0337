/** API keys of the server. A secret is returned once, when its key is created. */
import { z } from 'zod';
import { ApiKey, GenerateKeyRequest, RevokeKeyRequest, type KeyOperations } from '../memory/operations/key-operations.ts';
import { NoRequest, type Definitions } from './operation.ts';

const common = {
  reaches: { everything: true, why: 'API keys need a key with full access to every namespace.' },
  view: 'none',
  audited: 'administer',
} as const;
/** A failed request is recorded without fields, because they may contain anything, even a key. */
const noted = (_request: unknown, key: ApiKey | undefined) =>
  key === undefined ? {} : { subject: key.name, granted: key.access, namespaces: key.namespace === undefined ? [] : [key.namespace] };

export const keys = {
  list: {
    ...common,
    route: 'GET /api/keys',
    id: 'keys',
    summary: 'List API keys',
    description: 'Keys of `lore auth generate-key` and of this route; keys of the configuration are not listed.',
    answer: 'Oldest first, without the keys themselves.',
    request: NoRequest,
    result: z.array(ApiKey).meta({ description: 'Oldest first.' }),
    as: 'keys',
    beside: { yours: z.string().meta({ description: 'Name of the key of this request.' }) },
    counts: 'keys',
    access: 'read',
  },
  generate: {
    ...common,
    route: 'POST /api/keys',
    id: 'generateKey',
    summary: 'Create an API key',
    description:
      'The answer has the key, which is never shown again. While no key is required, this works on this machine only, and not for pages of other origins; once a key exists, every request requires one.',
    answer: 'The key and its record.',
    request: GenerateKeyRequest,
    result: ApiKey.extend({ key: z.string().meta({ description: 'The key itself. Only its SHA-256 is stored.' }) }),
    access: 'write',
    notes: noted,
  },
  revoke: {
    ...common,
    route: 'DELETE /api/keys',
    id: 'revokeKey',
    summary: 'Revoke an API key',
    description: 'The server refuses the key at once. If no key is left, it refuses every request.',
    answer: 'The record of the revoked key.',
    request: RevokeKeyRequest,
    result: ApiKey,
    as: 'revoked',
    access: 'write',
    problems: ['404'],
    notes: noted,
  },
} as const satisfies Definitions<KeyOperations>;
