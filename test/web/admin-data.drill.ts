import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../helpers/folder.ts';
import { startEmbeddingApi } from '../helpers/embedding-api.ts';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessible } from './accessibility.ts';
import { surroundings } from './administration.ts';
import { delay, openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

const PATH = '/?view=admin&part=data';

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
});
afterAll(() => pages.close());

async function serverWith(...contents: readonly string[]): Promise<TestServer> {
  const server = await pages.server({ administration: surroundings() });
  for (const content of contents) await server.save(content);
  return server;
}

const open = (server: TestServer, width = 1280): Promise<OpenPage> =>
  pages.open(server, { path: PATH, viewport: { width, height: 800 }, acceptDownloads: true });
const file = (name: string, content: string | Buffer) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
/** Drops files or folders of this machine, as the file manager does. */
async function dropOn(page: Page, selector: string, files: readonly string[]): Promise<void> {
  const box = (await page.locator(selector).boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: box.x + 20, y: box.y + 20, data });
  }
}
const lines = (...all: readonly unknown[]): string => `${all.map((one) => JSON.stringify(one)).join('\n')}\n`;

describe('a backup', () => {
  it('is made by a button, listed and verified, with instructions to restore it', async () => {
    await using server = await serverWith('The tide tables are in the blue folder');
    await using opened = await open(server);
    const { page } = opened;
    const card = page.getByRole('region', { name: 'Backup', exact: true });
    await card.getByText('None yet').waitFor();
    await card.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText('Backed up 1 memory').waitFor();
    await card.getByText('just now').waitFor();
    const [backup] = await server.app.memories.backups.list();
    await card.getByRole('button', { name: 'Show 1 backup' }).click();
    await page.getByRole('button', { name: /^Verify/ }).click();
    await page.getByText(/is intact: 1 memory, every byte verified/).waitFor();
    await page.getByText('Intact', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Restore…/ }).click();
    await page.getByText(`lore backup restore ${backup!.name}`).waitFor();
    await expectAccessible(page);
    expect(opened.complaints).toEqual([]);
  });
});

describe('an export', () => {
  it('is a file with every memory, or those of one namespace', async () => {
    await using server = await serverWith('One', 'Two');
    await server.save('Three', { namespace: 'harbour' });
    await using opened = await open(server);
    const { page } = opened;
    const card = page.getByRole('region', { name: 'Export' });
    const download = async (button: string): Promise<readonly string[]> => {
      const [given] = await Promise.all([page.waitForEvent('download'), card.getByRole('button', { name: button }).click()]);
      expect(given.suggestedFilename()).toMatch(/^lore-\d{4}-\d\d-\d\d\.jsonl$/);
      const text = await readFile(await given.path(), 'utf8');
      return text
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => (JSON.parse(line) as { content: string }).content);
    };
    expect(await download('Export 3 memories')).toEqual(['One', 'Two', 'Three']);
    await page.getByText(/^Exported/).waitFor();
    await card.getByLabel('What').selectOption('harbour');
    expect(await download('Export 1 memory')).toEqual(['Three']);
    expect(opened.complaints).toEqual([]);
  });
});

describe('an import', () => {
  it('previews a file, stores it and reports the result', async () => {
    await using server = await serverWith('Known already');
    await using opened = await open(server);
    const { page } = opened;
    const content = `${lines({ content: 'Brand new' }, { content: 'Also new', metadata: { namespace: 'harbour\u200b' } }, { content: 'Known already' })}not json\n{"content": 5}\n`;
    await page.getByLabel('Choose file').setInputFiles(file('memories.jsonl', content));
    const card = page.getByRole('region', { name: 'Import' });
    await card.getByText('5 lines in memories.jsonl').waitFor();
    const counts = card.locator('dl');
    expect(await counts.textContent()).toBe('New2Already stored1Unreadable2');
    await card.getByText('is not valid JSON').waitFor();
    expect(await card.getByRole('list', { name: 'Unreadable lines' }).textContent()).toMatch(/Line 4.*Line 5.*content/);
    expect(await card.getByRole('list', { name: 'Skipped or replaced' }).textContent()).toMatch(/Line 2namespace: U\+200B was replaced/);
    expect((await server.app.memories.stats()).total).toBe(1);
    await expectAccessible(page);
    await card.getByRole('button', { name: 'Import 2 memories' }).click();
    await card.getByText('Imported memories.jsonl').waitFor();
    expect(await counts.textContent()).toBe('Stored2Already stored1Unreadable2');
    expect((await server.app.memories.stats()).total).toBe(3);
    await page.getByText('3 memories,').waitFor();
    await card.getByRole('button', { name: 'Import another file' }).click();
    await page.getByLabel('Choose file').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('uses the chosen namespace for lines without one', async () => {
    await using server = await serverWith();
    await server.save('Here first', { namespace: 'harbour' });
    await using opened = await open(server);
    const { page } = opened;
    await page.getByLabel('Choose file').setInputFiles(file('notes.jsonl', lines({ content: 'Without a namespace' })));
    await page.getByLabel('Namespace for lines without one').selectOption('harbour');
    await page.getByRole('button', { name: 'Import 1 memory' }).click();
    await page.getByText('Imported notes.jsonl').waitFor();
    const { entries } = await server.app.memories.list({ namespace: 'harbour' });
    expect(entries.map(({ content }) => content)).toEqual(['Without a namespace', 'Here first']);
  });

  it('reads compressed files, accepts a dropped one, and skips existing memories', async () => {
    await using server = await serverWith();
    await using opened = await open(server, 360);
    const { page } = opened;
    await page.getByLabel('Choose file').waitFor();
    const packed = gzipSync(lines({ content: 'Out of a gzip file' })).toString('base64');
    const given = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob('${packed}'), (one) => one.charCodeAt(0))], 'memories.jsonl.gz'));
      return transfer;
    })()`);
    await page.locator('section.drop').dispatchEvent('drop', { dataTransfer: given });
    await page.getByRole('button', { name: 'Import 1 memory' }).click();
    await page.getByText('Imported memories.jsonl.gz').waitFor();
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByLabel('Choose file').setInputFiles(file('again.jsonl', lines({ content: 'Out of a gzip file' })));
    await page.getByText('Nothing new in this file.').waitFor();
    expect(await page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0);
  });

  it('reads a dropped folder of Markdown like the command, and reports what it skips', async () => {
    await using folder = await temporaryFolder();
    const at = (...names: string[]): string => join(folder.path, 'vault', ...names);
    for (const name of ['deep/deeper', '.obsidian', 'node_modules/x']) await mkdir(at(name), { recursive: true });
    await writeFile(at('heron.md'), '---\ntags: [birds]\nnamespace: harbour\n---\nThe heron stands in the bay');
    await writeFile(at('deep', 'deeper', 'gull.markdown'), '# Gulls\n\nThe gull is fed at noon #sea');
    await writeFile(at('deep', 'broken.md'), '---\ntags: [birds\n---\nA text');
    await writeFile(at('deep', 'old.md'), Buffer.from([0x45, 0xff, 0xfe]));
    await writeFile(at('picture.png'), Buffer.from([0x89, 0x50]));
    for (const hidden of ['.obsidian', 'node_modules/x']) await writeFile(at(hidden, 'not.md'), 'Not a note');
    await using server = await serverWith();
    await using opened = await open(server);
    const { page } = opened;
    await dropOn(page, 'section.drop', [at()]);
    await page.getByText('vault: 2 Markdown files').waitFor();
    await page.getByText('Left out, files that are not Markdown: 1 (picture.png)').waitFor();
    await page.getByText('(deep/old.md)').waitFor();
    await page.getByText('Left out, files that cannot be read: 1 (deep/broken.md has front matter that is not valid YAML').waitFor();
    await expectAccessible(page);
    expect((await server.app.memories.stats()).total).toBe(0);
    await page.getByRole('button', { name: 'Import 2 memories' }).click();
    await page.getByText('Imported vault').waitFor();
    const { entries } = await server.app.memories.list({ allNamespaces: true });
    expect(Object.fromEntries(entries.map(({ sourceRef, ...entry }) => [String(sourceRef?.['path']), entry]))).toMatchObject({
      'deep/deeper/gull.markdown': { content: '# Gulls\n\nThe gull is fed at noon #sea', namespace: 'test', tags: ['sea'] },
      'heron.md': { content: '# heron\n\nThe heron stands in the bay', namespace: 'harbour', tags: ['birds'] },
    });
    expect(entries).toHaveLength(2);
    await page.getByRole('button', { name: 'Import another file' }).click();
    await dropOn(page, 'section.drop', [at('heron.md'), at('deep', 'deeper', 'gull.markdown')]);
    await page.getByText('heron.md and 1 more: 2 Markdown files').waitFor();
    await page.getByText('Nothing new in this file.').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('reads a table like the command, and reports what it skips or why it fails', async () => {
    await using server = await serverWith();
    await using opened = await open(server);
    const { page } = opened;
    const table =
      'Text;Tags;Date;Colour\n"The heron\nstands in the bay";birds, sea;2024-05-01;grey\n\nThe gull is fed at noon;;;\na;b;c;d;e\n';
    await page.getByLabel('Choose file').setInputFiles(file('birds.csv', `\ufeff${table}`));
    await page.getByText('2 rows in birds.csv').waitFor();
    await page.getByText('Left out, columns: 1 (Colour)').waitFor();
    await page.getByText('Left out, rows with more cells than the first: 1 (birds.csv row 5)').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Import 2 memories' }).click();
    await page.getByText('Imported birds.csv').waitFor();
    const { entries } = await server.app.memories.list({});
    expect(
      entries
        .toSorted((a, b) => (a.content < b.content ? -1 : 1))
        .map(({ content, tags, sourceRef }) => [content, tags, sourceRef?.['row']]),
    ).toEqual([
      ['The gull is fed at noon', [], 4],
      ['The heron\nstands in the bay', ['birds', 'sea'], 2],
    ]);
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByLabel('Choose file').setInputFiles(file('people.csv', 'name,age\nAna,40\n'));
    await page.getByText('Not imported: people.csv has no column with the text of the entries.').waitFor();
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByLabel('Choose file').setInputFiles(file('open.csv', 'text\n"never closed\n'));
    await page.getByText('Not imported: open.csv has a quote that is never closed.').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('imports a folder dropped on an empty store', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'heron.md'), 'The heron stands in the bay');
    await using server = await serverWith();
    await using opened = await pages.open(server);
    const { page } = opened;
    const way = page.getByRole('region', { name: 'Import what you have' });
    await way.getByText('Drop a folder of Markdown').waitFor();
    await dropOn(page, '[aria-label="Import what you have"]', [folder.path]);
    await page.getByText(': 1 Markdown file').waitFor();
    await page.getByRole('button', { name: 'Import 1 memory' }).click();
    await page.getByText('Imported').waitFor();
    expect((await server.app.memories.list({})).entries.map(({ content }) => content)).toEqual(['# heron\n\nThe heron stands in the bay']);
    expect(opened.complaints).toEqual([]);
  });

  it('reports an unreadable file, and accepts another', async () => {
    await using server = await serverWith();
    await using opened = await open(server);
    const { page } = opened;
    await page.getByLabel('Choose file').waitFor();
    await page.evaluate(`{
      const { slice } = Blob.prototype;
      Blob.prototype.slice = function (...range) {
        if (this.name === 'folder') return { arrayBuffer: () => Promise.reject(new DOMException('It is a folder', 'NotReadableError')) };
        return slice.apply(this, range);
      };
    }`);
    await page.getByLabel('Choose file').setInputFiles(file('folder', lines({ content: 'One' })));
    await page.getByRole('alert').getByText('folder cannot be read. It may have been deleted.').waitFor();
    await page.getByRole('button', { name: 'Import another file' }).click();
    await page.getByLabel('Choose file').setInputFiles(file('one.jsonl', lines({ content: 'One' })));
    await page.getByText('1 line in one.jsonl').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('shows the file chosen last, even if the one before is read later', async () => {
    await using server = await serverWith();
    await using opened = await open(server);
    const { page } = opened;
    await page.getByLabel('Choose file').waitFor();
    await page.evaluate(`{
      const { arrayBuffer } = Blob.prototype;
      const { slice } = Blob.prototype;
      Blob.prototype.slice = function (...range) {
        const part = slice.apply(this, range);
        if (this.name !== 'slow.jsonl') return part;
        part.arrayBuffer = () => new Promise((resolve) => (globalThis.release = () => resolve(arrayBuffer.call(part))));
        return part;
      };
    }`);
    await page.getByLabel('Choose file').setInputFiles(file('slow.jsonl', lines({ content: 'Slow' }, { content: 'Slower' })));
    await page.getByText('Reading slow.jsonl').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByLabel('Choose file').setInputFiles(file('quick.jsonl', lines({ content: 'Quick' })));
    await page.getByText('1 line in quick.jsonl').waitFor();
    await page.evaluate('globalThis.release()');
    await page.getByRole('button', { name: 'Import 1 memory' }).click();
    await page.getByText('Imported quick.jsonl').waitFor();
    expect((await server.app.memories.list({})).entries.map(({ content }) => content)).toEqual(['Quick']);
    expect(opened.complaints).toEqual([]);
  });

  it('imports a JSON document with a list of memories, as Lore and other servers write them', async () => {
    await using server = await serverWith();
    await using opened = await open(server);
    const { page } = opened;
    for (const [name, content] of [
      ['list.json', '[\n  {"content": "In a list"},\n  {"content": "Next in it"}\n]'],
      ['answer.json', '{"results":[{"score":0.5,"entry":{"content":"In an answer","metadata":{"tags":["kept"]}}}]}'],
    ] as const) {
      await page.getByLabel('Choose file').setInputFiles(file(name, content));
      await page.getByRole('button', { name: /^Import \d memor/ }).click();
      await page.getByText(`Imported ${name}`).waitFor();
      await page.getByRole('button', { name: 'Import another file' }).click();
    }
    const { entries } = await server.app.memories.list({});
    expect(entries.map(({ content }) => content).toSorted()).toEqual(['In a list', 'In an answer', 'Next in it']);
    expect(entries.flatMap(({ tags }) => tags)).toEqual(['kept']);
    expect(opened.complaints).toEqual([]);
  });

  it('names the command for other kinds of files', async () => {
    await using server = await serverWith();
    await using opened = await open(server);
    const { page } = opened;
    for (const [name, content] of [
      ['other.json', '[{"content": "Of another store", "content_hash": "f00"}]'],
      ["it's a store.sqlite", 'SQLite format 3'],
    ] as const) {
      await page.getByLabel('Choose file').setInputFiles(file(name, content));
      await page.getByText('There are no memories in Markdown, JSON, JSON Lines or CSV in it.').waitFor();
      await page.getByText(name.endsWith('.json') ? `lore import '${name}'` : String.raw`lore import 'it'\''s a store.sqlite'`).waitFor();
      await page.getByRole('button', { name: 'Import another file' }).click();
    }
    expect((await server.app.memories.stats()).total).toBe(0);
  });
});

describe('a running operation', () => {
  it('stays visible if the state of the store cannot be reloaded, below the error', async () => {
    await using server = await serverWith('One');
    await using opened = await open(server);
    const { page } = opened;
    await page.getByLabel('Choose file').setInputFiles(file('two.jsonl', lines({ content: 'Two' })));
    await page.getByText('1 line in two.jsonl').waitFor();
    await page.route('**/api/stats?*', (route) =>
      route.fulfill({ status: 500, json: { success: false, error: 'It broke.', code: 'INTERNAL' } }),
    );
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('alert').getByText('It broke.').waitFor();
    expect(await page.getByText('1 line in two.jsonl').count()).toBe(1);
    // The page looks again by itself, too: the alert stays until it is answered.
    const answer = await delay(page, '**/api/stats?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    answer();
    await expect.poll(() => page.getByRole('alert').count(), PATIENCE).toBe(0);
    await page.getByRole('button', { name: 'Import 1 memory' }).click();
    await page.getByText('Imported two.jsonl').waitFor();
  });
});

describe('re-embedding', () => {
  it('has nothing to do if every memory has vectors', async () => {
    await using server = await serverWith('One');
    await using opened = await open(server);
    await opened.page.getByRole('button', { name: 'Preview re-embedding' }).click();
    await opened.page.getByText('Every memory is embedded with hashed-words.').waitFor();
    expect(await opened.page.getByRole('button', { name: /^Re-embed/ }).count()).toBe(0);
  });

  it('previews, runs in the background, and shows its progress', async () => {
    await using api = await startEmbeddingApi();
    api.width = 64;
    const embeddings = {
      provider: 'openai',
      apiKey: 'sk-test',
      baseUrl: api.url,
      model: 'tiny',
      dimensions: 64,
      timeoutMs: 20_000,
    } as const;
    await using server = await pages.server({ administration: surroundings(), embeddings });
    const refusal = { status: 400, text: '{"error":{"message":"no"}}' };
    for (const content of ['One', 'Two', 'Three']) {
      api.faults.push(refusal, refusal, refusal);
      await server.save(content);
      api.faults.length = 0;
    }
    await using opened = await open(server);
    const { page } = opened;
    await page.getByText('Search by meaning does not find some memories yet').waitFor();
    const card = page.getByRole('region', { name: 'Re-embed' });
    await card.getByRole('button', { name: 'Preview re-embedding' }).click();
    await card.getByText('3 of 3 memories would be re-embedded.').waitFor();
    await card.getByText('3 from no model yet').waitFor();
    let release = (): void => undefined;
    api.hold = new Promise((resolve) => (release = resolve));
    await card.getByRole('button', { name: 'Re-embed 3 memories' }).click();
    await card.getByText('0 of 3', { exact: true }).waitFor();
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Re-embed');
    await card.getByText('To tiny. Search keeps working.').waitFor();
    expect(await card.getByRole('progressbar', { name: 'Re-embedding' }).getAttribute('max')).toBe('3');
    await expectAccessible(page);
    release();
    api.hold = undefined;
    await page.getByText('Every memory is embedded').waitFor();
    await expect.poll(() => page.getByText('Search by meaning does not find some memories yet').count(), PATIENCE).toBe(0);
    expect((await server.app.memories.health()).degraded).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });
});
