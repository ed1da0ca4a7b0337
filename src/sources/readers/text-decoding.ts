import { LoreError } from '../../memory/errors.ts';

/** Bytes examined to detect the encoding. */
const SAMPLE_BYTES = 1024;
/** Maximum share of control characters in single-byte text; more is binary data. */
const MAX_CONTROL_SHARE = 0.02;

/** Decoded text: lines end in `\n`; no control characters except `\n` and `\t`. */
interface DecodedText {
  readonly text: string;
  /** The guessed encoding, as a clause after the file name; absent for Unicode. */
  readonly note?: string;
}

/**
 * Decodes a file: UTF-8, UTF-16 with or without byte order mark, else the declared encoding or Windows-1252 (a superset of Latin-1). Throws
 * `unsupported_media_type` for binary data.
 */
export function decodeText(bytes: Uint8Array, name: string, declared?: string): DecodedText {
  const unicode = unicodeText(bytes);
  if (unicode !== undefined) return { text: plainText(unicode) };
  const encoding = knownEncoding(declared) ?? 'windows-1252';
  const text = bytes.includes(0) ? undefined : new TextDecoder(encoding).decode(bytes);
  if (text === undefined || controlShare(text) > MAX_CONTROL_SHARE) {
    throw new LoreError('unsupported_media_type', `${name} is not text.`);
  }
  const said = encoding === 'windows-1252' ? 'Latin-1 (Windows-1252)' : encoding;
  return { text: plainText(text), note: `is not UTF-8 and was read as ${said}` };
}

/** Decodes a prefix of a file, which may end within a character, to recognize its format. */
export function sampleText(bytes: Uint8Array): string {
  return new TextDecoder(unicodeEncoding(bytes)).decode(bytes);
}

function unicodeText(bytes: Uint8Array): string | undefined {
  const encoding = unicodeEncoding(bytes);
  if (encoding === 'utf-8' && bytes.includes(0)) return undefined;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function unicodeEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  // Without a byte order mark: in UTF-16 text in Latin script, every other byte is zero.
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even === 0 && odd > sample.length * 0.4) return 'utf-16le';
  if (odd === 0 && even > sample.length * 0.4) return 'utf-16be';
  return 'utf-8';
}

/** The declared encoding, if it is known. */
function knownEncoding(declared: string | undefined): string | undefined {
  if (declared === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(declared);
    // It is not valid UTF, or this function would not be called.
    return encoding.startsWith('utf-') ? undefined : encoding;
  } catch {
    return undefined;
  }
}

function controlShare(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/(?![\t\n\r\f])\p{Cc}/gu)) count += 1;
  return text === '' ? 0 : count / text.length;
}

/** Normalizes line ends to `\n` and removes terminal colours, other control characters and lone surrogates. */
export function plainText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\f', '\n')
    .replaceAll(/(?![\n\t])\p{Cc}\[[\d;?]*[A-Za-z]/gu, '')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .toWellFormed();
}

/** A text as one line of at most `max` characters; undefined if it is empty. */
export function oneLine(text: string | undefined, max: number): string | undefined {
  const line = plainText((text ?? '').slice(0, max * 4))
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line === '' ? undefined : line.slice(0, max).toWellFormed();
}
