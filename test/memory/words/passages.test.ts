import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitPassages, type Passage } from '../../../src/memory/words/passages.ts';

const sentence = (nth: number): string => `This is sentence number ${nth} of a text about many things.`;
const prose = (count: number, gap = ' '): string => Array.from({ length: count }, (_, nth) => sentence(nth)).join(gap);

/** Every character that is not blank is inside one passage at least. */
function uncovered(text: string, passages: readonly Passage[]): string {
  const covered = new Uint8Array(text.length);
  for (const { start, end } of passages) covered.fill(1, start, end);
  return Array.from({ length: text.length }, (_, at) => (covered[at] ? '' : text.charAt(at)))
    .join('')
    .trim();
}

function repeated(passages: readonly Passage[]): number[] {
  return passages.slice(1).map(({ start }, nth) => (passages[nth]?.end ?? 0) - start);
}

describe('passages', () => {
  it('leave a short text alone', () => {
    const text = '  short text \n';
    expect(splitPassages(text, { size: 100, overlap: 20 })).toEqual([{ text, start: 0, end: text.length }]);
  });

  it('end after paragraphs', () => {
    const text = [prose(4), prose(4), prose(4)].join('\n\n');
    const passages = splitPassages(text, { size: 300, overlap: 0 });
    expect(passages.map(({ text: one }) => one)).toEqual([prose(4), prose(4), prose(4)]);
  });

  it('end after sentences if there is no paragraph', () => {
    const passages = splitPassages(prose(20), { size: 300, overlap: 0 });
    expect(passages.length).toBeGreaterThan(3);
    for (const { text } of passages) expect(text).toMatch(/^This.*things\.$/s);
  });

  it('end after words if there is no sentence', () => {
    const words = Array.from({ length: 200 }, (_, nth) => `word${nth}`);
    const passages = splitPassages(words.join(' '), { size: 100, overlap: 0 });
    expect(passages.flatMap(({ text }) => text.split(' '))).toEqual(words);
  });

  it('end after the full stops of scripts without blanks', () => {
    const text = '我们使用向量检索来查找记忆。'.repeat(30);
    const passages = splitPassages(text, { size: 100, overlap: 0 });
    for (const { text: one } of passages) expect(one.endsWith('。')).toBe(true);
  });

  it('overlap with the previous one from the start of a word', () => {
    const passages = splitPassages(prose(20), { size: 300, overlap: 60 });
    for (const count of repeated(passages)) {
      expect(count).toBeGreaterThan(40);
      expect(count).toBeLessThanOrEqual(60);
    }
    for (const { text, start } of passages) {
      expect(text).toMatch(/^\S/);
      expect(start === 0 || /\s/.test(prose(20).charAt(start - 1))).toBe(true);
    }
  });

  it('never exceed the limit, and are finite', () => {
    const passages = splitPassages(prose(50), { size: 200, overlap: 199 });
    expect(uncovered(prose(50), passages)).toBe('');
    for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(200);
    expect(passages.length).toBeLessThan(60);
  });

  it('do not split emoji, families, skin tones and accents', () => {
    const unit = '👨‍👩‍👧e\u0301👍🏽';
    const text = unit.repeat(40);
    for (const size of [24, 31, 50]) {
      for (const { text: one } of splitPassages(text, { size, overlap: 3 })) {
        expect(one.isWellFormed()).toBe(true);
        expect(one).not.toMatch(/^(?:\u200d|\u0301|\p{Emoji_Modifier})/u);
        expect(one).not.toMatch(/\u200d$/);
      }
    }
  });

  it('grow evenly if there would be too many, and cover everything', () => {
    const text = prose(5_000);
    const passages = splitPassages(text, { size: 500, overlap: 100, max: 64 });
    expect(passages.length).toBeLessThanOrEqual(64);
    expect(passages.length).toBeGreaterThan(60);
    expect(uncovered(text, passages)).toBe('');
    const lengths = passages.slice(0, -1).map(({ text: one }) => one.length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(700);
  });

  it.each([
    ['prose', prose(1)],
    ['one word without an end', 'x'],
    ['blanks', ' '],
    ['short paragraphs', 'a\n\n'],
    ['marks without an end', '\u0301'],
    ['words far apart', `a${' '.repeat(5_000)}`],
  ])('handle ten megabytes of %s', (_, unit) => {
    const text = unit.repeat(Math.ceil(10_000_000 / unit.length));
    const passages = splitPassages(text, { size: 500, overlap: 100 });
    expect(passages.length).toBeLessThanOrEqual(256);
    expect(passages.at(0)?.start).toBe(0);
    expect(uncovered(text, passages)).toBe('');
  });

  it('cover every text, in order, within their limits', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc
        .array(fc.constantFrom('word', ' ', '\n\n', '. ', '。', '🚀', 'e\u0301', '      ', 'longerword'), { maxLength: 150 })
        .map((all) => all.join('')),
    );
    const options = fc.record({
      size: fc.integer({ min: 1, max: 60 }),
      overlap: fc.integer({ min: 0, max: 80 }),
      max: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(text, options, (whole, shape) => {
        const passages = splitPassages(whole, shape);
        expect(passages.length).toBeLessThanOrEqual(shape.max);
        expect(passages.length).toBeGreaterThan(0);
        expect(uncovered(whole, passages)).toBe('');
        for (const [nth, { text: one, start, end }] of passages.entries()) {
          expect(one).toBe(whole.slice(start, end));
          expect(one.isWellFormed()).toBe(true);
          expect(end).toBeGreaterThan(passages[nth - 1]?.end ?? -1);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
