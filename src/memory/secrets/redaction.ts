import { findNamedSecrets } from './secret-assignments.ts';
import { findPrivateKeys } from './secret-blocks.ts';
import { findKeysBeside } from './secret-keys.ts';
import { SECRET_KINDS, type Secret, type SecretKind } from './secret-kinds.ts';
import { findSaidPasswords } from './secret-sentences.ts';
import { findTokens } from './secret-tokens.ts';
import { findUrlPasswords } from './secret-urls.ts';

export { SECRET_KINDS, type SecretKind } from './secret-kinds.ts';

/** Twice is enough for what people write. */
const MOST_TIMES = 5;

/**
 * What in a text lets someone in, in order and without overlaps: keys and tokens of known services by their form, private keys, passwords in
 * URLs, and values that stand beside a word such as `password` or `token` and look like one. Placeholders, names of variables and calls are
 * none. Linear in the text. What has no known form and no such word beside it is not found.
 */
export function findSecrets(text: string): Secret[] {
  return joined([
    ...findPrivateKeys(text),
    ...findTokens(text),
    ...findUrlPasswords(text),
    ...findNamedSecrets(text),
    ...findSaidPasswords(text),
    ...findKeysBeside(text),
  ]);
}

/**
 * The text with `[redacted: kind]` in the place of every secret, and the kinds, each once. What a secret stood against may be seen as one only
 * when that is gone, so the text is read again until there is none. Repeating changes nothing.
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

/** The same of a part of a text: a secret that the part cuts through is redacted too. */
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

/** Secrets that overlap are one, so that nothing of either stays. */
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
