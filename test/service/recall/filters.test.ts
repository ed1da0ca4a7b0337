import { describe, expect, it } from 'vitest';
import { openApp, type App } from '../../../src/app.ts';
import { silentLog } from '../../../src/memory/log.ts';
import type { ListRequest, SearchFilter } from '../../../src/memory/operations/operations.ts';
import { testConfig } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

const MODES = ['vector', 'keyword', 'hybrid'] as const;
/** Every second one fits the query: many more than any leg of a search takes as candidates. */
const OTHERS = 3000;
/** Says less about the query than all the others do. */
const WANTED = 'A walrus was mentioned once, at the very end of a talk about quite different animals of the north and of the south';

function* lines(): Generator<Uint8Array> {
  const line = (fields: object): Uint8Array => Buffer.from(`${JSON.stringify(fields)}\n`);
  for (let number = 0; number < OTHERS; number += 1) {
    yield line({
      content: number % 2 === 0 ? `walrus walrus number ${number}` : `report ${number} of the weather`,
      namespace: 'zoo',
      priority: 'low',
      source: 'cli',
      importance: 0.3,
      timestamp: new Date(Date.UTC(2026, 5, 1) + number * 1000).toISOString(),
    });
  }
  yield line({
    content: WANTED,
    namespace: 'zoo',
    priority: 'high',
    source: 'mcp',
    importance: 0.9,
    tags: ['rare', 'with, comma'],
    timestamp: '2026-01-31T12:00:00.000Z',
  });
}

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield* lines();
}

const FILTERS: readonly SearchFilter[] = [
  { priority: 'high' },
  { source: 'mcp' },
  { tags: ['rare'] },
  { importance: { min: 0.9 } },
  { createdAfter: '2026-01-31', createdBefore: '2026-02-01' },
  { priority: 'high', source: 'mcp', importance: { min: 0.5, max: 1 }, tags: ['with, comma'], createdBefore: '2026-02-01' },
];
const LISTS: readonly ListRequest[] = [
  { priority: 'high' },
  { source: 'mcp' },
  { minImportance: 0.9 },
  { createdAfter: '2026-01-31', createdBefore: '2026-02-01' },
  { priority: 'high', source: 'mcp', minImportance: 0.5, maxImportance: 1, tags: ['with, comma'], createdBefore: '2026-02-01' },
];

async function expectFiltered({ memories }: App): Promise<void> {
  for (const filter of FILTERS) {
    for (const searchMode of MODES) {
      const { results } = await memories.search({ query: 'walrus', searchMode, filter, limit: 5 });
      expect({ filter, searchMode, found: results.map(({ entry }) => entry.content) }).toEqual({ filter, searchMode, found: [WANTED] });
    }
  }
  for (const request of LISTS) {
    const { entries, total } = await memories.list({ ...request, namespace: 'zoo', limit: 5 });
    expect({ request, found: entries.map(({ content }) => content), total }).toEqual({ request, found: [WANTED], total: 1 });
  }
}

describe('a filter', () => {
  it('finds the one matching entry among any number of better ones, in memtable and table', async () => {
    await using folder = await temporaryFolder();
    const config = testConfig(folder.path);
    {
      await using app = await openApp(config, { log: silentLog, cwd: folder.path });
      expect(await app.memories.import(chunks(), {})).toMatchObject({ stored: OTHERS + 1, invalid: 0 });
      await expectFiltered(app);
    }
    await using app = await openApp(config, { log: silentLog, cwd: folder.path });
    await expectFiltered(app);
  });

  it('applies each condition, in search and list alike', async () => {
    await using folder = await temporaryFolder();
    await using app = await openApp(testConfig(folder.path), { log: silentLog, cwd: folder.path });
    const { memories } = app;
    await memories.save({ content: 'walrus of the shell', priority: 'low' }, { source: 'cli' });
    await memories.save({ content: 'walrus of the model', priority: 'high' }, { source: 'mcp' });
    await memories.save({ content: 'walrus of the program' }, { source: 'api' });
    const found = async (filter: SearchFilter): Promise<string[]> => {
      const { importance, kind: _, ...others } = filter;
      const range = { minImportance: importance?.min, maxImportance: importance?.max };
      const { entries } = await memories.list({ ...others, ...range });
      const listed = entries.map(({ content }) => content.replace('walrus of the ', '')).toSorted();
      const { results } = await memories.search({ query: 'walrus', filter });
      expect(results.map(({ entry }) => entry.content.replace('walrus of the ', '')).toSorted()).toEqual(listed);
      return listed;
    };
    expect(await found({})).toEqual(['model', 'program', 'shell']);
    expect(await found({ priority: 'normal' })).toEqual(['program']);
    expect(await found({ priority: 'high' })).toEqual(['model']);
    expect(await found({ source: 'cli' })).toEqual(['shell']);
    expect(await found({ source: 'web' })).toEqual([]);
    expect(await found({ source: 'mcp', priority: 'low' })).toEqual([]);
    expect(await found({ importance: { min: 0.6 } })).toEqual(['model']);
    expect(await found({ createdAfter: '2020-01-01' })).toEqual(['model', 'program', 'shell']);
    expect(await found({ createdBefore: '2020-01-01' })).toEqual([]);
  });

  it('selects memories or file passages, in recall and search, from any source', async () => {
    await using folder = await temporaryFolder();
    await using app = await openApp(testConfig(folder.path), { log: silentLog, cwd: folder.path });
    const { memories } = app;
    await memories.save({ content: 'walrus of a decision' }, { source: 'mcp' });
    const file = (path: string, content: string) => ({ path, hash: content, passages: [{ content }] });
    await memories.sources.replace({ kind: 'index', root: 'zoo', files: [file('walrus.ts', 'walrus of the code')] });
    await memories.sources.replace({ kind: 'ingest', root: 'zoo', files: [file('walrus.pdf', 'walrus of a document')] });
    const found = async (filter: SearchFilter): Promise<unknown> => {
      const [recalled, searched] = [await memories.recall({ query: 'walrus', filter }), await memories.search({ query: 'walrus', filter })];
      const contents = ({ results }: typeof recalled): string[] => results.map(({ entry }) => entry.content).toSorted();
      expect(contents(recalled)).toEqual(contents(searched));
      return contents(recalled);
    };
    const [code, decision, document] = ['walrus of the code', 'walrus of a decision', 'walrus of a document'];
    expect(await found({})).toEqual([decision, document, code]);
    expect(await found({ kind: 'memory' })).toEqual([decision]);
    expect(await found({ kind: 'file' })).toEqual([document, code]);
    expect(await found({ kind: 'file', source: 'index' })).toEqual([code]);
    const [passage] = (await memories.recall({ query: 'code', filter: { kind: 'file' } })).results;
    expect(await memories.explain({ query: 'walrus', id: passage!.entry.id, filter: { kind: 'memory' } })).toMatchObject({
      reason: 'It is a passage of a file, the search asked for memories.',
    });
  });

  it('is explained by the condition that an entry does not meet', async () => {
    await using folder = await temporaryFolder();
    await using app = await openApp(testConfig(folder.path), { log: silentLog, cwd: folder.path });
    const { ids } = await app.memories.save({ content: 'walrus', priority: 'low' }, { source: 'cli' });
    const explain = (filter: SearchFilter) => app.memories.explain({ query: 'walrus', id: ids[0]!, filter });
    expect(await explain({ priority: 'high' })).toMatchObject({
      returned: false,
      reason: 'Its priority is low, the search asked for high.',
      filters: [{ filter: 'priority is high', passed: false }],
    });
    expect(await explain({ source: 'mcp' })).toMatchObject({ returned: false, reason: 'Its source is cli, the search asked for mcp.' });
    expect(await explain({ source: 'cli', priority: 'low' })).toMatchObject({
      returned: true,
      filters: [
        { filter: 'priority is low', passed: true },
        { filter: 'source is cli', passed: true },
      ],
    });
  });
});
