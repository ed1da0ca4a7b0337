import { type Claim, inOrder, matchesNearSigns, type TextPart } from './entity-text.ts';

/** Words after `@` that are no person: documentation tags, at-rules, annotations, channels, release tags. */
const NOBODY: ReadonlySet<string> = new Set(
  `
abstract after all api apply arg author autowired bean before beta cached_property canary category channel charset classmethod component config
configuration constructor contains contextmanager controller counter-style data dataclass default deprecated desc description discardableresult
dynamic edge emits entity env escaping event everyone example exception experimental export extends fires fixture font-face function generated
getter global group here hidden id ignore implements import include inheritdoc inherits inject injectable input interface internal jest jsx
keyframes kind language latest layer lib link lru_cache lts main mainactor media member memberof method mixes mixin module namespace next nightly
nonnull notnull nullable objc observable output overload override package page param parameter parametrize permission pipe plugin preserve private
prop property protected provider public published readonly remarks repository requires rest return returns room route rc scope screen see
service setter setup shared since slot source src stable state static staticmethod summary supports suppresswarnings tailwind team template test
testing theme this throws todo transactional ts-check ts-expect-error ts-ignore ts-nocheck type typedef types use using utility value variant
variation version view viewport virtual watch web when where wraps yields
`
    .trim()
    .split(/\s+/),
);
const AT = /@/g;
const BEFORE = String.raw`(?<![^\s([{"'“”„«‘,;:!?*—–])`;
const HANDLE = new RegExp(
  String.raw`${BEFORE}@(\p{L}[\p{L}\p{N}\p{M}]*(?:[._-]+[\p{L}\p{N}\p{M}]+)*)(?![._-]*[\p{L}\p{N}\p{M}@(/=])`,
  'gu',
);
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー]`;
/** Handles in scripts without blanks: bounded by a blank or the usual length of a name. */
const UNSPACED_HANDLE = new RegExp(String.raw`(?<![\p{L}\p{N}_.+%-](?<!${UNSPACED}))@(${UNSPACED}{2,5})(?![\p{L}\p{N}@(/=])`, 'gu');
/** Annotations, such as `@SpringBootTest`. */
const ANNOTATION = /^\p{Lu}\p{Ll}+\p{Lu}/u;
const VERSION = /^v\d/i;

/** Finds people by handle. Skips code, where `@` marks annotations. */
export function findPeople({ text, raw, form }: TextPart): readonly Claim[] {
  if (form !== 'prose') return [];
  const claims: Claim[] = [];
  const add = (index: number, handle: string): void => {
    const name = canonicalPerson(`@${handle}`);
    const isLink = raw.charAt(index - 1) === '[' && raw.startsWith('](', index + handle.length + 1);
    const isNobody = NOBODY.has(name.slice(1)) || VERSION.test(handle) || (ANNOTATION.test(handle) && !isLink);
    const isSomebody = handle.length > 1 && !isNobody;
    claims.push({ start: index, end: index + handle.length + 1, ...(isSomebody && { found: { name, kind: 'person' as const } }) });
  };
  for (const { 1: handle = '', index } of matchesNearSigns(text, { sign: AT, pattern: HANDLE })) add(index, handle);
  for (const { 1: handle = '', index } of matchesNearSigns(raw, { sign: AT, pattern: UNSPACED_HANDLE })) add(index, handle);
  return inOrder(claims);
}

/** In lower case: handles are case-insensitive. */
export const canonicalPerson = (handle: string): string => handle.toLowerCase().normalize('NFC');
