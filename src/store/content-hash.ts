import { createHash } from 'node:crypto';

/** SHA-256 (hex) of the NFC form: equal for texts that a reader cannot tell apart. */
export function contentHash(content: string): string {
  return createHash('sha256').update(content.normalize('NFC')).digest('hex');
}
