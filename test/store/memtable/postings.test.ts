import { describe, expect, it } from 'vitest';
import { Postings } from '../../../src/store/memtable/postings.ts';

const row = (searchText: string): { searchText: string } => ({ searchText });

describe('postings', () => {
  it('list the rows of a word with counts, in order of arrival', () => {
    const postings = new Postings();
    const [first, second] = [row('crane crane harbour'), row('harbour crane')];
    for (const added of [first, row(''), second]) postings.add(added);
    expect([...postings.of('crane')]).toEqual([
      [first, 2],
      [second, 1],
    ]);
    expect([...postings.of('walrus'), ...postings.of('')]).toEqual([]);
  });

  it('remove a row, and add it again', () => {
    const postings = new Postings();
    const [first, second] = [row('crane'), row('crane')];
    for (const added of [first, second]) postings.add(added);
    postings.remove(first);
    postings.remove(row('crane'));
    expect([...postings.of('crane')]).toEqual([[second, 1]]);
    postings.add(first);
    expect([...postings.of('crane')].map(([found]) => found)).toEqual([second, first]);
  });
});
