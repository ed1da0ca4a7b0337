import type { Secret } from './secret-kinds.ts';
import { withoutEnd } from './value-at.ts';
import { isRandom } from './secret-values.ts';

/** Words for a key in a sentence, also as the end of a compound: `Zugangsschlüssel`. */
const KEY_WORD =
  /(?<![\p{L}\p{N}_])(?:keys?|tokens?|secrets?|clés?|jetons?|claves?|llaves?|chiavi?|chaves?|ключ\p{L}{0,3}|sleutel|klucz)(?![\p{L}\p{N}_])|schlüssels?(?!\p{L})|密[钥鑰]|令牌|鍵|キー|トークン|토큰/iu;
const VALUE = /(?<![\w+/.:@-])[A-Za-z][\w+/.-]{15,511}={0,2}(?![\w+/@])/g;
/** Hashes and ids look random too. */
const HEX = /^[\da-f-]+$/i;
const OTHER_ID =
  /(?:commit|\bsha\b|hash|digest|checksum|md5|revision|uuid|trace|build|image|branch|version|\bids?\b|\bfile|\bpath|:\/\/|[{(<])\s*$/i;
/** A file or host name. */
const DOTTED_NAME = /\.(?:[a-z]{2,5}|[a-z]{1,3}\d)$/;
const BEFORE = 120;
const BEHIND = 60;

/** Random values on the same line as a word for a key, in any order and wording: `our token for uploads: …`. */
export function findKeysNearKeyWords(text: string): Secret[] {
  if (!KEY_WORD.test(text)) return [];
  const secrets: Secret[] = [];
  for (const { 0: written, index: start } of text.matchAll(VALUE)) {
    const value = withoutEnd(written, '.-/+');
    const end = start + value.length;
    if (HEX.test(value) || DOTTED_NAME.test(value) || !value.split(/[./]/).some(isRandom)) continue;
    const before =
      text
        .slice(Math.max(0, start - BEFORE), start)
        .split('\n')
        .at(-1) ?? '';
    const [behind = ''] = text.slice(end, end + BEHIND).split('\n');
    if (!OTHER_ID.test(before) && KEY_WORD.test(`${before} ${behind}`)) secrets.push({ kind: 'token', start, end });
  }
  return secrets;
}
