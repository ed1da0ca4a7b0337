import { WORDS_FILE } from '../format/words-file.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Vocabulary } from '../../memory/words/word-statistics.ts';
import type { Memtables } from '../memtable/memtable.ts';
import { Lexicon } from '../memtable/lexicon.ts';
import type { Damage } from '../files/quarantine.ts';
import { rowsOf, textOf, type RawRow } from '../format/rows.ts';
import { isFault } from '../errors/store-error.ts';
import { replaceFile } from '../files/sync.ts';
import type { View } from '../tables/view.ts';

/** Derived data; in the folder of the store. */

/** The words of the whole store: of the table and the memtables. Removed and replaced rows count until the next flush. */
export class Words implements Vocabulary {
  readonly #table: Lexicon;
  readonly #memtables: Memtables;

  constructor(table: Lexicon, memtables: Memtables) {
    this.#table = table;
    this.#memtables = memtables;
  }

  get rows(): number {
    return this.#sum(({ rows }) => rows);
  }

  get averageLength(): number {
    return this.rows === 0 ? 0 : this.#sum((part) => part.averageLength * part.rows) / this.rows;
  }

  get learned(): number {
    return Lexicon.learned;
  }

  documentFrequency(token: string): number {
    // Written out for speed: a query asks for about a thousand.
    let holding = this.#table.documentFrequency(token);
    for (const { words } of this.#memtables.all) if (words.rows > 0) holding += words.documentFrequency(token);
    return holding;
  }

  *lookalikes(token: string): Iterable<string> {
    yield* this.#table.lookalikes(token);
    for (const { words } of this.#memtables.all) yield* words.lookalikes(token);
  }

  *beginningWith(letters: string): Iterable<string> {
    yield* this.#table.beginningWith(letters);
    for (const { words } of this.#memtables.all) yield* words.beginningWith(letters);
  }

  #sum(figure: (part: Lexicon) => number): number {
    return this.#memtables.all.reduce((sum, { words }) => sum + figure(words), figure(this.#table));
  }
}

/** The warning if not all words can be counted. */
export const UNREADABLE_ROWS: Damage = {
  message:
    'Rows of the table of entries cannot be read: `lore doctor --verify` names them, and `lore doctor --repair` makes a store of the others.',
  mayLose: true,
  isFoundAgain: true,
};

/**
 * Counts the words of every row, and passes each row (columns `id`, `search_text`, `written_at`) to `offer`. Resolves with whether nothing
 * is damaged; rows missed by a system error are counted at the next start.
 */
export async function countWords({ parts }: View, { into, offer }: { into: Lexicon; offer: (row: RawRow) => void }): Promise<boolean> {
  const columns = ['id', 'search_text', 'written_at'];
  try {
    for (const { table } of parts) {
      for await (const batch of table.query().select(columns)) {
        for (const row of rowsOf(batch, columns)) {
          into.add(textOf(row, 'search_text'));
          offer(row);
        }
      }
    }
    return true;
  } catch (error) {
    into.isPartial = true;
    return isFault(error);
  }
}

/** The word counts of the tables as stored at the last close, if they match the stamp of this view; undefined if they must be counted. */
export async function readLexicon(storePath: string, stamp: string): Promise<Lexicon | undefined> {
  const text = await readFile(path.join(storePath, WORDS_FILE), 'utf8').catch(() => undefined);
  const end = text?.indexOf('\n') ?? -1;
  if (text === undefined || end === -1) return undefined;
  const [of, ...figures] = text.slice(0, end).split(' ');
  const [rows, length, words] = figures.map(Number);
  const lines = text.slice(end + 1).split('\n');
  if (of !== stamp || rows === undefined || length === undefined || lines.length !== words) return undefined;
  return Lexicon.restore({ rows, length, words: lines.map(readWord) });
}

function readWord(line: string): [string, number] {
  const blank = line.indexOf(' ');
  return [line.slice(0, blank), Number(line.slice(blank + 1))];
}

/** Stores the counts for the next start. If that fails, they are counted again. */
export async function writeLexicon(storePath: string, stamp: string, lexicon: Lexicon): Promise<void> {
  if (lexicon.isPartial) return;
  const { rows, length, words } = lexicon.save();
  const lines = words.map(([word, count]) => `${word} ${count}`);
  const text = [`${stamp} ${rows} ${length} ${words.length}`, ...lines].join('\n');
  await replaceFile(path.join(storePath, WORDS_FILE), text, { synced: false });
}
