import { sentencesOf, sizeOf } from '../capture-text.ts';
import { AGREEMENTS } from '../language-cues/agreement.ts';
import { languageOf, cuesOf } from '../language-cues/languages.ts';
import type { LanguageCues } from '../language-cues/language-cues.ts';

/** A turn of a person with the end of the assistant's previous answer. */
export interface PersonTurn {
  readonly text: string;
  readonly before?: string | undefined;
}

const MOST_CHARS = 600;
const MOST_WORDS = 60;
const MOST_SENTENCES = 6;
/** Number of last sentences of an answer. */
const MOST_TOLD = 3;
const ASKS = /[?？]["')]*$/u;
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{N}_$#@][\p{L}\p{N}_.'/@:=+-]*[\p{L}\p{N}_%]|[\p{L}\p{N}%]|[?？!！,，;；:：。、…=+>-]/gu;
const CJK = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]$/u;
const LETTERS = /^[\p{L}'-]+$/u;
const NAME = /^\p{Lu}\p{Ll}+$/u;
const CAPITALS = /^\p{Lu}{2,}$/u;
const NUMBER = /^\d[\d.,:]*%?$/;
const UNIT = /^\d[\d.,]*[\p{L}%]+$/u;
/** Days and months. */
const DAY =
  /^(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?|(?:jan|febr)uary|march|april|june|july|august|(?:sept|nov|dec)(?:ember)?|octo?(?:ber)?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|januar|februar|märz|mai|juni|juli|oktober|dezember|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)$/iu;
const RULES = [
  'question',
  'unsettled',
  'passing',
  'lasting',
  'contrast',
  'task',
  'order',
  'near',
  'definite',
  'generic',
  'pointing',
  'verb',
  'symptom',
  'leaning',
  'anaphor',
  'reason',
  'notice',
  'choice',
] as const satisfies readonly (keyof LanguageCues)[];

/** Classifier features of a turn: words, form, language cues, and what it answers. */
export function featuresOf({ text, before = '' }: PersonTurn): string[] {
  const said = plain(text);
  const language = cuesOf(said);
  const sentences = sentencesOf(said)
    .map((sentence) => sentence.text)
    .slice(0, MOST_SENTENCES);
  const found = new Set<string>([`language ${languageOf(said)}`]);
  addForm(found, said, sentences);
  const words = wordsIn(said);
  addWords(found, words);
  for (const [at, sentence] of sentences.entries()) addRules(found, { sentence, language, place: placeOf(at, sentences.length) });
  addBefore(found, plain(before), words);
  return [...found];
}

const plain = (text: string): string => text.slice(0, MOST_CHARS).replaceAll('’', "'").replaceAll(/\s+/g, ' ').trim();
const placeOf = (at: number, count: number): string => (at === 0 ? 'first' : at === count - 1 ? 'last' : 'inner');

/** Words in lower case; names, numbers and code are replaced by their class. */
function wordsIn(text: string): string[] {
  const words = (text.match(WORD) ?? []).slice(0, MOST_WORDS);
  return words.map((word, at) => {
    if (NUMBER.test(word)) return '#number';
    if (UNIT.test(word)) return '#unit';
    if (DAY.test(word)) return '#day';
    if (CAPITALS.test(word)) return '#capitals';
    if (at > 0 && NAME.test(word)) return '#name';
    if (word.length > 1 && !LETTERS.test(word)) return '#code';
    return word.toLowerCase();
  });
}

function addWords(found: Set<string>, words: readonly string[]): void {
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    found.add(`word ${word}`);
    if (next !== undefined) found.add(`pair ${word} ${next}`);
    if (next !== undefined && CJK.test(word) && CJK.test(next)) found.add(`word ${word}${next}`);
  }
  found.add(`begins ${words[0]}`);
  found.add(`begins ${words[0]} ${words[1]}`);
  found.add(`ends ${words.at(-1)}`);
  found.add(`ends ${words.at(-2)} ${words.at(-1)}`);
}

function addForm(found: Set<string>, said: string, sentences: readonly string[]): void {
  const size = sizeOf(said);
  found.add(`size ${Math.min(7, Math.round(Math.log2(size + 1)))}`);
  found.add(`sentences ${Math.min(4, sentences.length)}`);
  const forms: readonly (readonly [string, RegExp])[] = [
    ['asks', /[?？]/u],
    ['ends asking', ASKS],
    ['ends', /[.。]$/u],
    ['exclaims', /[!！]/u],
    ['number', /\d/u],
    ['number and unit', /\d\s?(?:%|[\p{L}]{1,12})(?!\p{L})/u],
    ['code', /`|\w[_/]\w|\w\.\w{2,}|[a-z][A-Z]/u],
    ['colon', /[:：](?:\s|$)|：/u],
    ['comma', /[,，、;；]/u],
    ['equals', / = |->|=>/u],
    ['quote', /["“„«「]/u],
    ['begins small', /^\p{Ll}/u],
    ['name', /[\p{Ll},] \p{Lu}\p{Ll}+/u],
    ['dots', /\.\.\.|…/u],
  ];
  for (const [name, form] of forms) if (form.test(said)) found.add(`form ${name}`);
}

function addRules(found: Set<string>, { sentence, language, place }: { sentence: string; language: LanguageCues; place: string }): void {
  const bare = language.lead.removedFrom(sentence).trim();
  const own = RULES.filter((rule) => language[rule].test(bare));
  const cue = language.cues.find(([, pattern]) => pattern.test(bare))?.[0];
  for (const name of cue === undefined ? own : [...own, `cue`, `cue ${cue}`]) {
    found.add(`says ${name}`);
    found.add(`says ${name}, ${place}`);
  }
  if (own.length === 0 && cue === undefined) found.add(`says nothing, ${place}`);
  const isOrder = own.includes('task') || own.includes('order');
  const isOpen = own.includes('question') || own.includes('unsettled');
  if (!isOpen && cue !== undefined) found.add(`states ${isOrder ? 'order' : 'plain'}`);
  if (!isOpen && (own.includes('lasting') || own.includes('contrast'))) found.add(`lasts ${isOrder ? 'order' : 'plain'}`);
}

/** Features of the question or proposal that it answers. */
function addBefore(found: Set<string>, before: string, words: readonly string[]): void {
  const told = sentencesOf(before)
    .slice(-MOST_TOLD)
    .map(({ text }) => text);
  if (told.length === 0) {
    found.add('answers nothing');
    return;
  }
  const language = cuesOf(before);
  const question = told.findLast((sentence) => ASKS.test(sentence));
  const proposes = AGREEMENTS.some((each) => told.some((sentence) => each.proposes.test(sentence)));
  const kind = proposes ? 'proposal' : question === undefined ? 'report' : 'question';
  const length = words.length < 4 ? 'word' : words.length < 10 ? 'few' : 'more';
  const said = words.join(' ');
  found.add(`answers ${kind}`);
  found.add(`answers ${kind} in ${length}`);
  const agrees = AGREEMENTS.some(({ yes, thatWay }) => yes.test(said) || thatWay.test(said));
  if (agrees) found.add(`agrees to ${kind}`).add(`agrees to ${kind} in ${length}`);
  if (question !== undefined && language.choice.test(question)) found.add('answers choice');
  const asked = wordsIn(question ?? told.at(-1) ?? '');
  const own = new Set(words.filter((word) => word.length > 3));
  if (asked.some((word) => own.has(word))) found.add('takes up a word');
}
