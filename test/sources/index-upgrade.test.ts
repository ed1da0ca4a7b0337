import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApp, type App } from '../../src/app.ts';
import { silentLog } from '../../src/memory/log.ts';
import { passageLocation } from '../../src/memory/passage-location.ts';
import { searchText } from '../../src/memory/words/tokens.ts';
import { indexProject, type IndexReport } from '../../src/sources/project/index-run.ts';
import { projectStatus } from '../../src/sources/project/status.ts';
import { splitFile } from '../../src/sources/splitting/splitting.ts';
import { testConfig } from '../helpers/app.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writeFiles } from '../helpers/project.ts';
import { openTestStore } from '../helpers/store.ts';

const definition = (name: string, what: string): string =>
  `/** ${what} */\nexport function ${name}(count: number): string {\n  // ${`${what} `.repeat(6)}\n  return \`${name} \${count}\`;\n}\n`;
const FILES = {
  'src/feeding.ts': [1, 2, 3, 4].map((nth) => definition(`feedWalrus${nth}`, `Brings fish of bucket ${nth} to the walrus.`)).join('\n'),
  'src/tides.ts': [1, 2, 3].map((nth) => definition(`tideAt${nth}`, `Tells when the water of harbour ${nth} is high.`)).join('\n'),
  'test/feeding.test.ts': "it('feeds', () => {\n  expect(feedWalrus1(1)).toBe('feedWalrus1 1');\n});\n",
  'README.md': '# Harbour\n\nThe harbour has a walrus.\n\n## Feeding\n\nTwice a day.\n',
};
const ROOT = 'owner/harbour';

/** The index as it was before docs/adr/0044: passages of 500 characters, the name of the file at the end of the search text, another hash, no role. */
async function indexAsBefore(folder: string, open: () => Promise<App>): Promise<void> {
  await using app = await open();
  const files = Object.entries(FILES).map(([path, text]) => ({
    path,
    hash: createHash('sha256').update('1 500 100\n').update(text).digest('hex'),
    passages: splitFile(path, text, { size: 500, overlap: 100 }).map((passage) => ({ ...passage, details: {} })),
  }));
  await app.memories.sources.replace({ namespace: 'test', kind: 'index', root: ROOT, files });
  const { entries } = await app.memories.list({ namespace: 'test', limit: 100 });
  await app.close();
  const store = await openTestStore(folder);
  for (const { id, content, tags, sourceRef } of entries) {
    const before = await searchText(content, [...tags, String(sourceRef?.['file'])]);
    await store.entries.update(id, (row) => ({ ...row, searchText: before }), 'index');
  }
  await store.close();
}

it('an index of an older version is replaced by the next run, file by file, without duplicates', async () => {
  await using temporary = await temporaryFolder();
  const folder = join(temporary.path, 'project');
  await mkdir(folder);
  await writeFiles(folder, FILES);
  const config = testConfig(temporary.path);
  const open = (): Promise<App> => openApp(config, { log: silentLog, cwd: temporary.path });
  await indexAsBefore(join(temporary.path, 'store'), open);

  await using app = await open();
  const options = {
    project: { folder, root: ROOT, scope: '', namespace: 'test' },
    sources: app.memories.sources,
    maxFileBytes: 300_000,
    maxFiles: 2,
    splitting: { size: 1500, overlap: 100 },
    dryRun: false,
  };
  const entries = async () => (await app.memories.list({ namespace: 'test', limit: 100 })).entries;
  const first = async (query: string): Promise<string | undefined> => {
    const [hit] = (await app.memories.recall({ query, namespace: 'test' })).results;
    return hit && passageLocation(hit.entry)?.split(':')[0];
  };
  const answers = async (): Promise<void> => {
    expect(await first('tideAt2')).toBe('src/tides.ts');
    expect(await first('fish of bucket 3')).toBe('src/feeding.ts');
    expect(await first('how often is the walrus fed twice a day')).toBe('README.md');
  };
  const old = await entries();
  await answers();
  expect((await projectStatus(options)).upToDate).toBe(false);

  const ending = new AbortController();
  const cut: Promise<IndexReport> = indexProject({ ...options, signal: ending.signal, onDone: () => ending.abort() });
  await expect(cut).rejects.toThrow('aborted');
  await answers();

  const report = await indexProject(options);
  expect(report.files.changed + report.files.unchanged).toBe(4);
  expect(report.files).toMatchObject({ new: 0, renamed: 0, removed: 0 });
  await answers();
  expect(await first('feeding test')).toBe('test/feeding.test.ts');
  expect((await projectStatus(options)).upToDate).toBe(true);
  const now = await entries();
  const own = Object.entries(FILES).flatMap(([path, text]) =>
    splitFile(path, text, options.splitting).map(({ content }) => `${path}\n${content}`),
  );
  expect(now.map(({ content, sourceRef }) => `${String(sourceRef?.['file'])}\n${content}`).toSorted()).toEqual(own.toSorted());
  expect(now.length).toBeLessThan(old.length);
  expect((await indexProject(options)).entries).toEqual({ stored: 0, kept: 0, removed: 0 });
});
