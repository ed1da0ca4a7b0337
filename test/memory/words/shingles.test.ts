import { describe, expect, it } from 'vitest';
import { bareWords, isKnownText, shinglesOf } from '../../../src/memory/words/shingles.ts';

const KNOWN = 'We deploy with make ship after the sync on Tuesdays; staging first, then production.';
const known = new Set(shinglesOf(bareWords(KNOWN)));
const isKnown = (text: string): boolean => isKnownText(text, known);

describe('a known text', () => {
  it.each([
    ['word for word', KNOWN],
    ['in capitals', KNOWN.toUpperCase()],
    ['with other blanks and line ends', KNOWN.replaceAll(' ', ' \n  ')],
    ['as a quote', `> ${KNOWN.replace('; ', ';\n> ')}`],
    ['in quotation marks', `"${KNOWN}"`],
    ['cut at its end', 'We deploy with make ship after the sync'],
    ['cut at its beginning', 'after the sync on Tuesdays; staging first, then production.'],
    ['cut within a word', 'We deploy with make ship after the sy…'],
    ['with words that only introduce it', `According to the memory: ${KNOWN}`],
    ['as a point of a list', `- **${KNOWN}**`],
    ['as a line of the context', `- [2026-01-31, decision] ${KNOWN}`],
    ['as a line of another context', `- 2026-01-31 [decision, deploy] ${KNOWN}`],
    ['as a result with its score', `0.91  ${KNOWN}`],
  ])('is recognised %s', (_how, text) => {
    expect(isKnown(text)).toBe(true);
  });

  it.each([
    ['with another number of words in between', 'We deploy with make release after the sync on Tuesdays; staging first, then production.'],
    ['with something added', `${KNOWN} Except in December.`],
    ['with a number before it', `Since 2026 ${KNOWN}`],
    ['with its opposite before it', `It is wrong that ${KNOWN}`],
    ['where only a few words are the same', 'We deploy with docker compose on the demo cluster'],
    ['that is empty', ''],
    ['of marks alone', '--- *** ---'],
  ])('is not recognised in one %s', (_how, text) => {
    expect(isKnown(text)).toBe(false);
  });

  it('is recognised in scripts without blanks', () => {
    const learned = new Set(shinglesOf(bareWords('数据库在端口五四三二上运行')));
    expect(isKnownText('「数据库在端口五四三二上运行」', learned)).toBe(true);
    expect(isKnownText('数据库在端口五四三三上运行', learned)).toBe(false);
  });

  it('of fewer than five words is recognised only as a whole', () => {
    const learned = new Set(shinglesOf(bareWords('Use pnpm here')));
    expect(isKnownText('use PNPM here!', learned)).toBe(true);
    expect(isKnownText('use pnpm', learned)).toBe(false);
  });
});
