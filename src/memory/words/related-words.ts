import { CATEGORIES } from './categories.ts';
import { EVERYDAY } from './everyday-words.ts';
import { isStopWord, tokenize } from './tokens.ts';

/** `category`: the query names a kind of thing, this is one of them (`database`, `postgres`). `related`: near in meaning. */
export interface RelatedWord {
  /** As the index writes it: one token, or several that must all be there. */
  readonly tokens: readonly string[];
  readonly kind: 'category' | 'related';
}

/** A line of a table: what it is asked by, and what stands in entries for that. */
interface Group {
  readonly names: string;
  readonly members: string;
  /** Absent until a query asks for it. */
  words?: readonly RelatedWord[];
}

/** A word or phrase that a query may name groups by. */
interface Name {
  readonly tokens: readonly string[];
  readonly groups: Group[];
}

/** A word of a table that mostly means something else. */
const UNSURE = '~';
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** First token -> the names that begin with it, the longest first. Read when the first query is. */
let table: ReadonlyMap<string, readonly Name[]> | undefined;

/**
 * What entries may hold for the words of a query, by token, where they share no word with it: from tables of categories and of words that people say for
 * each other. A phrase counts for each of its telling words, which then mean nothing else.
 */
export function relatedWords(stream: readonly string[]): ReadonlyMap<string, readonly RelatedWord[]> {
  table ??= readTable();
  const found = new Map<string, RelatedWord[]>();
  let past = 0;
  for (const [at, token] of stream.entries()) {
    const name = table.get(token)?.find(({ tokens }) => tokens.every((word, nth) => stream[at + nth] === word));
    if (name === undefined || at + name.tokens.length <= past) continue;
    past = at + name.tokens.length;
    const words = name.groups.flatMap(wordsOf);
    for (const word of name.tokens) if (!isStopWord(word)) found.set(word, [...(found.get(word) ?? []), ...words]);
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

/** One token a word; a compound (`sign-in`) stays whole, what is written without blanks has several. */
function tokensOf(entry: string): readonly string[] {
  return entry.split(' ').flatMap((word) => tokenize(word).slice(0, UNSPACED.test(word) ? undefined : 1));
}
