import { sentencesOf, sizeOf } from './capture-text.ts';
import { AGREEMENTS } from './language-cues/agreement.ts';
import { isStopWord, tokenize } from '../words/tokens.ts';

/** A longer reply says more than what it chooses. */
const MOST_REPLY_SIZE = 16;
const LONGEST_OPTION = 300;
const LONGEST_LEAD = 200;
const MOST_NAME_SIZE = 5;
const MOST_OPTIONS = 8;
const ITEM = /^\s*(?:[-*+•]\s+)?(?:\*\*)?(?:(?:option\s+)?\(?(?<label>\d|[a-h])[.):]|[-*+•])(?:\*\*)?\s+(?<text>\S.*)$/i;
const QUESTION = /[?？]["'”’)]*$/;
const REFUSES = /(?<![\p{L}])(?:neither|none|nor|keine?s?|weder|aucune?|ninguna?|ni)(?![\p{L}])/iu;
/** `X or Y?` */
const OR = /\s(?:or|oder|ou|o)\s/i;
const NAMED_LABEL =
  /(?:^|\s)\(?(?<letter>[a-h])\)(?![\p{L}])|(?<![\p{L}\d])(?:option|variante?|opción|number|nummer|no\.?|nr\.?|#)\s*\(?(?<label>\d|[a-h])(?![\p{L}\d])|^\s*(?<bare>\d)(?=[\s.,!)]|$)/iu;
/** Places in a list, as they are said. */
const PLACES: readonly (readonly [place: number, words: RegExp])[] = [
  [0, /(?<![\p{L}])(?:first|1st|former|erste[rns]?|erstere[rns]?|premi(?:er|ère)|primer[oa]?)(?![\p{L}])/iu],
  [1, /(?<![\p{L}])(?:second|2nd|zweite[rns]?|deuxième|seconde?|segund[oa])(?![\p{L}])/iu],
  [2, /(?<![\p{L}])(?:third|3rd|dritte[rns]?|troisième|tercer[oa]?)(?![\p{L}])/iu],
  [-1, /(?<![\p{L}])(?:last|latter|letzte[rns]?|letztere[rns]?|derni(?:er|ère)|últim[oa])(?![\p{L}])/iu],
];
const MIDDLE = /(?<![\p{L}])(?:middle|mittlere[rns]?|milieu|(?:del|de la|en) medio)(?![\p{L}])/iu;

/** `Two ways: X, or Y.` */
const WAYS = /^[^:]{3,60}:\s/;

/** Options that an answer offers, with the sentence that introduces them. */
export interface Options {
  readonly lead: string;
  readonly options: readonly { readonly label: string; readonly text: string; readonly name: string }[];
}

/** The options of the last list in an answer, or of a sentence at its end, `X or Y?`, `Two ways: X, or Y.`; undefined if it offers none. Linear. */
export function optionsIn(answer: string): Options | undefined {
  return listIn(answer) ?? askedIn(answer);
}

/**
 * The decision of a reply that names an option by its letter, number or place: what it is about, the option, the words of the reply and
 * what was turned down. Undefined if it names none, names several, asks or is long.
 */
export function chosenBy({ lead, options }: Options, words: string): string | undefined {
  const [first = ''] = sentencesOf(words).map(({ text }) => text);
  if (sizeOf(words) > MOST_REPLY_SIZE || QUESTION.test(first) || REFUSES.test(words)) return undefined;
  const chosen = options[placeIn(words, options)];
  if (chosen === undefined) return undefined;
  const others = options.filter((each) => each !== chosen).map(({ name }) => name);
  const against = others.every((name) => name !== '') ? ` (${others.join(', ')}: no)` : '';
  const agreed = AGREEMENTS[0]?.agreed ?? '';
  return `${agreed} ${lead} ${chosen.text}${against} ${words.replaceAll(/\s+/g, ' ').trim()}`.replaceAll(/\s+/g, ' ').trim();
}

function listIn(answer: string): Options | undefined {
  const lines = answer.split('\n').filter((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => ITEM.test(line));
  if (last === -1) return undefined;
  let from = last;
  while (from > 0 && ITEM.test(lines[from - 1]!)) from -= 1;
  const items = lines.slice(from, last + 1).map((line) => ITEM.exec(line)!.groups as { label?: string; text: string });
  const offers = lines.slice(last + 1).some((line) => QUESTION.test(line.trim())) || items.every(({ label }) => label !== undefined);
  if (items.length < 2 || items.length > MOST_OPTIONS || !offers) return undefined;
  const lead = from === 0 ? '' : (sentencesOf(lines[from - 1]!).at(-1)?.text ?? '');
  return {
    lead: lead.length > LONGEST_LEAD ? '' : lead,
    options: items.map(({ label, text }, nth) => optionOf(label?.toLowerCase() ?? String(nth + 1), text)),
  };
}

function askedIn(answer: string): Options | undefined {
  const sentences = sentencesOf(answer);
  const at = sentences.findLastIndex(({ text }) => OR.test(text) && (QUESTION.test(text) || WAYS.test(text)));
  const asked = sentences[at]?.text;
  if (asked === undefined || asked.length > LONGEST_LEAD || at < sentences.length - 2) return undefined;
  const parts = asked.replace(QUESTION, '').replace(WAYS, '').split(OR);
  if (parts.length !== 2) return undefined;
  return { lead: asked, options: parts.map((text, nth) => optionOf(String(nth + 1), text)) };
}

function optionOf(label: string, raw: string): Options['options'][number] {
  const text = raw.replaceAll('**', '').trim().slice(0, LONGEST_OPTION);
  const [name = ''] = text.split(/[:.,(–—]\s|\s[-–—(]/);
  return { label, text, name: sizeOf(name) <= MOST_NAME_SIZE ? name.replace(/[:.,]$/, '') : '' };
}

/** The place of the one option that the words name; -1 if they name none or several. */
function placeIn(words: string, options: Options['options']): number {
  const { letter, label, bare } = NAMED_LABEL.exec(words)?.groups ?? {};
  const said = (letter ?? label ?? bare)?.toLowerCase();
  if (said !== undefined) return options.findIndex((option) => option.label === said);
  if (MIDDLE.test(words)) return options.length % 2 === 1 ? (options.length - 1) / 2 : -1;
  const places = PLACES.filter(([, pattern]) => pattern.test(words)).map(([place]) => (place < 0 ? options.length + place : place));
  if (places.length > 0) return places.length === 1 ? places[0]! : -1;
  return namedIn(words, options);
}

/** The option whose name shares a word with the reply that no other option has. */
function namedIn(words: string, options: Options['options']): number {
  const telling = (text: string): Set<string> => new Set(tokenize(text).filter((token) => !isStopWord(token) && token.length > 1));
  const said = telling(words);
  const all = options.map(({ text }) => telling(text));
  const named = options.flatMap(({ name }, nth) =>
    [...telling(name)].some((token) => said.has(token) && all.every((other, at) => at === nth || !other.has(token))) ? [nth] : [],
  );
  return named.length === 1 ? named[0]! : -1;
}
