import { correctionOf, hasOtherSubject } from './corrections.ts';
import { namesOtherEnvironment, sentencesOf, contentTokens } from './relation-cues-evidence.ts';
import { statesChange } from './relation-cues.ts';
import { anywhere, CHANGE_HINTS, UNSETTLED, whole } from './relation-cues-words.ts';

/** Longer texts have several subjects. UTF-16 units. */
const LONGEST = 1500;
/** Minimum number of words that two sentences share, and its share of the older and of the newer sentence. */
const LEAST_SHARED = 2;
const OLDER_HELD = 0.4;
const NEWER_HELD = 0.25;
/** Words of change. */
const CHANGED: readonly RegExp[] = [
  whole(
    CHANGE_HINTS.trim()
      .split(/\s+/)
      .filter((word) => /^[\p{sc=Latin}\p{sc=Cyrillic}]{3,}$/u.test(word) && word !== 'nicht')
      .join('|'),
  ),
  whole(
    'actually|dropped|upgraded|downgraded|raised|lowered|increased|reduced|extended|shortened|shut\\s+down|turned\\s+off|gone|migrated|rather\\s+than|from\\s+now\\s+on|not\\s+any\\s?more|as\\s+of',
  ),
  whole(
    'abgeschaltet|abgelöst|umgezogen|geändert|erhöht|gesenkt|nicht\\s+mehr|abandonné\\p{L}*|arrêté\\p{L}*|changé\\p{L}*|cambi(?:ó|amos|ado)|ya\\s+no|dejamos|больше\\s+не|изменил\\p{L}*',
  ),
  anywhere('现在|改为|改成|不再|已改|今は|変更|代わ|廃止|이제|대신|변경'),
];

/** Weak signs of change: sufficient to decide what else to report. */
const IN_PASSING = whole(
  `(?:is|are)\\s+out|moved|slipped|(?:takes?|taken|took)\\s+over|after\\s+all|correct\\s+myself|cold\\s+feet|changed\\s+(?:his|her|their|my|our)\\s+minds?|too\\s+(?:slow|late|long|short|much|expensive)|from\\s+(?:now|today|tomorrow|(?:mon|tues|wednes|thurs|fri)day)
  |ab\\s+(?:jetzt|heute|sofort|morgen)|doch|verschoben|verlegt|übernimmt|raus|geflogen|statt|désormais|dorénavant|finalement|décalé\\p{L}*|repoussé\\p{L}*|plutôt|remplac\\p{L}*
  |ahora|al\\s+final|movido|mueve|aplaz\\p{L}*|retras\\p{L}*|(?:baja|sube|bájal[oa]|súbel[oa])\\s+a|pasa(?:mos)?\\s+a|a\\s+partir\\s+de|en\\s+vez\\s+de`.replaceAll(
    /\s*\n\s*/g,
    '',
  ),
);

/** Whether a text may be about a change. */
export const mayStateChange = (text: string): boolean =>
  statesChange(text) || IN_PASSING.test(text) || CHANGED.some((pattern) => pattern.test(text));

/**
 * Whether a newer text seems to replace a statement of an older one: both have a sentence on the same subject, and the newer has words of
 * change. Weaker than `cueOf`: sufficient to order and mark results, not to hide an entry.
 */
export function mayOutdate(newer: string, older: string): boolean {
  if (newer.length > LONGEST || older.length > LONGEST || newer === older) return false;
  if (correctionOf(newer, older) !== undefined) return true;
  if (!statesChange(newer) && !CHANGED.some((pattern) => pattern.test(newer))) return false;
  if (namesOtherEnvironment(contentTokens(newer), contentTokens(older))) return false;
  const before = sentencesOf(older).map((sentence) => new Set(contentTokens(sentence)));
  return sentencesOf(newer).some((sentence) => {
    const now = new Set(contentTokens(sentence));
    if (!before.some((then) => isSameSubject(now, then)) || UNSETTLED.some((pattern) => pattern.test(sentence))) return false;
    return !hasOtherSubject(sentence, older);
  });
}

function isSameSubject(now: ReadonlySet<string>, then: ReadonlySet<string>): boolean {
  const shared = [...then].filter((token) => now.has(token) && !/^\p{N}/u.test(token)).length;
  return shared >= LEAST_SHARED && shared >= OLDER_HELD * then.size && shared >= NEWER_HELD * now.size;
}
