import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIFFERENCES, differenceOf } from '../../../src/memory/same-fact/same-fact.ts';

const saved: string[] = readFileSync(new URL('../../eval/data/memories.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => (JSON.parse(line) as { content: string }).content);
const savedText = fc.constantFrom(...saved);
/** Prose, code, numbers, marks and scripts in any order. */
const piece = fc.constantFrom(
  ...'deploy Deploy US us not no never the is and or in staging , . ? ! ( ) - * ** ` ``` ~~ # > 5 7.1 1,000 v2 30 s MB GB May 4 2027 a/b.ts fooBar foo_bar --dry-run @ana #12 https://x.example/a 不 部署 の テスト 배포 ё é 🚀'.split(
    ' ',
  ),
  '\n',
  '\n\n',
  '  ',
);
const madeText = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(' '));
const anyText = fc.oneof(savedText, madeText, fc.string({ unit: 'grapheme', maxLength: 80 }));

describe('two texts with the same fact', () => {
  it.each([
    ['white space and line ends', 'Keep  logs\nfor a week. ', 'Keep logs for a week'],
    ['Markdown', '## Logs\n\n- keep **logs** for a [week](https://x.example)', 'Logs: keep logs for a week https://x.example'],
    ['kinds of quotes and dashes', '“Fast” builds – cached', '"Fast" builds - cached'],
    ['upper and lower case of prose', 'DO NOT deploy on friday', 'Do not deploy on Friday.'],
    ['contractions', "It's broken, don't use it", 'It is broken; do not use it.'],
    ['numbers', 'Keep 1,000 rows and three copies', 'keep 1000 rows and 3 copies'],
    ['units', 'wait 5min, then 30 seconds; 20 GB', 'wait 5 minutes, then 30 s; 20GB'],
    ['dates and times', 'Due May 4, 2027 at 09:30', 'Due 2027-05-04 at 9:30'],
    ['a date without a year', 'Due 4 September at noon', 'Due Sept 4 at noon'],
    ['full-width signs', '端口：４４３', '端口:443'],
    ['blanks between scripts', '端口 443 已开', '端口443已开'],
    ['English articles', 'The cache of a tenant', 'Cache of the tenant'],
    ['a line announced', 'Note: ports are fixed', 'Ports are fixed'],
    ['code marks', 'Run `npm ci --ignore-scripts` in `src/`', 'Run npm ci --ignore-scripts in src/'],
    ['British and American spelling', 'Colour and serialisation', 'color and serialization'],
    ['a slip in a long word', 'the authentciation and the recomended way', 'the authentication and the recommended way'],
    ['an adverbial first or last', 'On Fridays, nobody deploys. All is well.', 'Nobody deploys on Fridays. All is well.'],
    ['the sides of an identity', 'The owner of billing is Hanneke', 'Hanneke is the owner of billing'],
    ['composed and decomposed letters', 'café', 'cafe\u0301'],
    ['fenced code with another fence', '```sh\nnpm ci\n```', '~~~sh\nnpm ci\n~~~'],
  ])('%s may differ', (_what, a, b) => {
    expect(differenceOf(a, b)).toBeUndefined();
    expect(differenceOf(b, a)).toBeUndefined();
  });
});

describe('two texts with different facts', () => {
  it.each([
    ['negation', 'Deploy on Friday', "Don't deploy on Friday"],
    ['negation', 'Always log', 'Never log'],
    ['sign', 'No, deploy it', 'No deploy it'],
    ['number', 'Port 4101', 'Port 4102'],
    ['number', '1,000 rows', '1,001 rows'],
    ['number', 'two copies', 'three copies'],
    ['number', '+5 degrees', '-5 degrees'],
    ['number', 'pods 5 - 30 are old', 'pods 5 30 are old'],
    ['version', 'needs v2 of it', 'needs v3 of it'],
    ['version', 'zod ^4.1.0', 'zod ~4.1.0'],
    ['date', 'Due on Monday', 'Due on Tuesday'],
    ['date', 'Deploys on Monday', 'Deploys on Mondays'],
    ['date', 'Due 2027-05-04', 'Due 2027-04-05'],
    ['unit', '10 MB', '10 GB'],
    ['unit', '10 Mb', '10 MB'],
    ['unit', '$10', '€10'],
    ['path', 'see src/a.ts', 'see src/b.ts'],
    ['path', 'lint src/*.ts', 'lint src/.ts'],
    ['identifier', 'lint src/(*.ts,*.js)', 'lint src/(.ts,.js)'],
    ['address', 'see https://x.example/a', 'see https://x.example/b'],
    ['identifier', 'call `userId`', 'call `userID`'],
    ['identifier', 'drop `_id`', 'drop `id`'],
    ['identifier', 'run it with -f', 'run it with -v'],
    ['identifier', 'written in C#', 'written in C++'],
    ['name', 'ask Ana Kovac', 'ask Ana Novak'],
    ['name', 'ship to the US first', 'ship to us first'],
    ['word', 'We migrate the wiki', 'We migrated the wiki'],
    ['word', 'Every server is patched', 'Some server is patched'],
    ['word', 'Logs and metrics', 'Logs or metrics'],
    ['word', 'scraping the catalog', 'scrapping the catalog'],
    ['question', 'Deploy today?', 'Deploy today.'],
    ['sign', 'load > 5', 'load < 5'],
    ['sign', 'Use A and (B or C)', 'Use A and B or C'],
    ['identifier', '- [ ] rotate keys', '- [x] rotate keys'],
    ['identifier', 'Use ~~yarn~~ npm', 'Use yarn npm'],
    ['code', '```\na: 1\n```', '```\na:  1\n```'],
    ['indentation', 'a:\n  b: x\n  c: y', 'a:\n  b: x\nc: y'],
    ['letter case', 'read `path`', 'read Path'],
    ['order of words', 'Redis needs Kafka', 'Kafka needs Redis'],
    ['order of words', 'Redis in staging, Memcached in production', 'Redis in production, Memcached in staging'],
    ['order of words', 'Stop it. Drop it now.', 'Drop it now. Stop it.'],
    ['word', 'Der Dienst ruft den Server', 'Der Dienst ruft der Server'],
    ['word', 'デバッグを有効にする', 'デバッグを停止する'],
  ])('differ by %s: %s / %s', (kind, a, b) => {
    expect(differenceOf(a, b)).toBe(kind);
    expect(differenceOf(b, a)).toBe(kind);
  });

  it('differ if one says more', () => {
    for (const more of ['except on Sundays', 'in Oslo', 'since 4.2', 'only', 'also', 'usually']) {
      expect(differenceOf('The index is rebuilt every night', `The index is rebuilt every night ${more}`)).toBeDefined();
    }
  });
});

describe('the difference of any two texts', () => {
  it('is none for the same text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(differenceOf(text, text)).toBeUndefined();
        expect(differenceOf(text.normalize('NFD'), text.normalize('NFC'))).toBeUndefined();
      }),
    );
  });

  it('is symmetric, and one of the list', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const difference = differenceOf(a, b);
        expect(differenceOf(b, a)).toBe(difference);
        expect([undefined, ...DIFFERENCES]).toContain(difference);
      }),
      { numRuns: 300 },
    );
  });

  it('exists if any digit changes', () => {
    const digits = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(anyText, digits, fc.integer({ min: 1, max: 9 }), (text, place, step) => {
        const places = [...text.matchAll(/[0-9]/g)].map(({ index }) => index);
        fc.pre(places.length > 0);
        const at = places[place % places.length]!;
        const changed = `${text.slice(0, at)}${(Number(text[at]) + step) % 10}${text.slice(at + 1)}`;
        expect(differenceOf(text, changed), changed).toBeDefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('exists if a "not" is added', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 1_000_000 }), (text, place) => {
        const blanks = [0, ...[...text.matchAll(/ /g)].map(({ index }) => index), text.length];
        const at = blanks[place % blanks.length]!;
        expect(differenceOf(text, `${text.slice(0, at)} not ${text.slice(at)}`)).toBeDefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('exists if a content word of a saved text is left out', () => {
    fc.assert(
      fc.property(savedText, fc.integer({ min: 0, max: 1_000_000 }), (text, place) => {
        const words = [...text.matchAll(/\p{L}[\p{L}\p{N}]{3,}/gu)].filter(([word]) => !/^(?:note|please)$/i.test(word));
        const word = words[place % words.length]!;
        expect(differenceOf(text, text.slice(0, word.index) + text.slice(word.index + word[0].length)), word[0]).toBeDefined();
      }),
      { numRuns: 1000 },
    );
  });

  it('exists between any two of the saved texts', () => {
    const near = saved.filter((text) => /^(?:The|On-call|Tenant|Feature flag) /.test(text));
    for (const [at, text] of near.entries()) for (const other of near.slice(at + 1)) expect(differenceOf(text, other)).toBeDefined();
  });

  it('is a word for texts that are too long to read, unless they are equal', () => {
    const long = 'deploy the gateway '.repeat(12_000);
    expect(differenceOf(long, long)).toBeUndefined();
    expect(differenceOf(long, `${long} `)).toBe('word');
  });
});
