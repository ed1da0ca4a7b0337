import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { passageLocation } from '../../../src/memory/passage-location.ts';
import type { RecallRequest } from '../../../src/memory/operations/operations.ts';
import { splitFile } from '../../../src/sources/splitting/splitting.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});
afterEach(() => app[Symbol.asyncDispose]());

async function index(files: Readonly<Record<string, string>>, namespace = 'test'): Promise<void> {
  await app.memories.sources.replace({
    kind: 'index',
    root: 'zoo',
    namespace,
    files: Object.entries(files).map(([path, text]) => ({
      path,
      hash: text,
      passages: splitFile(path, text, { size: 1500, overlap: 100 }),
    })),
  });
}
const found = async (query: string, more: Partial<RecallRequest> = {}): Promise<string[]> =>
  (await app.memories.recall({ query, namespace: 'test', ...more })).results.map(({ entry }) => passageLocation(entry) ?? entry.content);

const FEED = 'export function feedWalrus(bucket: string): string {\n  return `fish from ${bucket}`;\n}\n';
const TEST =
  "it('feedWalrus takes fish from the bucket', () => {\n  expect(feedWalrus('bucket')).toBe('fish from bucket');\n  feedWalrus('bucket');\n});\n";

describe('passages of files', () => {
  it('of tests rank below the tested code, unless the query asks for tests', async () => {
    await index({ 'src/feed.ts': FEED, 'test/feed.test.ts': TEST });
    expect(await found('feedWalrus bucket fish')).toEqual(['src/feed.ts:1-3', 'test/feed.test.ts:1-4']);
    expect((await found('test of feedWalrus bucket fish'))[0]).toBe('test/feed.test.ts:1-4');
  });

  it('are found by file path and by what they define', async () => {
    await index({ 'src/rate-limit.ts': 'export const most = 100;\n', 'src/other.ts': 'export const least = 1;\n' });
    expect((await found('rate limit'))[0]).toBe('src/rate-limit.ts:1');
  });

  it('rank below an equally good memory', async () => {
    const of = (count: number, name: string, text: string) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`src/${name}${at}.ts`, `// ${text} ${at}\nexport const ${name}${at} = '${text}';\n`]),
      );
    const passages = {
      ...of(80, 'backup', 'the folder in which backups of the whole house lie; those kept longest go first, so that backups fit'),
      ...of(160, 'tide', 'the tide comes in'),
    };
    await index(passages);
    await app.memories.save({ content: 'Backups are kept for fourteen days.', namespace: 'test' }, { source: 'mcp' });
    expect((await found('how long are backups kept'))[0]).toBe('Backups are kept for fourteen days.');
    expect(await found('how long are backups kept', { filter: { kind: 'file' }, limit: 3 })).toHaveLength(3);
  });

  it('of one file take one of the first five results if there are others', async () => {
    const walrus = (nth: number): string =>
      `export function walrusFeeder${nth}(): string {\n  return '${'walrus feeder '.repeat(60)}${nth}';\n}\n`;
    await index({
      'src/large.ts': Array.from({ length: 6 }, (_, at) => walrus(at)).join('\n'),
      ...Object.fromEntries(
        [1, 2, 3, 4].map((at) => [`src/small${at}.ts`, `// a feeder ${at}\nexport const feeder${at} = 'for a walrus';\n`]),
      ),
    });
    const first = (await found('walrus feeder')).slice(0, 5);
    expect(first.filter((place) => place.startsWith('src/large.ts'))).toHaveLength(1);
  });

  it('rank below those of a file with more matches', async () => {
    await index({
      'src/a.ts': '// The walrus feeder.\nexport const bucket = 1;\n',
      'src/z.ts': Array.from({ length: 8 }, (_, at) => `// The walrus feeder.\n${`export const z${at} = 1;\n`.repeat(40)}`).join('\n'),
    });
    expect((await found('walrus feeder'))[0]).toMatch(/^src\/z\.ts/);
  });

  it('of tests rank lower even if the question mentions tests of its own', async () => {
    await index({ 'src/feed.ts': FEED, 'test/feed.test.ts': TEST });
    expect((await found('feedWalrus bucket fish in a spec'))[0]).toBe('src/feed.ts:1-3');
  });

  it('of code rank above an equally good document', async () => {
    await index({ 'a.md': 'The walrus feeder takes a bucket of fish.\n', 'z.ts': '// The walrus feeder takes a bucket of fish.\n' });
    expect(await found('walrus feeder bucket')).toEqual(['z.ts:1', 'a.md:1']);
  });

  it('are found by the subject of a question, not by its wording', async () => {
    await index({
      'src/words.ts': '// Defined where it happens: what is defined happens to be defined here.\nexport const nothing = 1;\n',
      'src/tide.ts': '// Tells the tide tables of a whole year apart from those of a month in the harbour.\nexport const year = 1;\n',
    });
    expect((await found('where is the tide defined'))[0]).toBe('src/tide.ts:1-2');
    expect((await found('what happens at the tide'))[0]).toBe('src/tide.ts:1-2');
  });

  it('do not count each part of a name separately', async () => {
    await index({
      'src/names.ts': '// harbourCraneDriver harbourCraneDriver harbour crane driver\nexport const crane = 1;\n',
      'src/rows.ts': '// Builds predicates of rows for harbourCraneDriver.\nexport const rows = 1;\n',
      'src/more.ts': '// The harbour has a crane, and the crane a driver.\nexport const more = 1;\n',
    });
    expect((await found('predicates of rows for harbourCraneDriver'))[0]).toBe('src/rows.ts:1-2');
  });

  it('have a stable order after re-indexing', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`src/part${at}.ts`, `export const walrus${at} = 'the same walrus in part ${at}';\n`]),
    );
    await index(files);
    await index(Object.fromEntries(Object.entries(files).toReversed()), 'again');
    for (const query of ['walrus', 'the same walrus', 'part of a walrus']) {
      expect(await found(query, { namespace: 'again' })).toEqual(await found(query));
    }
  });
});
