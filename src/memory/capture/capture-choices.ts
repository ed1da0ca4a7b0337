import { sentencesOf, sizeOf } from './capture-text.ts';
import { AGREEMENTS } from './language-cues/agreement.ts';
import { isStopWord, tokenize } from '../words/tokens.ts';

/** A longer sentence contains more than a choice, and so does a longer reply. */
const MOST_CHOOSING_SIZE = 18;
const MOST_REPLY_SIZE = 48;
const MOST_SENTENCES = 2;
const LONGEST_OPTION = 300;
const LONGEST_LEAD = 200;
const MOST_NAME_SIZE = 5;
const MOST_OPTIONS = 8;
const ITEM = /^\s*(?:[-*+•]\s+)?(?:\*\*)?(?:(?:option\s+)?\(?(?<label>\d|[a-h]|i{1,3}|i?v)[.):]|[-*+•])(?:\*\*)?\s+(?<text>\S.*)$/i;
const ROW = /^\s*\|.*\|\s*$/;
/** Between the head of a table and its rows. */
const RULE = /^\s*\|[\s:|-]+\|\s*$/;
const INLINE = /\((?<label>[1-6]|[a-f])\)\s/gi;
/** Between two options. */
const JOINED = /[\s,;.]*(?:\s(?:or|oder|ou|o|and|und|et|y))?[\s,;?.]*$/i;
const QUESTION = /[?？]["'”’)]*$/;
const REFUSES = /(?<![\p{L}])(?:neither|none|nor|keine?s?|weder|aucune?|ninguna?|ni)(?![\p{L}])/iu;
/** `X or Y?` */
const OR = /\s(?:or|oder|ou|o)\s/i;
const NAMED_LABEL =
  /(?:^|\s)\(?(?<letter>[a-h]|i{1,3}|i?v)\)(?![\p{L}])|(?<![\p{L}\d])(?:option|variante?|opción|number|nummer|no\.?|nr\.?|#|(?:go|going|went) (?:with|for)|i(?:'d| would)? (?:take|pick|choose|say)|(?:ich )?(?:nehme?n?|nimm)|je prends|me quedo con)\s*\(?(?<label>\d|[a-h]|one|two|three|four|eins|zwei|drei|vier|un|deux|trois|uno|dos|tres)(?![\p{L}\d'’])|(?:^|[.!?]\s+)(?<bare>\d)(?=[\s.,!)]|$)/giu;
/** Positions in a list, as spoken. */
const PLACES: readonly (readonly [place: number, words: RegExp])[] = [
  [0, /(?<![\p{L}])(?:first|1st|former|erste[rns]?|erstere[rns]?|premi(?:er|ère)|primer[oa]?)(?![\p{L}])/iu],
  [1, /(?<![\p{L}])(?:second|2nd|zweite[rns]?|deuxième|seconde?|segund[oa])(?![\p{L}])/iu],
  [2, /(?<![\p{L}])(?:third|3rd|dritte[rns]?|troisième|tercer[oa]?)(?![\p{L}])/iu],
  [-1, /(?<![\p{L}])(?:last|latter|letzte[rns]?|letztere[rns]?|derni(?:er|ère)|últim[oa])(?![\p{L}])/iu],
];
const MIDDLE = /(?<![\p{L}])(?:middle|mittlere[rns]?|milieu|(?:del|de la|en) medio)(?![\p{L}])/iu;

/** `Two ways: X, or Y.` */
const WAYS = /^(?:[^:]{3,60}:\s|(?:either|entweder|soit|o bien)\s)/i;

/** A name at the beginning of a sentence, and a verb that compares or explains it. */
const COMPARED =
  /^(?:`[^`]{1,40}`|\p{L}[\p{L}\d.+-]*)(?= (?:is|has|needs|uses|does|keeps|costs|gives|takes|comes|opens|would be|can|wants?|searches|ist|hat|braucht|kann|kennt|trägt|est|a|demande|coûte|reprend|es|tiene|necesita|cuesta|usa)(?![\p{L}]))/u;

/** Options that an answer offers, with the sentence that introduces them. */
export interface Options {
  readonly lead: string;
  readonly options: readonly { readonly label: string; readonly text: string; readonly name: string }[];
}

/** The options of the last list in an answer, or of a sentence at its end, `X or Y?`, `Two ways: X, or Y.`; undefined if it offers none. Linear. */
export function optionsIn(answer: string): Options | undefined {
  return listIn(answer) ?? tableIn(answer) ?? labelledIn(answer) ?? askedIn(answer) ?? comparedIn(answer);
}

/**
 * The decision of a reply that names an option by its letter, number or place: its subject, the option, the words of the reply and
 * the rejected options. Undefined if it names none or several, asks a question, or is long.
 */
export function chosenBy({ lead, options }: Options, words: string): string | undefined {
  const sentences = sentencesOf(words).map(({ text }) => text);
  const [first = ''] = sentences;
  if (sizeOf(words) > MOST_REPLY_SIZE || QUESTION.test(first)) return undefined;
  // A short reply is read as a whole, of a longer one the first sentences.
  const isShort = sizeOf(words) <= MOST_CHOOSING_SIZE;
  const choosing = isShort ? [words] : sentences.slice(0, MOST_SENTENCES).filter((sentence) => sizeOf(sentence) <= MOST_CHOOSING_SIZE);
  const places = choosing.filter((sentence) => !REFUSES.test(sentence)).map((sentence) => placeIn(sentence, options, { isShort }));
  const chosen = options[places.find((place) => place !== -1) ?? -1];
  if (chosen === undefined) return undefined;
  return `${chosenText({ lead, options }, options.indexOf(chosen))} ${words.replaceAll(/\s+/g, ' ').trim()}`;
}

/** `Agreed: Where do the settings go? MMKV, fast and synchronous (not AsyncStorage).` */
export function chosenText({ lead, options }: Options, at: number): string {
  const chosen = options[at]?.text ?? '';
  const others = options.flatMap(({ name }, nth) => (nth === at || name === '' ? [] : [`not ${name}`]));
  const against = others.length === options.length - 1 ? ` (${others.join(', ')})` : '';
  const told = lead === '' ? '' : ` ${lead}`;
  return `${AGREEMENTS[0]?.agreed ?? ''}${told} ${chosen.replace(/[.,;:]+$/, '')}${against}.`.replaceAll(/\s+/g, ' ').trim();
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

/** The rows of a table that a question follows. */
function tableIn(answer: string): Options | undefined {
  const lines = answer.split('\n').filter((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => ROW.test(line));
  const line = lines.findLastIndex((each, at) => at < last && RULE.test(each));
  const rows = line === -1 ? [] : lines.slice(line + 1, last + 1);
  if (rows.length < 2 || rows.length > MOST_OPTIONS || !rows.every((row) => ROW.test(row))) return undefined;
  if (!lines.slice(last + 1).some((each) => QUESTION.test(each.trim()))) return undefined;
  const options = rows.map((row, nth) => {
    const [name = '', ...rest] = row.split('|').flatMap((cell) => (cell.trim() === '' ? [] : [cell.trim()]));
    return optionOf(String(nth + 1), rest.length === 0 ? name : `${name}: ${rest.join(', ')}`);
  });
  return { lead: sentencesOf(lines.slice(last + 1).join(' ')).findLast(({ text }) => QUESTION.test(text))?.text ?? '', options };
}

/** `Either (a) an app, or (b) a page.` */
function labelledIn(answer: string): Options | undefined {
  const sentence = sentencesOf(answer).findLast(({ text }) => (text.match(INLINE)?.length ?? 0) > 1)?.text;
  if (sentence === undefined || sentence.length > 2 * LONGEST_OPTION) return undefined;
  const marks = [...sentence.matchAll(INLINE)];
  const options = marks.map(({ index, 0: mark, groups }, nth) => {
    const text = sentence.slice(index + mark.length, marks[nth + 1]?.index ?? sentence.length);
    return optionOf(groups?.['label']?.toLowerCase() ?? '', text.replace(JOINED, ''));
  });
  return { lead: sentence.slice(0, marks[0]?.index).trim(), options };
}

function askedIn(answer: string): Options | undefined {
  const sentences = sentencesOf(answer);
  const at = sentences.findLastIndex(({ text }) => OR.test(text) && (QUESTION.test(text) || WAYS.test(text)));
  const asked = sentences[at]?.text;
  if (asked === undefined || asked.length > 2 * LONGEST_LEAD || at < sentences.length - 2) return undefined;
  const parts = asked.replace(QUESTION, '').replace(WAYS, '').split(OR);
  if (parts.length !== 2) return undefined;
  const lead = asked.length <= LONGEST_LEAD ? asked : (WAYS.exec(asked)?.[0].trim() ?? '');
  return { lead, options: parts.map((text, nth) => optionOf(String(nth + 1), text)) };
}

/** Sentences next to each other that begin with different names: `Dompdf is simple. Browsershot is exact. Typst is one binary.` */
function comparedIn(answer: string): Options | undefined {
  const sentences = sentencesOf(answer);
  const names = sentences.map(({ text }) => COMPARED.exec(text)?.[0] ?? '').map((name) => (isStopWord(name.toLowerCase()) ? '' : name));
  const from = names.findIndex((name, at) => name !== '' && (names[at + 1] ?? '') !== '');
  if (from === -1) return undefined;
  let end = from;
  while ((names[end] ?? '') !== '') end += 1;
  const own = sentences.slice(from, end);
  if (new Set(names.slice(from, end)).size < own.length || own.length > MOST_OPTIONS || end < sentences.length - 2) return undefined;
  return {
    lead: '',
    options: own.map(({ text }, nth) => ({ label: String(nth + 1), text: text.slice(0, LONGEST_OPTION), name: names[from + nth] ?? '' })),
  };
}

function optionOf(label: string, raw: string): Options['options'][number] {
  const text = raw.replaceAll('**', '').trim().slice(0, LONGEST_OPTION);
  const [name = ''] = text.split(/[:.,(–—]\s|\s[-–—(]/);
  return { label, text, name: sizeOf(name) <= MOST_NAME_SIZE ? name.replace(/[:.,]$/, '') : '' };
}

const COUNTS = ['one eins un uno', 'two zwei deux dos', 'three drei trois tres', 'four vier'].map((words) => words.split(' '));

/** `number three` is 3. */
function labelOf(said: string): string {
  const count = COUNTS.findIndex((words) => words.includes(said));
  return count === -1 ? said : String(count + 1);
}

/** The place of the one option that the words name; -1 if they name none or several. */
function placeIn(words: string, options: Options['options'], { isShort }: { readonly isShort: boolean }): number {
  const labels = new Set(
    [...words.matchAll(NAMED_LABEL)].map(({ groups: { letter, label, bare } = {} }) =>
      labelOf((letter ?? label ?? bare ?? '').toLowerCase()),
    ),
  );
  const [said] = labels;
  if (said !== undefined) return labels.size === 1 ? options.findIndex((option) => option.label === said) : -1;
  if (MIDDLE.test(words)) return options.length % 2 === 1 ? (options.length - 1) / 2 : -1;
  const places = PLACES.filter(([, pattern]) => pattern.test(words)).map(([place]) => (place < 0 ? options.length + place : place));
  if (places.length > 0) return onlyOf(places);
  // Of a longer reply, a word in common is no choice.
  return isShort ? namedIn(words, options) : -1;
}

/** The option whose name shares a word with the reply that no other option has. */
function namedIn(words: string, options: Options['options']): number {
  const telling = (text: string): Set<string> => new Set(tokenize(text).filter((token) => !isStopWord(token) && token.length > 1));
  const said = telling(words);
  const all = options.map(({ text }) => telling(text));
  const named = options.flatMap(({ name }, nth) =>
    [...telling(name)].some((token) => said.has(token) && all.every((other, at) => at === nth || !other.has(token))) ? [nth] : [],
  );
  return onlyOf(named);
}

/** The place in a list of one; -1 for none or several. */
function onlyOf([place = -1, ...others]: readonly number[]): number {
  return others.length === 0 ? place : -1;
}
