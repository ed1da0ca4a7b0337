import { LoreError } from '../memory/errors.ts';
import type { Embedder } from './embedder.ts';
import { fingerprintParts } from './document-versions.ts';

/**
 * Placeholder for the model of a shared store that this server cannot reach: searches use keywords, and saves get their vectors later.
 * Undefined for an unknown kind of fingerprint.
 */
export function createMissingEmbedder(fingerprint: string): Embedder | undefined {
  const parts = fingerprintParts(fingerprint);
  if (parts === undefined) return undefined;
  const refuse = (): Promise<never> => Promise.reject(missing(parts.model));
  return {
    ...parts,
    fingerprint,
    kind: parts.provider === 'builtin' ? 'lexical' : 'semantic',
    isMissing: true,
    embedDocuments: refuse,
    embedQuery: refuse,
    report: () => ({ state: 'failed' }),
    close: () => Promise.resolve(),
  };
}

function missing(model: string): LoreError {
  return new LoreError('unavailable', `The vectors of the store are of ${model}, which this server cannot use.`, {
    hint: 'Set embeddings.* as on the other servers, or change the model of the store with `lore migrate`. Keyword search works.',
  });
}
