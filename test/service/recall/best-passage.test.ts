import { describe, expect, it } from 'vitest';
import { readQuery } from '../../../src/memory/words/query-words.ts';
import { tokenize } from '../../../src/memory/words/tokens.ts';
import { bestPassage } from '../../../src/service/recall/best-passage.ts';
import { Lexicon } from '../../../src/store/memtable/lexicon.ts';

const SHAPE = { chunkSize: 400, chunkOverlap: 50 };
const FILLER = 'Nothing of interest happened on that day. ';
const NEEDLE = 'The walrus escaped from the harbour at dawn. ';

function passageOf(text: string, query: string) {
  const lexicon = new Lexicon();
  lexicon.add(tokenize(text).join(' '));
  return bestPassage(text, readQuery(query, lexicon), SHAPE);
}

describe('the best passage of a long text', () => {
  it.each([
    ['of some pages', 100],
    ['of many pages', 2000],
    ['of megabytes', 60_000],
  ])('%s has most of the query, and is an excerpt of the text', (_, repeats) => {
    const half = FILLER.repeat(repeats / 2);
    const text = half + NEEDLE + half;
    const passage = passageOf(text, 'when did the walrus escape from the harbour')!;
    expect(passage.text).toContain('walrus escaped');
    expect(text.slice(passage.start, passage.end)).toBe(passage.text);
    expect(passage.text.length).toBeLessThanOrEqual(SHAPE.chunkSize);
  });

  it('has the rarer words; of equals it is the first', () => {
    const text = `${FILLER.repeat(15)}${NEEDLE}${FILLER.repeat(15)}The walrus came back. ${FILLER.repeat(15)}`;
    expect(passageOf(text, 'walrus')!.text).toContain('escaped');
    expect(passageOf(text, 'walrus back')!.text).toContain('came back');
  });

  it('is found by another form of a word', () => {
    expect(passageOf(`${FILLER.repeat(20)}Open a pull request. ${FILLER.repeat(20)}`, 'pr')!.text).toContain('pull request');
  });

  it('is undefined without a word of the query', () => {
    expect(passageOf(FILLER.repeat(100), 'walrus')).toBeUndefined();
    expect(passageOf(FILLER.repeat(5000), '🦭')).toBeUndefined();
  });

  it('never splits a character, in a text without blanks', () => {
    const text = `x${'🦭'.repeat(6000)}港口${'🦭'.repeat(6000)}`;
    const passage = passageOf(text, '港口')!;
    expect(passage.text).toContain('港口');
    expect(passage.text.isWellFormed()).toBe(true);
    expect(text.slice(passage.start, passage.end)).toBe(passage.text);
  });
});
