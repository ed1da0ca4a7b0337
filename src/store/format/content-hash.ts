import { createHash } from 'node:crypto';
import type { Entry } from '../../memory/entry.ts';

/** SHA-256 (hex) of the NFC form: equal for canonically equivalent texts. */
export function contentHash(content: string): string {
  return createHash('sha256').update(content.normalize('NFC')).digest('hex');
}

/** Equal for entries with the same vectors: content and tags, in any order, are embedded. */
export function embeddedKey({ contentHash: hash, tags }: Pick<Entry, 'contentHash' | 'tags'>): string {
  return [hash, ...tags.toSorted()].join('\n');
}
