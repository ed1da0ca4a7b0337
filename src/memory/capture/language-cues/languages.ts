import { ENGLISH } from './english.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import { CHINESE } from './chinese.ts';
import { JAPANESE } from './japanese.ts';
import { SPANISH } from './spanish.ts';
import type { LanguageCues } from './language-cues.ts';

const KANA = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;
const HAN = /\p{sc=Han}/u;
/** Function words that are specific to one language. */
const MARKS: readonly (readonly [LanguageCues, RegExp])[] = [
  [
    GERMAN,
    /(?<!\p{L})(?:der|die|das|den|dem|ein|eine|einen|einem|und|oder|nicht|kein|keine|keinen|ist|sind|wird|werden|wir|ich|mir|mich|uns|bei|mit|für|auf|aus|zum|zur|von|statt|aber|weil|bitte|immer|nie|nur|noch|auch|jetzt|haben|hab|kannst|du|es|im|am|läuft|wie|warum|welchen|danke|mehr|schon|mal|dass|sich|sie|er|wenn|als|dann|hier|kann|muss|man|dein|nach|bis|alle|jeder|jede|heißt)(?!\p{L})|[äöüß]/giu,
  ],
  [
    FRENCH,
    /(?<!\p{L})(?:le|la|les|un|une|des|du|et|ou|est|sont|nous|vous|je|tu|on|ne|pas|plus|avec|dans|pour|sur|chez|au|aux|ce|cette|c'est|qui|que|il|elle|mais|merci|toujours|jamais|y|de|en|si|se|tout|tous|très|bien|fait|faire|cet|ces|chaque|finalement|peux)(?!\p{L})|[àèêçùœ]|(?<!\p{L})(?:[ldjnscm]|qu)'/giu,
  ],
  [
    SPANISH,
    /(?<!\p{L})(?:el|la|los|las|un|una|unos|del|y|o|es|son|está|están|nosotros|yo|no|con|en|para|por|al|que|qué|se|lo|su|nuestros?|nuestras?|pero|gracias|siempre|nunca|ya|de|sin|más|vale|me|este|esta|esto|eso|ese|esa|hay|muy|bien|todo|todos|entiendo|quiero|hacer|usa|hemos|cada)(?!\p{L})|[ñ¿¡]|[áíóú]/giu,
  ],
  [
    ENGLISH,
    /(?<!\p{L})(?:the|a|an|and|or|is|are|was|were|we|i|you|it|to|of|in|on|for|with|not|don't|that|this|be|by|from|as|at|so|but|my|our|please|always|never|no|use|me|does|what|why|how|can)(?!\p{L})/giu,
  ],
];
/** UTF-16 units read to detect the language. */
const READ_CHARS = 2000;
/** Code is not counted: it occurs in every language. */
const NAMES = /`[^`]*`/g;

/** The cues for the language of a text, detected by script and function words; English by default. */
export function cuesOf(text: string): LanguageCues {
  const read = text.slice(0, READ_CHARS).replaceAll(NAMES, ' ').replaceAll('’', "'");
  if (KANA.test(read)) return JAPANESE;
  if (HAN.test(read)) return CHINESE;
  const counted = MARKS.map(([language, marks]) => [language, read.match(marks)?.length ?? 0] as const);
  const most = Math.max(...counted.map(([, count]) => count));
  // In a tie the last one wins: English.
  return counted.findLast(([, count]) => count === most)?.[0] ?? ENGLISH;
}

const NAMES_OF: ReadonlyMap<LanguageCues, string> = new Map([
  [ENGLISH, 'en'],
  [FRENCH, 'fr'],
  [GERMAN, 'de'],
  [SPANISH, 'es'],
  [CHINESE, 'zh'],
  [JAPANESE, 'ja'],
]);

/** ISO 639-1 code of the detected language. */
export const languageOf = (text: string): string => NAMES_OF.get(cuesOf(text)) ?? 'en';
