import { describe, expect, it } from 'vitest';
import { derivationsOf } from '../../../src/memory/words/derivations.ts';
import { tokenize } from '../../../src/memory/words/tokens.ts';

const tokenOf = (word: string): string => tokenize(word)[0]!;

describe('words of one family', () => {
  it.each([
    ['night', 'nightly'],
    ['fail', 'failure'],
    ['print', 'printer'],
    ['plan', 'planner'],
    ['store', 'storage'],
    ['wire', 'wireless'],
    ['start', 'restart'],
    ['install', 'uninstall'],
  ])('%s and %s lead to each other', (one, other) => {
    expect(derivationsOf(tokenOf(one))).toContain(tokenOf(other));
    expect(derivationsOf(tokenOf(other))).toContain(tokenOf(one));
  });

  it('have a stem of at least four letters, without digits', () => {
    expect(derivationsOf('manag')).not.toContain('man');
    expect(derivationsOf('gw7')).toEqual([]);
  });
});
