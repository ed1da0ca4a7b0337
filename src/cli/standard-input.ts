import type { Readable } from 'node:stream';
import { LoreError } from '../memory/errors.ts';

/** The complete standard input as text, without a line break at the end. Rejects with `invalid_input` for bytes that are not UTF-8. */
export async function readText(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk as Uint8Array));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  } catch (cause) {
    throw new LoreError('invalid_input', 'text: standard input is not UTF-8.', { cause });
  }
}
