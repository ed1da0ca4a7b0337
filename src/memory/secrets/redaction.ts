import { findNamedSecrets } from './secret-assignments.ts';
import { findPrivateKeys } from './secret-blocks.ts';
import { findKeysNearKeyWords } from './random-keys.ts';
import { SECRET_KINDS, type Secret, type SecretKind } from './secret-kinds.ts';
import { findPasswordsInSentences } from './secret-sentences.ts';
import { findTokens } from './secret-tokens.ts';
import { findUrlPasswords } from './secret-urls.ts';

export { SECRET_KINDS, type SecretKind } from './secret-kinds.ts';

/** Maximum number of passes; 2 suffice for real text. */
const MOST_TIMES = 5;

/**
 * Secrets in a text, in order and without overlaps: keys and tokens of known services by their format, private keys, passwords in URLs, and
 * secret-like values next to a word such as `password` or `token`. Placeholders, variable names and calls are not secrets. Linear in the
 * text. Does not find secrets without a known format and without such a word.
 */
export function findSecrets(text: string): Secret[] {
  return joined([
    ...findPrivateKeys(text),
    ...findTokens(text),
    ...findUrlPasswords(text),
    ...findNamedSecrets(text),
    ...findPasswordsInSentences(text),
    ...findKeysNearKeyWords(text),
  ]);
}

/**
 * Replaces every secret with `[redacted: kind]`; returns the text and the kinds found, each once. A replacement can make a neighbouring
 * secret recognizable, so it repeats until none is found. Idempotent.
 */
export function redact(text: string): { readonly text: string; readonly kinds: readonly SecretKind[] } {
  const kinds = new Set<SecretKind>();
  let redacted = text;
  for (let times = 0; times < MOST_TIMES; times++) {
    const secrets = findSecrets(redacted);
    if (secrets.length === 0) break;
    for (const { kind } of secrets) kinds.add(kind);
    redacted = without(redacted, secrets);
  }
  return { text: redacted, kinds: [...kinds] };
}

/** Redacts a part of a text, including secrets that cross its ends. */
export function redactPart(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  const within = findSecrets(text)
    .filter((secret) => secret.start < end && secret.end > start)
    .map(({ kind, start: from, end: to }) => ({ kind, start: Math.max(from, start) - start, end: Math.min(to, end) - start }));
  return redact(without(text.slice(start, end), within)).text;
}

function without(text: string, secrets: readonly Secret[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { kind, start, end } of secrets) {
    pieces.push(text.slice(at, start), `[redacted: ${kind}]`);
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

/** Merges overlapping secrets, so that nothing of either remains. */
function joined(secrets: readonly Secret[]): Secret[] {
  const apart: Secret[] = [];
  for (const secret of secrets.toSorted((a, b) => a.start - b.start)) {
    const last = apart.at(-1);
    if (last === undefined || secret.start >= last.end) apart.push(secret);
    else apart[apart.length - 1] = { kind: clearer(last.kind, secret.kind), start: last.start, end: Math.max(last.end, secret.end) };
  }
  return apart;
}

const clearer = (one: SecretKind, other: SecretKind): SecretKind =>
  SECRET_KINDS.indexOf(one) <= SECRET_KINDS.indexOf(other) ? one : other;
