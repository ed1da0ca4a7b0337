import type { z } from 'zod';
import { areNested, isRemote, isUri } from '../memory/store-address.ts';

/** The settings used by rules over several keys. */
interface Checked {
  readonly memory: {
    readonly chunkSize: number;
    readonly chunkOverlap: number;
    readonly defaultLimit: number;
    readonly maxLimit: number;
  };
  readonly search: { readonly limit: number; readonly vectorWeight?: number | undefined; readonly keywordWeight?: number | undefined };
  readonly storage: { readonly path: string; readonly backupPath?: string | undefined };
  readonly server: {
    readonly headersTimeoutMs: number;
    readonly requestTimeoutMs: number;
    readonly cors: { readonly origins: readonly string[]; readonly credentials: boolean };
  };
}

interface CrossCheck {
  /** The keys of the rule; the first one is reported. */
  readonly keys: readonly [string, ...string[]];
  readonly holds: (config: Checked) => boolean;
  readonly message: (config: Checked) => string;
}

const CROSS_CHECKS: readonly CrossCheck[] = [
  {
    keys: ['storage.backupPath', 'storage.path'],
    holds: ({ storage: { path, backupPath = '' } }) => !isUri(backupPath) || isRemote(path),
    message: () => 'must be a folder if storage.path is a folder',
  },
  {
    keys: ['storage.backupPath', 'storage.path'],
    holds: ({ storage: { path, backupPath = '' } }) => !isUri(backupPath) || !areNested(path, backupPath),
    message: () => 'must not be inside storage.path or contain it',
  },
  {
    keys: ['memory.chunkOverlap', 'memory.chunkSize'],
    holds: ({ memory }) => memory.chunkOverlap < memory.chunkSize,
    message: ({ memory }) => `must be less than memory.chunkSize (${memory.chunkSize})`,
  },
  {
    keys: ['search.limit', 'memory.maxLimit'],
    holds: ({ search, memory }) => search.limit <= memory.maxLimit,
    message: ({ memory }) => `must be at most memory.maxLimit (${memory.maxLimit})`,
  },
  {
    keys: ['memory.defaultLimit', 'memory.maxLimit'],
    holds: ({ memory }) => memory.defaultLimit <= memory.maxLimit,
    message: ({ memory }) => `must be at most memory.maxLimit (${memory.maxLimit})`,
  },
  {
    keys: ['search.vectorWeight', 'search.keywordWeight'],
    holds: ({ search }) => search.vectorWeight !== 0 || search.keywordWeight !== 0,
    message: () => 'must be above 0 if search.keywordWeight is 0',
  },
  {
    keys: ['server.headersTimeoutMs', 'server.requestTimeoutMs'],
    holds: ({ server }) => server.headersTimeoutMs <= server.requestTimeoutMs,
    message: ({ server }) => `must be at most server.requestTimeoutMs (${server.requestTimeoutMs})`,
  },
  {
    keys: ['server.cors.credentials', 'server.cors.origins'],
    holds: ({ server }) => !(server.cors.credentials && server.cors.origins.includes('*')),
    message: () => 'must be false while server.cors.origins contains *: browsers refuse this combination',
  },
];

/** Adds an issue for each broken rule at the path of its first key; `params.keys` names all keys of the rule. */
export function checkTogether(config: Checked, context: z.RefinementCtx): void {
  for (const check of CROSS_CHECKS) {
    if (check.holds(config)) continue;
    context.addIssue({ code: 'custom', path: check.keys[0].split('.'), params: { keys: check.keys }, message: check.message(config) });
  }
}
