import { describe, expect, it } from 'vitest';
import { differenceIn, differenceOf, extraWords, isSame, type Difference } from '../../../src/memory/same-fact/same-fact.ts';
import type { Word } from '../../../src/memory/same-fact/same-fact-words.ts';

const word = (key: string, more: Partial<Word> = {}): Word => ({
  key,
  written: key,
  starts: false,
  empty: false,
  negation: false,
  code: false,
  counted: false,
  joined: false,
  pause: false,
  ...more,
});
const MONTHS =
  'jan january feb february mar march apr april jun june jul july aug august sep sept september oct october nov november dec december';
const DAYS = 'monday tuesdays wednesday thursdays friday saturdays sunday';

describe('a typing error', () => {
  it.each([
    ['two letters swapped', 'authentication', 'authentciation'],
    ['a letter not doubled', 'recommended', 'recomended'],
    ['the last letter doubled', 'deployments', 'deploymentss'],
  ])('in a long word is no difference: %s', (_, right, wrong) => {
    expect(differenceOf(`we use ${right} here`, `we use ${wrong} here`)).toBeUndefined();
    expect([isSame(word(right), word(wrong)), isSame(word(wrong), word(right))]).toEqual([true, true]);
  });

  it.each([
    ['two pairs swapped', 'authentication', 'authentciatoin'],
    ['a pair swapped and a letter changed behind it', 'authentication', 'authentciatiox'],
    ['a letter changed', 'authentication', 'authentixation'],
    ['two neighbours changed, the second to the first', 'authentication', 'authentxiation'],
    ['two neighbours changed, the first to the second', 'authentication', 'authenticxtion'],
    ['one letter for its neighbour', 'authentication', 'authentiiation'],
    ['the last two swapped, as plural and verb may be', 'conversation', 'conversatino'],
    ['a letter not doubled and one changed behind it', 'recommended', 'recomendex'],
    ['another letter put in', 'recommended', 'recoxmmended'],
    ['two letters missing', 'recommended', 'recmended'],
    ['a letter more at the end', 'deployment', 'deployments'],
    ['a word too short for it', 'operation', 'opeartion'],
    ['a word of digits at its end', 'deployment12a', 'deployment21a'],
    ['a word of digits at its beginning', '12deployment', '21deployment'],
    ['one of digits only on one side', 'deployments', 'deployments1'],
    ['a capital', 'Authentication', 'Authentciation'],
  ])('is not assumed in %s', (_, one, other) => {
    expect([isSame(word(one), word(other)), isSame(word(other), word(one))]).toEqual([false, false]);
  });

  it('is not assumed in code, on either side', () => {
    const [right, wrong] = ['authentication', 'authentciation'];
    for (const [left, other] of [
      [word(right, { code: true }), word(wrong)],
      [word(right), word(wrong, { code: true })],
      [word(right, { code: true }), word(wrong, { code: true })],
    ] as const)
      expect(isSame(left, other)).toBe(false);
  });
});

describe('two words', () => {
  it('are equal if they are written alike, also if one is marked as code', () => {
    expect(isSame(word('make', { written: 'Make' }), word('Make', { written: 'Make', code: true }))).toBe(true);
    expect(differenceOf('run `Make` first', 'run Make first')).toBeUndefined();
  });

  it('written alike with different meanings differ, both in code and in prose', () => {
    for (const code of [false, true]) expect(isSame(word('a', { written: 'x', code }), word('b', { written: 'x', code }))).toBe(false);
  });

  it('are equal in any letter case, except in code', () => {
    expect(isSame(word('path', { written: 'Path' }), word('path'))).toBe(true);
    for (const [one, other] of [
      [true, false],
      [false, true],
    ])
      expect(isSame(word('path', { written: 'Path', code: one! }), word('path', { code: other! }))).toBe(false);
  });

  it('that occur more often in one text are counted as extra', () => {
    const keys = (left: readonly Word[]): string => left.map(({ key }) => key).join('');
    const words = (text: string): Word[] => text.split('').map((key) => word(key));
    const [one, other] = [words('aaab'), words('abbc')];
    expect([keys(extraWords(one, other)), keys(extraWords(other, one))]).toEqual(['aa', 'bc']);
    expect(keys(extraWords(words('aaa'), words('aa')))).toBe('a');
  });
});

describe('the kind of a word that only one text has', () => {
  it.each<[Difference, readonly (string | Word)[]]>([
    ['negation', ['nobody', 'nothing', 'nowhere', 'invalid', 'impossible', word('x', { negation: true })]],
    ['question', ['?']],
    ['address', ['https://x.example', 'git+ssh://host', 'S3://bucket']],
    ['path', ['src/a.ts', 'a\\b', '/x', './7', '(https://x.example/a', '/é']],
    ['version', ['1.2', 'v2', 'V12', '^4.1.0', '~10.20', '>=1.2.3-beta.1', '1.23.4', 'v10a', '<v3', '>=v3', '10.0.x']],
    ['date', ['2027-05-04', '--05-04', '9:30', '09:30', '09:30:15', ...MONTHS.split(' '), ...DAYS.split(' ')]],
    ['number', ['5', '+5', '-5', '1,000', '1_000', '5-30', '²', '2027-05']],
    ['unit', ['$10', '€', word('mb', { counted: true })]],
    ['sign', ['>', '#', '...', '//', '→']],
    [
      'identifier',
      [
        'foo_bar',
        'fooBar',
        '-f',
        'c#',
        '5x',
        '10€',
        'x1.2',
        '2027-05-04x',
        'x2027-05-04',
        '--05-04x',
        '112:30',
        '9:300',
        '9:3',
        word('id', { code: true }),
      ],
    ],
    ['name', [word('ana', { written: 'Ana' })]],
    [
      'word',
      [
        'ana',
        'dismay',
        'junes',
        'mayor',
        'well-known',
        "don't",
        'naïve',
        word('ana', { written: 'Ana', starts: true }),
        word('ana', { written: 'aNa' }),
      ],
    ],
  ])('is a %s', (difference, words) => {
    for (const one of words) {
      const read = typeof one === 'string' ? word(one) : one;
      expect([read.key, differenceIn(read)]).toEqual([read.key, difference]);
    }
  });
});

describe('texts that are too long to read', () => {
  const text = (length: number, blank = ' '): string => `deploy${blank}${'x'.repeat(length - 6 - blank.length)}`;

  it('are equal only as a whole, whatever their Unicode form', () => {
    const long = `${text(200_001)}é`;
    expect(differenceOf(long.normalize('NFD'), long.normalize('NFC'))).toBeUndefined();
    expect(differenceOf(long, `${long}.`)).toBe('word');
  });

  it('are those above 200,000 characters; one of them is enough', () => {
    expect(differenceOf(text(200_000), text(200_000, '\n'))).toBeUndefined();
    expect(differenceOf(text(200_001), text(200_001, '\n'))).toBe('word');
    expect(differenceOf(text(200_000), text(200_001, '  '))).toBe('word');
  });
});
