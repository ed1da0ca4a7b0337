import { expect, it } from 'vitest';
import { phraseInMemory, type PhraseSearch } from '../../../src/store/read/phrase-search.ts';
import { tokenize } from '../../../src/memory/words/tokens.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore, row } from '../../helpers/store.ts';

const phrase = (text: string, namespace: string): PhraseSearch => ({
  text,
  stream: tokenize(text).join(' '),
  tokens: tokenize(text),
  filter: { namespaces: [namespace] },
  limit: 20,
});

it('a phrase is found among many entries with its words, in memtable and table', async () => {
  await using folder = await temporaryFolder();
  const store = await openTestStore(folder.path);
  const others = Array.from({ length: 60 }, (_, nth) => row(`walrus number ${nth} of the amber harbour`, { namespace: 'a' }));
  const [holding, same, elsewhere] = [
    row('we met the amber walrus there', { namespace: 'a' }),
    row('Amber  Walrus', { namespace: 'a' }),
    row('the amber walrus of another', { namespace: 'b' }),
  ];
  for (const each of [...others, holding, same, elsewhere]) await store.entries.insert(each);
  const wanted = phrase('amber walrus', 'a');
  const expected = [holding.entry.id, same.entry.id].toSorted();
  expect((await store.searchPhrase(wanted)).toSorted()).toEqual(expected);
  expect(phraseInMemory(store, wanted)?.toSorted()).toEqual(expected);
  await store.optimize();
  expect(phraseInMemory(store, wanted)?.toSorted()).toEqual(expected);
  await store.entries.remove(holding.entry.id);
  expect(await store.searchPhrase(wanted)).toEqual([same.entry.id]);
  await store.close();

  // Right after a start no text is in memory yet.
  const again = await openTestStore(folder.path);
  expect(phraseInMemory(again, wanted)).toBeUndefined();
  expect(await again.searchPhrase(wanted)).toEqual([same.entry.id]);
  await again.close();
});

it('all entries with a rare phrase are found, whatever is between its words', async () => {
  await using folder = await temporaryFolder();
  const store = await openTestStore(folder.path);
  const [one, part] = [row('a walrus of amber', { namespace: 'a' }), row('walruses ambered', { namespace: 'a' })];
  for (const each of [one, part]) await store.entries.insert(each);
  expect(phraseInMemory(store, phrase('amber walrus', 'a'))).toContain(one.entry.id);
  expect(phraseInMemory(store, phrase('amber', 'b'))).toEqual([]);
  await store.close();
});
