/** The memories of other products, in files made here as those products write them; docs/moving.md says where their forms are told. */
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import JSZip from 'jszip';
import { describe, expect, it } from 'vitest';
import { detectNamespace } from '../../../src/config/namespace.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { readPath, readText } from './read-text.ts';

const MODIFIED = new Date('2026-05-01T10:00:00.000Z');

async function folderOf(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder.path, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    await utimes(file, MODIFIED, MODIFIED);
  }
  return folder;
}

const lines = (records: readonly unknown[]): string => records.map((record) => JSON.stringify(record)).join('\n');

describe('the auto memory of Claude Code', () => {
  const MEMORY = [
    '# Memory',
    '',
    '- [Deploys](deploys.md) — how staging is deployed',
    '',
    '## Build',
    '',
    '- `npm run build:staging` loads the variables itself',
    '',
    '## Debugging',
    '',
    'CORS errors come from the proxy.',
    '',
  ].join('\n');
  const DEPLOYS = '---\nname: Deploys\ndescription: Staging goes first\ntype: project\n---\n\nUse make ship.\n';

  it('gives an entry for each section, in the namespace of the project of its session', async () => {
    await using work = await folderOf({ 'shop/README.md': 'x' });
    const shop = join(work.path, 'shop');
    await using folder = await folderOf({
      'projects/-home-ana-shop/memory/MEMORY.md': MEMORY,
      'projects/-home-ana-shop/memory/deploys.md': DEPLOYS,
      'projects/-home-ana-shop/1.jsonl': `${lines([{ type: 'summary' }, { type: 'user', cwd: shop }])}\n`,
      'projects/-nowhere-at-all-site/memory/MEMORY.md': '## Site\n\nBuilt with make.\n',
    });
    const { namespace } = await detectNamespace({ cwd: shop });
    for (const path of [folder.path, join(folder.path, 'projects')]) {
      const read = await readPath(path);
      expect(read).toMatchObject({ format: 'claude-code', isSure: true, problems: [] });
      expect(read.entries.map((entry) => [entry.namespace, entry.content])).toEqual([
        [namespace, '## Build\n\n- `npm run build:staging` loads the variables itself'],
        [namespace, '## Debugging\n\nCORS errors come from the proxy.'],
        [namespace, '# Deploys\n\nStaging goes first\n\nUse make ship.'],
        ['nowhere-at-all-site', '## Site\n\nBuilt with make.'],
      ]);
      expect(read.entries[2]).toMatchObject({ tags: ['claude-code', 'project'], createdAt: MODIFIED.toISOString() });
    }
    const one = await readPath(join(folder.path, 'projects/-home-ana-shop/memory'));
    expect(one.entries).toHaveLength(3);
    expect(one.leftOut).toEqual([{ what: 'lines of an index, whose files are imported separately', count: 1, names: ['deploys.md'] }]);
    expect(one.places[0]).toBe(`${join(folder.path, 'projects/-home-ana-shop/memory/MEMORY.md')}:5`);
  });

  it('reads type and time from the metadata of newer files, and a description that is not valid YAML', async () => {
    const text = [
      '---',
      'name: open-html-locally',
      'description: HTML: always open it here (never *.url), see {x}',
      'metadata: ',
      '  node_type: memory',
      '  type: feedback',
      '  originSessionId: 6473d404-e9d1-4c54-a639-5864c6f60bbb',
      '  modified: 2026-09-22T20:53:33.971Z',
      '---',
      '',
      'Start it from the shell.',
      '',
    ].join('\n');
    await using folder = await folderOf({ 'memory/MEMORY.md': '- [Open](feedback_html.md) — locally\n', 'memory/feedback_html.md': text });
    const read = await readPath(folder.path);
    expect(read).toMatchObject({ format: 'claude-code', problems: [] });
    expect(read.entries).toMatchObject([
      {
        content: '# open html locally\n\nHTML: always open it here (never *.url), see {x}\n\nStart it from the shell.',
        tags: ['claude-code', 'feedback'],
        createdAt: '2026-09-22T20:53:33.971Z',
      },
    ]);
  });

  it('finds the project by its folder if no session names it; --namespace overrides it', async () => {
    await using work = await folderOf({ 'my.shop/app/README.md': 'x' });
    const app = join(work.path, 'my.shop/app');
    const name = app.replaceAll(/[^A-Za-z0-9]/g, '-');
    await using folder = await folderOf({ [`projects/${name}/memory/MEMORY.md`]: MEMORY });
    const read = await readPath(folder.path);
    expect(read.entries[0]?.namespace).toBe((await detectNamespace({ cwd: app })).namespace);
    const named = await readPath(folder.path, { namespace: 'mine' });
    expect(named.entries[0]?.namespace).toBeUndefined();
  });

  it('says what to specify for a folder without memories', async () => {
    await using folder = await folderOf({ 'a.md': 'x' });
    await expect(readPath(folder.path, { format: 'claude-code' })).rejects.toMatchObject({
      hint: expect.stringContaining('~/.claude/projects') as string,
    });
  });
});

describe('CLAUDE.md and AGENTS.md', () => {
  const TEXT = [
    '# CLAUDE.md',
    '',
    'A shop in TypeScript.',
    '',
    '## Style',
    '',
    'Tabs, not spaces.',
    '@docs/style.md',
    '',
    '<!-- lore:start -->',
    '## Memory (Lore)',
    'Recall first.',
    '<!-- lore:end -->',
    '',
    '## Tests',
    '<!-- ask Ana -->',
    'With vitest.',
  ].join('\n');

  it('give an entry for each section, without the block of Lore, in the namespace of their folder', async () => {
    await using folder = await folderOf({ 'CLAUDE.md': TEXT, 'web/AGENTS.md': '# Web\n\nPreact.\n', 'docs/a.md': 'no' });
    const { namespace } = await detectNamespace({ cwd: folder.path });
    const read = await readPath(join(folder.path, 'CLAUDE.md'));
    expect(read).toMatchObject({ format: 'instructions', isSure: true });
    expect(read.entries.map(({ content }) => content.replaceAll(/\n{2,}/g, '\n'))).toEqual([
      '# CLAUDE.md\nA shop in TypeScript.',
      '## Style\nTabs, not spaces.\n@docs/style.md',
      '## Tests\nWith vitest.',
    ]);
    expect(read.entries[1]).toMatchObject({ namespace, tags: ['instructions'], createdAt: MODIFIED.toISOString() });
    expect(read.leftOut).toEqual([{ what: 'files included by @, to be imported separately', count: 1, names: ['docs/style.md'] }]);
    const all = await readPath(folder.path, { format: 'instructions' });
    expect(all.entries).toHaveLength(4);
    expect(await readPath(folder.path)).toMatchObject({ format: 'markdown' });
  });
});

describe('rules of Cursor', () => {
  it('are imported with their description and the files they apply to', async () => {
    await using folder = await folderOf({
      '.cursor/rules/api.mdc':
        '---\ndescription: How routes are written\nglobs: src/routes/**/*.ts, *.tsx\nalwaysApply: false\n---\n\n# API\n\nParse first.\n',
      '.cursor/rules/style.mdc': '---\ndescription:\nglobs: *.css\nalwaysApply: true\n---\nUse variables.\n',
      '.cursorrules': 'Answer briefly.\n',
      'README.md': 'no',
    });
    const read = await readPath(join(folder.path, '.cursor'));
    expect(read).toMatchObject({ format: 'cursor', isSure: true, problems: [] });
    expect(read.entries.map(({ content }) => content)).toEqual([
      '# API\n\nHow routes are written. For src/routes/**/*.ts, *.tsx.\n\nParse first.',
      '# style\n\nFor *.css.\n\nUse variables.',
    ]);
    expect(read.entries[0]).toMatchObject({ tags: ['cursor-rule'], namespace: (await detectNamespace({ cwd: folder.path })).namespace });
    expect(await readPath(join(folder.path, '.cursor/rules/style.mdc'))).toMatchObject({
      format: 'cursor',
      entries: [{ sourceRef: { alwaysApply: true } }],
    });
    expect(await readPath(folder.path)).toMatchObject({ format: 'markdown' });
    expect((await readPath(folder.path, { format: 'cursor' })).entries).toHaveLength(3);
  });
});

describe('an export of mcp-memory-service', () => {
  const MEMORY = {
    content: 'We deploy with make ship.',
    content_hash: 'abc123',
    tags: ['deploy'],
    created_at: 1_714_557_600.25,
    updated_at: 1_714_561_200,
    memory_type: 'decision',
    metadata: { source: 'claude-desktop', quality_score: 0.9 },
    store: 'work',
    export_source: 'laptop',
  };

  it('keeps machines and programs as tags, stores as containers, and timestamps', async () => {
    const document = {
      export_metadata: { source_machine: 'laptop', exporter_version: '5.0.1' },
      memories: [MEMORY, { content_hash: 'x', content: ' ' }],
    };
    const read = await readText(JSON.stringify(document, undefined, 2), { name: 'export.json' });
    expect(read).toMatchObject({
      format: 'mcp-memory-service',
      isSure: true,
      problems: ['export.json entry 2: content is required'],
      leftOut: [],
    });
    expect(read.entries).toEqual([
      {
        content: MEMORY.content,
        container: 'work',
        tags: ['deploy', 'decision', 'source:claude-desktop', 'source:laptop'],
        createdAt: '2024-05-01T10:00:00.250Z',
        updatedAt: '2024-05-01T11:00:00.000Z',
        sourceRef: { store: 'mcp-memory-service', importedId: 'abc123', type: 'decision', metadata: MEMORY.metadata },
      },
    ]);
    expect(await readText(lines([MEMORY, MEMORY]))).toMatchObject({ format: 'mcp-memory-service' });
    const rescued = { hash: 'h', content: 'kept', created_at: 1_714_557_600, metadata: '{"a":1}', tags: 'x,y', type: 'note' };
    const expected = {
      tags: ['x', 'y', 'note'],
      createdAt: '2024-05-01T10:00:00.000Z',
      sourceRef: { importedId: 'h', metadata: { a: 1 } },
    };
    expect(await readText(JSON.stringify([rescued]))).toMatchObject({ format: 'mcp-memory-service', entries: [expected] });
  });
});

describe('an export of OpenMemory', () => {
  const ID = '3c90c3cc-0d44-4b50-8888-8dd25736052a';
  const DOCUMENT = {
    user: { id: 'u', user_id: 'ana' },
    apps: [{ id: 'app-1', name: 'cursor' }],
    categories: [{ id: 'cat-1', name: 'travel' }],
    memories: [
      {
        id: ID,
        user_id: 'u',
        app_id: 'app-1',
        content: 'Prefers window seats',
        metadata: {},
        state: 'active',
        created_at: '2026-01-02T03:04:05+00:00',
        category_ids: ['cat-1'],
      },
      {
        id: 'b',
        user_id: 'u',
        app_id: 'app-1',
        content: 'gone',
        state: 'deleted',
        created_at: '2026-01-02T03:04:05+00:00',
        category_ids: [],
      },
    ],
    memory_categories: [],
    status_history: [{ id: 'h' }],
    export_meta: { version: '1' },
  };
  const LINE = {
    id: ID,
    content: 'Prefers window seats',
    metadata: {},
    created_at: '2026-01-02T03:04:05+00:00',
    state: 'active',
    app: 'cursor',
    categories: ['travel'],
  };
  const expected = {
    id: ID,
    content: 'Prefers window seats',
    tags: ['travel'],
    createdAt: '2026-01-02T03:04:05.000Z',
    sourceRef: { store: 'mem0', agent: 'cursor' },
  };

  it('is read as a document, as lines, and as an archive of both', async () => {
    const document = await readText(JSON.stringify(DOCUMENT));
    expect(document).toMatchObject({ format: 'mem0', isSure: true, problems: [] });
    expect(document.entries).toEqual([expected]);
    expect(document.leftOut).toEqual([{ what: 'memories that were deleted there', count: 1, names: [] }]);
    expect(await readText(lines([LINE]))).toMatchObject({ format: 'mem0', entries: [expected] });
    expect(await readText(JSON.stringify({ items: [{ ...LINE, app: undefined, app_name: 'cursor' }], total: 1 }))).toMatchObject({
      entries: [expected],
    });
    const zip = new JSZip();
    zip.file('memories.json', JSON.stringify(DOCUMENT));
    zip.file('memories.jsonl.gz', gzipSync(lines([LINE])));
    await using folder = await folderOf({
      'memories_export_ana.zip': await zip.generateAsync({ type: 'uint8array' }),
      'other.zip': await new JSZip().file('a', 'b').generateAsync({ type: 'uint8array' }),
    });
    expect(await readPath(join(folder.path, 'memories_export_ana.zip'))).toMatchObject({ format: 'mem0', entries: [expected] });
    await expect(readPath(join(folder.path, 'other.zip'))).rejects.toMatchObject({
      message: expect.stringContaining('without memories.json') as string,
    });
  });
});

describe('a graph of Zep or Graphiti', () => {
  const NODES = [
    { uuid: 'n1', name: 'Ana', labels: ['Entity', 'Person'], summary: 'Leads the shop team.', created_at: '2026-01-01T00:00:00Z' },
    { uuid: 'n2', name: 'Postgres', labels: ['Entity'], summary: '', created_at: '2026-01-01T00:00:00Z' },
  ];
  const EDGES = [
    {
      uuid: 'e1',
      name: 'USES',
      fact: 'The shop uses Postgres.',
      source_node_uuid: 'n1',
      target_node_uuid: 'n2',
      group_id: 'shop',
      created_at: '2026-02-01T00:00:00Z',
      valid_at: '2026-01-15T00:00:00Z',
      invalid_at: null,
    },
    {
      uuid: 'e2',
      name: 'USES',
      fact: 'The shop uses MySQL.',
      source_node_uuid: 'n1',
      target_node_uuid: 'n3',
      created_at: '2025-02-01T00:00:00Z',
      invalid_at: '2026-01-15T00:00:00Z',
    },
  ];
  const EPISODE = {
    uuid: 'p1',
    content: 'ana: we moved to Postgres',
    source: 'message',
    source_description: 'chat',
    created_at: '2026-02-01T00:00:00Z',
  };

  it('gives the valid facts and the node summaries', async () => {
    const read = await readText(JSON.stringify({ nodes: NODES, edges: EDGES, episodes: [EPISODE] }), { name: 'graph.json' });
    expect(read).toMatchObject({ format: 'zep', isSure: true, problems: [], found: { facts: 1, nodes: 1 } });
    expect(read.entries).toEqual([
      {
        id: 'e1',
        container: 'shop',
        content: 'The shop uses Postgres.',
        createdAt: '2026-02-01T00:00:00.000Z',
        tags: ['uses'],
        sourceRef: { store: 'zep', from: 'Ana', relationType: 'USES', to: 'Postgres', validAt: '2026-01-15T00:00:00.000Z' },
      },
      {
        id: 'n1',
        content: 'Ana: Leads the shop team.',
        createdAt: '2026-01-01T00:00:00.000Z',
        tags: ['person'],
        sourceRef: { store: 'zep', entity: 'Ana' },
      },
    ]);
    expect(read.leftOut.map(({ what, count }) => [what, count])).toEqual([
      ['facts that are no longer valid', 1],
      ['nodes without a summary', 1],
      ['episodes, whose facts are imported separately', 1],
    ]);
  });

  it('may be a list of facts, episodes alone, or lines of the graph database', async () => {
    expect(await readText(JSON.stringify({ facts: EDGES }))).toMatchObject({ format: 'zep', found: { facts: 1 } });
    expect(await readText(JSON.stringify({ episodes: [EPISODE] }))).toMatchObject({
      format: 'zep',
      entries: [{ content: EPISODE.content, tags: ['episode'] }],
    });
    const apoc = [
      { type: 'node', id: '0', labels: ['Entity', 'Person'], properties: NODES[0] },
      {
        type: 'relationship',
        id: '1',
        label: 'RELATES_TO',
        properties: EDGES[0],
        start: { id: '0', properties: NODES[0] },
        end: { id: '2', properties: NODES[1] },
      },
      {
        type: 'relationship',
        id: '2',
        label: 'MENTIONS',
        properties: { uuid: 'm', created_at: 'x' },
        start: { id: '5' },
        end: { id: '0' },
      },
    ];
    const read = await readText(lines(apoc));
    expect(read).toMatchObject({ format: 'zep', problems: [], found: { facts: 1, nodes: 1 } });
    expect(read.entries[1]).toMatchObject({ sourceRef: { from: 'Ana', to: 'Postgres' } });
  });
});

describe('notes of Basic Memory', () => {
  const NOTE = [
    '---',
    'title: Coffee Brewing',
    'type: note',
    'permalink: coffee-brewing',
    'tags:',
    '- coffee',
    'created: 2026-01-02T03:04:05Z',
    '---',
    '',
    '# Coffee Brewing',
    '',
    'What works at home.',
    '',
    '## Observations',
    '- [method] Pour over brings out the taste #brewing (in the morning)',
    '- [x] buy filters',
    '```',
    '- [code] no observation',
    '```',
    '',
    '## Relations',
    '- relates_to [[Tea]]',
    '- "pairs well with" [[Cake|a cake]] (on Sundays)',
    '- [[Water]]',
    '',
  ].join('\n');

  it('give one entry per observation and relation, and one for the remaining text', async () => {
    await using folder = await folderOf({ 'notes/coffee.md': NOTE, 'notes/plain.md': 'Just text.\n' });
    const read = await readPath(folder.path);
    expect(read).toMatchObject({
      format: 'basic-memory',
      isSure: true,
      problems: [],
      found: { notes: 2, texts: 2, observations: 1, relations: 3 },
    });
    expect(read.entries.map(({ content }) => content)).toEqual([
      '# Coffee Brewing\n\nWhat works at home.\n\n- [x] buy filters\n```\n- [code] no observation\n```',
      'Coffee Brewing: Pour over brings out the taste #brewing (in the morning)',
      'Coffee Brewing relates to Tea',
      'Coffee Brewing pairs well with Cake (on Sundays)',
      'Coffee Brewing links to Water',
      '# plain\n\nJust text.',
    ]);
    expect(read.entries[1]).toEqual({
      content: 'Coffee Brewing: Pour over brings out the taste #brewing (in the morning)',
      createdAt: '2026-01-02T03:04:05.000Z',
      tags: ['coffee', 'method', 'brewing'],
      sourceRef: {
        store: 'basic-memory',
        path: 'notes/coffee.md',
        title: 'Coffee Brewing',
        permalink: 'coffee-brewing',
        category: 'method',
        line: 15,
      },
    });
    expect(read.places[1]).toBe(`${join(folder.path, 'notes/coffee.md')}:15`);
    expect(await readText(NOTE, { name: 'coffee.md' })).toMatchObject({ format: 'basic-memory' });
  });
});
