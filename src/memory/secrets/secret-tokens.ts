import type { Secret, SecretKind } from './secret-kinds.ts';
import { isFiller, isRandom } from './secret-values.ts';

interface TokenForm {
  readonly kind: SecretKind;
  /** Prefilter: a text without any of these is not searched. */
  readonly signs: readonly string[];
  /** Global regular expression. The secret is the matched group, or the whole match without groups. */
  readonly pattern: RegExp;
  /** Rejects matches that only have the format. */
  readonly accepts?: (token: string) => boolean;
}

/** No letter or digit before it, except the `n` of an escaped line break `\n`. */
const BORDER = String.raw`(?<!(?<!\\)[A-Za-z0-9])`;
const form = (source: string, flags = 'g'): RegExp => new RegExp(BORDER + source, flags);
const hasDigit = (token: string): boolean => /\d/.test(token);

/**
 * Token formats by the published prefixes of each service. All repetitions are bounded or anchored, so hostile texts cost no more than long
 * ones.
 */
const FORMS: readonly TokenForm[] = [
  { kind: 'aws-key', signs: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], pattern: form('(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])') },
  {
    kind: 'github-token',
    signs: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: form('(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})'),
  },
  {
    kind: 'gitlab-token',
    signs: ['glpat-', 'glptt-', 'gldt-', 'glrt-', 'glcbt-', 'glft-', 'glsoat-', 'glagent-', 'glimt-', 'gloas-'],
    pattern: form(String.raw`gl(?:pat|ptt|dt|rt|cbt|ft|soat|agent|imt|oas)-[\w-]{20,255}(?:\.[\w-]{2,64}){0,2}`),
  },
  {
    kind: 'slack-token',
    signs: ['xoxa', 'xoxb', 'xoxc', 'xoxd', 'xoxe', 'xoxo', 'xoxp', 'xoxr', 'xoxs', 'xapp-', 'hooks.slack.com/'],
    pattern: form(
      String.raw`(?:xox[a-eoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,300}|xapp-\d-[A-Za-z0-9-]{20,300}|hooks\.slack\.com/((?:services|workflows|triggers)/[\w/-]{20,200}))`,
    ),
    accepts: hasDigit,
  },
  {
    kind: 'stripe-key',
    signs: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'],
    pattern: form('(?:[sr]k_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/]{24,255}={0,2})'),
  },
  { kind: 'anthropic-key', signs: ['sk-ant-'], pattern: form(String.raw`sk-ant-[\w-]{16,255}`), accepts: hasDigit },
  { kind: 'service-token', signs: ['sk-or-'], pattern: form('sk-or-v1-[a-f0-9]{32,128}') },
  {
    kind: 'openai-key',
    signs: ['sk-'],
    pattern: form(String.raw`sk-(?!ant-|or-v1)(?:[a-zA-Z]{2,12}-)?[A-Za-z0-9_-]{20,255}`),
    accepts: (token) => hasDigit(token) && /[A-Za-z0-9_]{16}/.test(token),
  },
  {
    kind: 'google-key',
    signs: ['AIza', 'ya29.', 'GOCSPX-'],
    pattern: form(String.raw`(?:AIza[\w-]{30,60}|ya29\.[\w-]{20,512}|GOCSPX-[\w-]{20,64})`),
  },
  { kind: 'npm-token', signs: ['npm_'], pattern: form('npm_[A-Za-z0-9]{30,64}(?![A-Za-z0-9_])') },
  {
    kind: 'jwt',
    signs: ['eyJ'],
    pattern: /(?<!(?<!\\)[\w-])eyJ[\w-]{8,4096}\.(?:eyJ[\w-]{4,16384}\.[\w-]{8,4096}|[\w-]{0,1024}(?:\.[\w-]{8,16384}){3})/g,
  },
  { kind: 'service-token', signs: ['sk.eyJ', 'tk.eyJ'], pattern: form(String.raw`[st]k\.eyJ[\w-]{8,1024}\.[\w-]{8,255}`) },
  { kind: 'service-token', signs: ['hf_', 'gsk_', 'ntn_', 'r8_'], pattern: form('(?:hf|gsk|ntn|r8)_[A-Za-z0-9]{30,80}(?![A-Za-z0-9])') },
  { kind: 'service-token', signs: ['SG.'], pattern: form(String.raw`SG\.[\w-]{16,32}\.[\w-]{32,64}`) },
  { kind: 'service-token', signs: ['pypi-'], pattern: form(String.raw`pypi-[\w-]{50,512}`) },
  { kind: 'service-token', signs: ['_v1_'], pattern: form('do[opr]_v1_[a-f0-9]{40,80}') },
  { kind: 'service-token', signs: ['dckr_'], pattern: form(String.raw`dckr_(?:pat|oat)_[\w-]{20,64}`) },
  { kind: 'service-token', signs: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], pattern: form('shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}') },
  { kind: 'service-token', signs: ['hvs.', 'hvb.', 'hvr.'], pattern: form(String.raw`hv[sbr]\.[\w-]{24,300}`) },
  { kind: 'service-token', signs: ['lin_api_'], pattern: form('lin_api_[A-Za-z0-9]{32,64}') },
  { kind: 'service-token', signs: ['sbp_', 'sb_secret_'], pattern: form(String.raw`(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,64})`) },
  { kind: 'service-token', signs: ['dapi'], pattern: form('dapi[a-f0-9]{32}') },
  { kind: 'service-token', signs: ['pplx-', 'xai-'], pattern: form('(?:pplx|xai)-[A-Za-z0-9]{40,100}') },
  { kind: 'service-token', signs: ['tskey-'], pattern: form(String.raw`tskey-[a-z]{2,12}-[\w-]{16,80}`), accepts: hasDigit },
  { kind: 'service-token', signs: ['AGE-SECRET-KEY-1'], pattern: form('AGE-SECRET-KEY-1[A-Z0-9]{40,64}') },
  { kind: 'service-token', signs: [':AA'], pattern: form(String.raw`\d{8,10}:AA[\w-]{32,34}(?![\w-])`) },
  {
    kind: 'service-token',
    signs: ['sig=', '-Signature='],
    pattern: /[?&](?:sig|X-Amz-Signature|X-Goog-Signature)=([\w%+/-]{30,1024})/g,
  },
  { kind: 'service-token', signs: ['/api/webhooks/'], pattern: /discord(?:app)?\.com\/api\/webhooks\/(\d{10,24}\/[\w-]{40,100})/g },
];

const AUTHORIZATION =
  /\bauthorization\\?["'`]?\s{0,3}[:=]\s{0,3}\\?["'`]?(?:bearer|basic|token|apikey|digest)\s{1,3}([^\s"'`<>\\,;]{6,8192})/gi;
const BEARER = /\b(?:bearer|basic)[ \t]{1,3}([\w.~+/-]{12,8192}={0,2})/gi;
const SCHEME_WORD = /bearer|basic|authorization/i;

/** Tokens recognized by format, and values after `Bearer`. */
export function findTokens(text: string): Secret[] {
  const secrets: Secret[] = [];
  for (const { kind, signs, pattern, accepts } of FORMS) {
    if (!signs.some((sign) => text.includes(sign))) continue;
    for (const match of text.matchAll(pattern)) {
      const token = match[1] ?? match[0];
      if (isFiller(token) || accepts?.(token) === false) continue;
      secrets.push({ kind, ...placeOf(match, token) });
    }
  }
  if (!SCHEME_WORD.test(text)) return secrets;
  for (const match of text.matchAll(AUTHORIZATION)) {
    const token = match[1] ?? '';
    if (!isFiller(token) && !/^[${[(<%]/.test(token)) secrets.push({ kind: 'bearer-token', ...placeOf(match, token) });
  }
  for (const match of text.matchAll(BEARER)) {
    const token = (match[1] ?? '').replace(/(?<![./-])[./-]+$/, '');
    if (isRandom(token)) secrets.push({ kind: 'bearer-token', ...placeOf(match, token) });
  }
  return secrets;
}

/** Offsets of the token in its match; the match ends with it, except for stripped signs. */
function placeOf(match: RegExpExecArray, token: string): { start: number; end: number } {
  const start = match.index + match[0].lastIndexOf(token);
  return { start, end: start + token.length };
}
