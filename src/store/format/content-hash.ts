import { createHash } from 'node:crypto';
import type { Entry } from '../../memory/entry.ts';

/** SHA-256 (hex) of the NFC form: equal for texts that a reader cannot tell apart. */
export function contentHash(content: string): string {
  return createHash('sha256').update(content.normalize('NFC')).digest('hex');
}

/** Equal for entries that have the same vectors: what is embedded is the content and the tags, in whatever order. */
export function embeddedKey({ contentHash: hash, tags }: Pick<Entry, 'contentHash' | 'tags'>): string {
  return [hash, ...tags.toSorted()].join('\n');
}
