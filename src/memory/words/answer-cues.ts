import { tokenize } from './tokens.ts';

const TIMES = tokensOf(`
today yesterday tomorrow tonight morning afternoon evening day week weekend month year ago last next recently
monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
`);
const COUNTS = tokensOf(`
one two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand once twice few several couple
`);
/** In other languages: a question in German is answered in German. */
const FOREIGN_TIMES = tokensOf(`
heute gestern morgen uhr montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags freitags
januar februar märz april mai juni juli august september oktober november dezember
aujourd'hui hier demain lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août septembre octobre novembre décembre
hoy ayer mañana lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
`);
const FOREIGN_COUNTS = tokensOf(`
zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig hundert tausend deux trois quatre cinq six sept huit neuf dix vingt cent mille
dos tres cuatro cinco seis siete ocho nueve diez veinte cien mil
`);
/** Words that name a responsible person. */
const PEOPLE = tokensOf(`
ask asks own owns handle handles responsible charge contact decides maintains looks approves herr frau dr mr mrs zuständig klärt kümmert macht
responsable gère décide tranche s'occupe encarga lleva decide
`);
const ASKS_FOR_TIME = /\bwhen\b|\b(?:what|which) (?:day|date|week|month|year)\b|\bhow long ago\b/i;
const ASKS_FOR_COUNT = /\bhow (?:many|much|long|often|old|big|large)\b/i;
const ASKS_FOR_FIGURE =
  /\b(?:what|which)(?:['’]s| is)?(?: \w+)? (?:port|version|number|limit|size|threshold|maximum|minimum|timeout|interval)\b|\b(?:biggest|largest|longest|at most|at least|how (?:high|far|fast|soon|late|small|few))\b/i;
const ASKS_FOREIGN_TIME =
  /(?<!\p{L})(?:wann|welche[rmns]? (?:tag|datum|woche|monat)|bis wann|ab wann|quand|quel(?:le)? (?:jour|date|heure)|cuándo|qué (?:día|fecha))(?!\p{L})/iu;
const ASKS_FOREIGN_COUNT =
  /(?<!\p{L})(?:wie\s?(?:viele?[ln]?|lang|lange|oft|hoch|groß|schnell|teuer|weit)|ab wie|welche[rn]? (?:port|version|grenze)|combien|quel(?:le)? (?:port|version|limite|taille|durée)|cuánt[oa]s?|qué (?:puerto|versión|límite|tamaño))(?!\p{L})/iu;
const ASKS_FOR_PLACE =
  /\bwhere\b|\b(?:url|address|link|host|server|path|folder|directory)\b|(?<!\p{L})(?:wo|wohin|welche[rmns]? (?:server|adresse|ordner)|où|quelle adresse|dónde|qué (?:dirección|servidor|carpeta))(?!\p{L})/iu;
const ASKS_FOR_PERSON = /\b(?:who|whom|whose)\b|(?<!\p{L})(?:wer|wen|wem|(?:à|avec|chez) qui|qui est-ce qui|quién|quiénes)(?!\p{L})/iu;
/** A token that begins with a digit. */
const DIGIT = /(?:^| )\d/;
/** A token that is an address or path. */
const PLACE = /(?:^| )[^ ]*[\p{L}\p{N}_-](?:\/|\.(?=\p{L}{2,}|\d+\.\d)|:\d)[\p{L}\p{N}_-]/u;

/**
 * What an answer contains: one of `tokens`; with `digits`, also a token that begins with a digit; with `places`, also an address or path.
 */
export interface AnswerCues {
  readonly tokens: readonly string[];
  readonly digits: boolean;
  readonly places?: boolean;
}

/** What an answer to this question is likely to contain: `when` asks for a time, `how many` for a number. Undefined for other queries. */
export function answerCues(query: string): AnswerCues | undefined {
  if (ASKS_FOR_TIME.test(query)) return { tokens: TIMES, digits: false };
  if (ASKS_FOR_COUNT.test(query)) return { tokens: COUNTS, digits: true };
  if (ASKS_FOREIGN_TIME.test(query)) return { tokens: FOREIGN_TIMES, digits: false };
  if (ASKS_FOREIGN_COUNT.test(query)) return { tokens: FOREIGN_COUNTS, digits: true };
  if (ASKS_FOR_FIGURE.test(query)) return { tokens: COUNTS, digits: true };
  if (ASKS_FOR_PERSON.test(query)) return { tokens: PEOPLE, digits: false };
  return ASKS_FOR_PLACE.test(query) ? { tokens: [], digits: false, places: true } : undefined;
}

/** Whether a search text (tokens joined by blanks) contains a token that begins with a digit. */
export const containsDigits = (stream: string): boolean => DIGIT.test(stream);

/** Whether a text contains what these cues ask for. */
export function containsAnswer(text: string, { tokens, digits, places = false }: AnswerCues): boolean {
  const own = tokenize(text);
  const stream = own.join(' ');
  return (digits && containsDigits(stream)) || (places && PLACE.test(stream)) || own.some((token) => tokens.includes(token));
}

function tokensOf(words: string): readonly string[] {
  return [...new Set(tokenize(words))];
}
