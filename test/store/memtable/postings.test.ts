import { describe, expect, it } from 'vitest';
import { Postings } from '../../../src/store/memtable/postings.ts';

const row = (searchText: string): { searchText: string } => ({ searchText });

describe('postings', () => {
  it('say which rows hold a word and how often, in the order in which the rows came', () => {
    const postings = new Postings();
    const [first, second] = [row('crane crane harbour'), row('harbour crane')];
    for (const added of [first, row(''), second]) postings.add(added);
    expect([...postings.of('crane')]).toEqual([
      [first, 2],
      [second, 1],
    ]);
    expect([...postings.of('walrus'), ...postings.of('')]).toEqual([]);
  });

  it('forget a row that is removed, and know it again when it comes back', () => {
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
