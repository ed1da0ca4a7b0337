/**
 * The `Idempotency-Key` of a request, and encryption so that only its holder can read the stored response:
 * draft-ietf-httpapi-idempotency-key-header.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { LoreError } from '../memory/errors.ts';
import type { LoreRequest } from './exchange.ts';

export const KEY_HEADER = 'idempotency-key';
export const REPLAYED_HEADER = 'idempotent-replayed';
/** Most characters of a key, without optional quotes around it. */
export const MAX_KEY_LENGTH = 255;

/** A quoted string of RFC 8941. */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
/** Unquoted, as many clients send it: no blanks, quotes, commas, semicolons or backslashes. */
const PLAIN = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** The `Idempotency-Key` of a request, if it has one. Throws `invalid_input` if it is malformed. */
export function idempotencyKey({ headers }: LoreRequest): string | undefined {
  const sent = headers[KEY_HEADER];
  if (sent === undefined) return undefined;
  const text = String(sent).trim();
  const key = QUOTED.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? PLAIN.exec(text)?.[0];
  if (key === undefined || key === '' || key.length > MAX_KEY_LENGTH) {
    throw new LoreError(
      'invalid_input',
      `Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} visible ASCII characters, in double quotes or plain.`,
    );
  }
  return key;
}

/** The SHA-256 of a text, hexadecimal. */
export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Shorter texts are not compressed: that gains nothing. */
const DEFLATE_FROM = 1024;
const [AS_IS, DEFLATED] = [0, 1];

/**
 * Encrypts and decrypts stored answers with a key derived from the Idempotency-Key, so that they are unreadable on disk, even after their
 * entry was forgotten.
 */
export class ResponseCipher {
  readonly #secret: Buffer;

  /** `caller` separates callers that chose the same key. */
  constructor(key: string, caller: string) {
    this.#secret = Buffer.from(hkdfSync('sha256', key, caller, 'lore answer', 32));
  }

  close(text: string): string {
    const plain = Buffer.from(text);
    const packed = plain.length < DEFLATE_FROM ? [Buffer.of(AS_IS), plain] : [Buffer.of(DEFLATED), deflateRawSync(plain)];
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#secret, iv);
    const closed = [iv, ...packed.map((bytes) => cipher.update(bytes)), cipher.final()];
    return Buffer.concat([...closed, cipher.getAuthTag()]).toString('base64');
  }

  /** Decrypts; throws if the key differs or the data was altered. */
  open(closed: string): string {
    const bytes = Buffer.from(closed, 'base64');
    const decipher = createDecipheriv(CIPHER, this.#secret, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const packed = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    const plain = packed.subarray(1);
    return (packed[0] === DEFLATED ? inflateRawSync(plain) : plain).toString();
  }
}
