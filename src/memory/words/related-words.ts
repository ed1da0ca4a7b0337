import { CATEGORIES } from './categories.ts';
import { EVERYDAY } from './everyday-words.ts';
import { isStopWord, tokenize } from './tokens.ts';

/** `category`: a member of the category that the query names (`database`, `postgres`). `related`: related in meaning. */
export interface RelatedWord {
  /** Indexed form: one token, or several that must all be present. */
  readonly tokens: readonly string[];
  readonly kind: 'category' | 'related';
}

/** A line of a table: names in queries, and members in entries. */
interface Group {
  readonly names: string;
  readonly members: string;
  /** Parsed on first use. */
  words?: readonly RelatedWord[];
}

/** A word or phrase that names groups. */
interface Name {
  readonly tokens: readonly string[];
  readonly groups: Group[];
  /** Words of all its groups, read on first use. */
  words?: readonly RelatedWord[];
}

/** Marks a word that usually means something else. */
const UNSURE = '~';
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** First token -> names that begin with it, longest first. Built on the first query. */
let table: ReadonlyMap<string, readonly Name[]> | undefined;

/**
 * Related words for a query that shares no word with an entry, by token: from the tables of categories and everyday words. A phrase counts
 * for each of its words, which then have no other meaning. A token of one name gets the same list each time.
 */
export function relatedWords(stream: readonly string[]): ReadonlyMap<string, readonly RelatedWord[]> {
  table ??= readTable();
  const found = new Map<string, readonly RelatedWord[]>();
  let past = 0;
  for (const [at, token] of stream.entries()) {
    const name = table.get(token)?.find(({ tokens }) => tokens.every((word, nth) => stream[at + nth] === word));
    if (name === undefined || at + name.tokens.length <= past) continue;
    past = at + name.tokens.length;
    const words = (name.words ??= name.groups.flatMap(wordsOf));
    for (const word of name.tokens) {
      if (isStopWord(word)) continue;
      const before = found.get(word);
      found.set(word, before === undefined ? words : [...before, ...words]);
    }
  }
  return found;
}

function wordsOf(group: Group): readonly RelatedWord[] {
  group.words ??= [
    ...group.members
      .split(', ')
      .map((word): RelatedWord => ({ tokens: tokensOf(word), kind: word.startsWith(UNSURE) ? 'related' : 'category' })),
    ...group.names.split(', ').map((word): RelatedWord => ({ tokens: tokensOf(word), kind: 'related' })),
  ].filter(({ tokens }) => tokens.length > 0);
  return group.words;
}

function readTable(): Map<string, Name[]> {
  const read = new Map<string, Name[]>();
  const groups = [...CATEGORIES.trim().split('\n'), ...EVERYDAY.trim().split(/;\s+/)].map((line): Group => {
    const [names = '', members = ''] = line.split(' = ');
    return { names, members };
  });
  for (const group of groups) for (const name of group.names.split(', ')) add(read, tokensOf(name), group);
  for (const names of read.values()) names.sort((a, b) => b.tokens.length - a.tokens.length);
  return read;
}

function add(read: Map<string, Name[]>, tokens: readonly string[], group: Group): void {
  const [start = ''] = tokens;
  const beginning = read.get(start) ?? [];
  read.set(start, beginning);
  const known = beginning.find((each) => each.tokens.length === tokens.length && each.tokens.every((word, at) => word === tokens[at]));
  if (known === undefined) beginning.push({ tokens, groups: [group] });
  else known.groups.push(group);
}

/** One token per word: a compound (`sign-in`) stays whole; scripts without blanks give several. */
function tokensOf(entry: string): readonly string[] {
  return entry.split(' ').flatMap((word) => tokenize(word).slice(0, UNSPACED.test(word) ? undefined : 1));
}
