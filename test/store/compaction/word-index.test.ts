import { expect, it } from 'vitest';
import { queryTokens } from '../../../src/memory/words/tokens.ts';
import type { Hit } from '../../../src/store/read/search.ts';
import { entries, questions } from '../../bench/corpus.mjs';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore, row } from '../../helpers/store.ts';

const ROWS = 6000;
const FLUSHES = 4;
const QUESTIONS = 100;
const LIMIT = 50;
/** LanceDB adds the words of a row in another order for another limit. */
const ROUNDING = 1e-4;

it('a keyword search finds the same best rows after any number of flushes', async () => {
  await using folder = await temporaryFolder();
  const store = await openTestStore(folder.path);
  const texts = [...entries(ROWS)];
  for (let start = 0; start < ROWS; start += ROWS / FLUSHES) {
    const some = texts.slice(start, start + ROWS / FLUSHES);
    await Promise.all(some.map(({ content, namespace }) => store.entries.insert(row(content, { namespace }))));
    await store.optimize();
  }
  for (const { query, namespace } of questions(texts, QUESTIONS)) {
    const filter = { namespaces: [namespace] };
    const find = (limit: number): Promise<Hit[]> => store.searchKeywords({ tokens: queryTokens(query), filter, limit });
    const found = await find(LIMIT);
    expect(await find(LIMIT)).toEqual(found);
    const better = (await find(ROWS)).filter(({ score }) => score > found.at(-1)!.score + ROUNDING);
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(better.map(({ id }) => id)));
  }
  await store.close();
});
