import { type Claim, inOrder, matchesNearSigns, type TextPart, withoutClaims } from './entity-text.ts';

/** Begins with a scheme and two slashes. */
export const URL_FORM = /^[a-z][a-z0-9+.-]*:\/\//i;

const SCHEME_END = /:\/\//g;
const AT = /@/g;
/** A scheme has at most twenty letters, so that long words cost linear time. */
const WRITTEN_URL =
  /(?<![\p{L}\p{N}_])[a-z][a-z0-9+.-]{1,19}:\/\/(?:(?!,[a-z]{2,8}:\/\/)[^\s\p{Cc}"'<>`{}|\\^“”«»„，。；：！？、）】」』])+/giu;
/** E-mail addresses, also `git@host:owner/repo`: neither people nor names. */
const E_MAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?::[\w./~-]+)?/gu;
const PARTS = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is;
/** Punctuation of the sentence, and remains of a placeholder. */
const TRAILING = /[.,;:!?'"*…/$&=#]/;
/** Longer URLs are skipped. */
const LONGEST_URL = 2048;
const DEFAULT_PORT = /^(http:\/\/.*):80$|^(https:\/\/.*):443$/;
const HOST = /^(?:[^:[\]$%]*[\p{L}\p{N}][^:[\]$%]*|\[[\da-f:.]+\])(?::\d+)?$/iu;
/** Parameters with secrets. */
const SECRET_PARAMETER =
  /^(?:.*(?:token|secret|passw(?:or)?d|pwd|signature|credentials?|apikey|sessionid|jwt)|(?:.*[_-])?(?:key|sig|auth|authorization))=/i;

/** Finds URLs of any scheme. Claims e-mail addresses without a name. */
export function findUrls(part: TextPart): readonly Claim[] {
  const urls: Claim[] = [];
  for (const { 0: written, index } of matchesNearSigns(part.text, { sign: SCHEME_END, pattern: WRITTEN_URL })) {
    const name = written.length > LONGEST_URL ? undefined : canonicalUrl(written);
    urls.push({ start: index, end: index + written.length, ...(name !== undefined && { found: { name, kind: 'url' as const } }) });
  }
  const addresses = matchesNearSigns(withoutClaims(part, urls).text, { sign: AT, pattern: E_MAIL }).map(({ 0: address, index }) => ({
    start: index,
    end: index + address.length,
  }));
  return inOrder([...urls, ...addresses]);
}

/**
 * The canonical URL: without trailing punctuation, user, password and secret parameters; scheme and host in lower case. Other parameters
 * stay. Undefined for invalid URLs and for those whose password cannot be told from the path. Idempotent.
 */
export function canonicalUrl(written: string): string | undefined {
  const trimmed = withoutTrailing(written);
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = PARTS.exec(trimmed) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const isLocal = host === '' && scheme.toLowerCase() === 'file://' && path.length > 1;
  if (scheme === '' || !(isLocal || HOST.test(host))) return undefined;
  // An unescaped slash in a password moves the rest of the password into the path.
  if (host !== authority && path.includes('@')) return undefined;
  const origin = `${scheme}${host}`.toLowerCase().replace(DEFAULT_PORT, '$1$2');
  const url = withoutTrailing(`${origin}${path}${withoutSecrets(query)}${withoutSecrets(fragment)}`);
  return url === written ? url : canonicalUrl(url);
}

function withoutSecrets(parameters: string): string {
  const kept = parameters
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !SECRET_PARAMETER.test(parameter));
  return kept.length === 0 ? '' : `${parameters.charAt(0)}${kept.join('&')}`;
}

/** Strips punctuation of the sentence, a trailing slash and unmatched closing brackets. */
function withoutTrailing(url: string): string {
  let round = count(url, ')') - count(url, '(');
  let square = count(url, ']') - count(url, '[');
  let end = url.length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    if (TRAILING.test(last)) continue;
    if (last === ')' && round > 0) round--;
    else if (last === ']' && square > 0) square--;
    else break;
  }
  return url.slice(0, end);
}

const count = (text: string, sign: string): number => text.split(sign).length - 1;
