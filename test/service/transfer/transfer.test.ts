import { describe, expect, it } from 'vitest';
import type {
  ExportedEntry,
  ExportLine,
  ExportRequest,
  ImportLine,
  ImportRequest,
  MemoryOperations,
} from '../../../src/memory/operations/operations.ts';
import { openTestApp } from '../../helpers/app.ts';

async function allLines(memories: MemoryOperations, request: ExportRequest = {}): Promise<ExportLine[]> {
  const lines: ExportLine[] = [];
  for await (const line of memories.export(request)) lines.push(line);
  return lines;
}

/** The lines below the header. */
async function exported(memories: MemoryOperations, request: ExportRequest = {}): Promise<ExportedEntry[]> {
  return (await allLines(memories, request)).filter((line): line is ExportedEntry => !('lore' in line));
}

/** The text in small chunks, so that lines and characters are cut anywhere. */
async function* chunks(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function importAll(memories: MemoryOperations, text: string | Uint8Array, request: ImportRequest = {}) {
  const lines: ImportLine[] = [];
  const report = await memories.import(chunks(text), request, { onLine: (line) => void lines.push(line) });
  return { report, lines };
}

const jsonl = (lines: readonly unknown[]): string => lines.map((line) => JSON.stringify(line)).join('\n');

describe('an export', () => {
  it('restores the same store when imported into an empty one', async () => {
    await using from = await openTestApp();
    await using to = await openTestApp();
    await from.memories.save({ content: 'quotes " and \n newlines, 世界 🚀', tags: ["o'clock", 'é'], priority: 'high', container: 'c' });
    await from.memories.save({ content: 'a long text. '.repeat(200), namespace: 'other' });
    await from.memories.save({ content: 'last', global: true }, { source: 'mcp' });
    for (const vectors of [false, true]) {
      const lines = await exported(from.memories, { vectors });
      expect(lines[0]?.embedding?.length).toBe(vectors ? 384 : undefined);
      const { report } = await importAll(to.memories, jsonl(lines));
      expect(report).toMatchObject({ lines: 3, stored: vectors ? 0 : 3, duplicates: vectors ? 3 : 0, invalid: 0 });
    }
    expect(await exported(to.memories)).toEqual(await exported(from.memories));
    expect((await to.memories.recall({ query: 'long text', namespace: 'other' })).results).toHaveLength(1);
  });

  it('can cover one namespace, oldest first', async () => {
    await using app = await openTestApp();
    for (const content of ['1', '2', '3']) await app.memories.save({ content, namespace: 'a' });
    await app.memories.save({ content: '4', namespace: 'b' });
    expect((await exported(app.memories, { namespace: 'a' })).map(({ content }) => content)).toEqual(['1', '2', '3']);
  });

  it('contains every entry of a store with several pages once', async () => {
    await using app = await openTestApp();
    const text = jsonl(Array.from({ length: 1234 }, (_, nth) => ({ content: `entry ${nth}` })));
    await app.memories.import(chunks(text, 65_536), {});
    const lines = await exported(app.memories);
    expect(new Set(lines.map(({ content }) => content)).size).toBe(1234);
    expect(lines).toHaveLength(1234);
  });
});

describe('an import line', () => {
  it('is reported with its error in plain words', async () => {
    await using app = await openTestApp();
    const bad: readonly (readonly [unknown, string])[] = [
      [{ content: 5 }, 'content must be a text'],
      [{}, 'content is required'],
      [{ content: '\u200b' }, 'content must not be blank'],
      [{ content: 'x', timestamp: 'soon' }, 'timestamp: not a date'],
      [{ content: 'x', metadata: { createdAt: 12 } }, 'metadata.createdAt: not a date'],
      [{ content: 'x', tags: 'x' }, 'tags must be a list'],
      [{ content: 'x', tags: ['x', 7] }, 'tags.1 must be a text'],
      [{ content: 'x', priority: 'urgent' }, 'priority must be one of low, normal, medium, high'],
      [{ content: 'x', importance: 3 }, 'importance must be at most 1'],
      [{ content: 'x', id: 'i'.repeat(300) }, 'id must be at most 200 characters long'],
      [[1], 'must be a JSON object'],
      [{ relation: { sourceId: 'x' } }, 'relation.sourceId must be the id of an entry'],
    ];
    const { report } = await importAll(app.memories, jsonl(bad.map(([line]) => line)));
    expect(report.errors.map(({ error }) => error)).toEqual(bad.map(([, error]) => error));
  });

  it('keeps valid names, and the report lists the others', async () => {
    await using app = await openTestApp();
    const tags = Array.from({ length: 70 }, (_, nth) => `t${nth}`);
    const lines = [
      { content: 'many tags', tags: [...tags, 't0'] },
      { content: 'long tag', tags: ['kept', 'l'.repeat(129)] },
      { content: 'hidden', metadata: { namespace: 'own\u200ber', container: 'c\u202e', tags: ['cafe\u0301'] } },
    ];
    const { report, lines: reported } = await importAll(app.memories, jsonl(lines));
    expect(report).toMatchObject({ stored: 3, invalid: 0 });
    const notes = [
      ['tags beyond 64 were left out: t64, t65, t66, t67, t68, t69'],
      [`tags longer than 128 characters were left out: ${'l'.repeat(128)}`],
      [
        'namespace: U+200B was replaced by U+FFFD, because it is invisible',
        'container: U+202E was replaced by U+FFFD, because it is invisible',
      ],
    ];
    expect(report.notes).toEqual(notes.map((said, nth) => ({ line: nth + 1, notes: said })));
    expect(reported.map((line) => line.notes)).toEqual(notes);
    const { entries } = await app.memories.list({ allNamespaces: true, sort: 'createdAt' });
    expect(entries.map(({ tags: kept }) => kept)).toEqual([tags.slice(0, 64), ['kept'], ['caf\u00e9']]);
    expect(entries[2]).toMatchObject({ namespace: 'own\ufffder', container: 'c\ufffd' });
  });
});

describe('the header of an export', () => {
  it('describes the export: format, model and number of entries', async () => {
    await using app = await openTestApp();
    for (const content of ['1', '2', '3']) await app.memories.save({ content, namespace: content === '3' ? 'b' : 'a' });
    const [header] = await allLines(app.memories);
    const [{ embedder } = {}] = await exported(app.memories, { vectors: true });
    expect(header).toEqual({
      lore: { format: 1, exportedAt: expect.stringMatching(/^\d{4}-.*Z$/), embedder: { fingerprint: embedder, width: 384 }, entries: 3 },
    });
    expect((await allLines(app.memories, { namespace: 'a' }))[0]).toMatchObject({ lore: { entries: 2 } });
    expect(await allLines(app.memories, { namespace: 'none' })).toMatchObject([{ lore: { entries: 0 } }]);
  });

  it('is skipped by an import, anywhere in a file, and is optional', async () => {
    await using from = await openTestApp();
    await using to = await openTestApp();
    await from.memories.save({ content: 'one' });
    const lines = await allLines(from.memories);
    const { report, lines: reported } = await importAll(to.memories, jsonl([...lines, ...lines, { content: 'two' }]));
    expect(report).toMatchObject({ lines: 3, stored: 2, duplicates: 1, invalid: 0 });
    // Lines are counted as an editor counts them.
    expect(reported.map(({ line }) => line)).toEqual([2, 4, 5]);
  });

  it('of a newer format stops an import before anything is stored', async () => {
    await using app = await openTestApp();
    for (const strict of [false, true]) {
      const text = jsonl([{ lore: { format: 2, new: true } }, { content: 'x' }]);
      await expect(importAll(app.memories, text, { strict })).rejects.toMatchObject({
        code: 'invalid_input',
        message: 'Line 1 begins an export of format 2; this Lore reads format 1.',
      });
    }
    expect((await app.memories.list({})).total).toBe(0);
  });

  it('needs a format; an entry may have any fields next to its content', async () => {
    await using app = await openTestApp();
    const lines = [
      { lore: { format: 1, exportedAt: 5, embedder: 'x', entries: -1 } },
      { lore: 'x' },
      { lore: { format: 0 } },
      { lore: { format: 9 }, content: 'x' },
    ];
    const { report } = await importAll(app.memories, jsonl(lines));
    expect(report).toMatchObject({ lines: 3, stored: 1, invalid: 2 });
    expect(report.errors.map(({ line, error }) => [line, error])).toEqual([
      [2, 'content is required'],
      [3, 'content is required'],
    ]);
  });
});

describe('an import', () => {
  it('reports each invalid line and stores the rest', async () => {
    await using app = await openTestApp();
    const text = [
      '{"content":"one","tags":["a"],"priority":"medium","createdAt":"2024-05-01T10:00:00.000Z"}',
      '{"content":"cut',
      '',
      '{"tags":["no content"]}',
      '[1,2]',
      '{"content":"two","metadata":{"namespace":"m","timestamp":"2024-05-02T10:00:00Z"}}',
      '{"content":"three","limit":1,"tags":"abc"}',
      '{"content":"\\ud800"}',
      '{"content":"one"}',
    ].join('\r\n');
    const { report, lines } = await importAll(app.memories, text);
    expect(lines.map(({ line, status }) => `${line} ${status}`)).toEqual([
      '1 stored',
      '2 invalid',
      '4 invalid',
      '5 invalid',
      '6 stored',
      '7 invalid',
      '8 invalid',
      '9 duplicate',
    ]);
    expect(report).toMatchObject({ lines: 8, stored: 2, duplicates: 1, invalid: 5 });
    expect(report.errors.map(({ line, error }) => `${line}: ${error}`)).toEqual([
      '2: is not valid JSON',
      '4: content is required',
      '5: must be a JSON object',
      expect.stringMatching(/^7: tags /),
      expect.stringMatching(/^8: content must be well-formed/),
    ]);
    const [one] = (await app.memories.list({})).entries;
    expect(one).toMatchObject({ content: 'one', priority: 'normal', source: 'import', createdAt: Date.parse('2024-05-01T10:00:00Z') });
    expect((await app.memories.list({ namespace: 'm' })).total).toBe(1);
  });

  it('in strict mode stores nothing with an invalid line', async () => {
    await using app = await openTestApp();
    const bad = await importAll(app.memories, '{"content":"one"}\n{"content":1}\n', { strict: true });
    expect(bad.report).toMatchObject({ lines: 2, stored: 0, invalid: 1 });
    expect((await app.memories.list({})).total).toBe(0);
    const good = await importAll(app.memories, '{"content":"one"}\n{"content":"two"}\n', { strict: true });
    expect(good.report).toMatchObject({ stored: 2, invalid: 0 });
  });

  it('previews in a dry run and stores nothing', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'there' });
    const { report } = await importAll(app.memories, jsonl([{ content: 'there' }, { content: 'new' }, { content: 'new' }, {}]), {
      dryRun: true,
    });
    expect(report).toMatchObject({ dryRun: true, lines: 4, stored: 1, duplicates: 2, invalid: 1 });
    expect((await app.memories.list({})).total).toBe(1);
  });

  it('previews the first three entries exactly as stored', async () => {
    await using app = await openTestApp();
    await app.memories.save({ content: 'there' });
    const id = '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11';
    const createdAt = '2024-05-01T10:00:00.000Z';
    const lines = [
      { content: 'there' },
      {
        id,
        content: 'full',
        tags: ['b', 'a', 'b'],
        priority: 'medium',
        importance: 0.9,
        container: 'c',
        createdAt,
        metadata: { namespace: 'n' },
      },
      { id: 'theirs', content: 'long text. '.repeat(100), tags: ['decision'], createdAt },
      {},
      { content: 'third', createdAt, updatedAt: '2024-06-01T10:00:00.000Z', sourceRef: { path: 'a.md' }, source: 'cli' },
      { content: 'fourth' },
    ];
    const dry = await importAll(app.memories, jsonl(lines), { dryRun: true, namespace: 'test' });
    const { preview = [], ...counts } = dry.report;
    expect(preview.map(({ id: own }) => own)).toEqual([id, undefined, undefined]);
    const real = await importAll(app.memories, jsonl(lines), { namespace: 'test' });
    expect(real.report).toEqual({ ...counts, dryRun: false });
    const stored = await Promise.all(real.lines.filter(({ status }) => status === 'stored').map((line) => app.memories.get(line.id!)));
    const iso = (ms: number) => new Date(ms).toISOString();
    const asShown = stored.slice(0, 3).map(({ id: _id, contentHash: _hash, arrivedAt: _arrival, ...entry }) => ({
      ...entry,
      createdAt: iso(entry.createdAt),
      updatedAt: iso(entry.updatedAt),
    }));
    expect(preview.map(({ id: _id, ...entry }) => entry)).toEqual(asShown);
  });

  it('counts reused and recomputed vectors, dry or not', async () => {
    await using from = await openTestApp();
    await using to = await openTestApp();
    for (const content of ['one', 'two']) await from.memories.save({ content });
    const [one, two] = await exported(from.memories, { vectors: true });
    const foreign = [{ ...two, embedder: 'other/model/384/1' }, { content: 'spec', embedding: one!.embedding }, { content: 'no vector' }];
    const text = jsonl([one, one, ...foreign]);
    const counts = { stored: 4, duplicates: 1, vectors: { kept: 1, remade: 2 } };
    expect((await importAll(to.memories, text, { dryRun: true })).report).toMatchObject(counts);
    const refused = await importAll(to.memories, `${text}\n{`, { strict: true });
    expect(refused.report).toMatchObject({ stored: 0, vectors: { kept: 0, remade: 0 } });
    expect(refused.report).not.toHaveProperty('preview');
    expect((await importAll(to.memories, text, { strict: true })).report).toMatchObject(counts);
  });

  it('never overwrites an entry with the same id', async () => {
    await using app = await openTestApp();
    const { ids } = await app.memories.save({ content: 'mine' });
    const { report } = await importAll(app.memories, jsonl([{ id: ids[0], content: 'theirs' }]));
    expect(report).toMatchObject({ stored: 0, invalid: 1 });
    expect((await app.memories.get(ids[0]!)).content).toBe('mine');
  });

  it('gives an entry of another store a new id and keeps the old one', async () => {
    await using app = await openTestApp();
    const { report, lines } = await importAll(
      app.memories,
      jsonl([
        { id: 'note-17', content: 'theirs' },
        { id: 18, content: 'too' },
      ]),
    );
    expect(report).toMatchObject({ stored: 2, invalid: 0 });
    const entry = await app.memories.get(lines[0]!.id!);
    expect(entry).toMatchObject({ content: 'theirs', sourceRef: { importedId: 'note-17' } });
  });

  it('skips a line that is too long or not UTF-8', async () => {
    await using app = await openTestApp({ 'server.bodyLimitBytes': 1024 });
    const text = Buffer.concat([
      Buffer.from(`{"content":"${'x'.repeat(5000)}"}\n`),
      Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]),
      Buffer.from('\uFEFF{"content":"good"}'),
    ]);
    const { report } = await importAll(app.memories, text);
    expect(report).toMatchObject({ lines: 3, stored: 1, invalid: 2 });
    expect(report.errors.map(({ error }) => error)).toEqual(['is longer than 1024 bytes', 'is not valid UTF-8']);
  });

  it('does not reuse a vector of another model, a wrong width or zero length', async () => {
    await using app = await openTestApp();
    const embedder = (await exportedVector(app.memories)).embedder;
    const lines = [
      { content: 'short vector', embedding: [1, 2, 3], embedder },
      { content: 'zero vector', embedding: Array.from({ length: 384 }, () => 0), embedder },
      { content: 'foreign vector', embedding: Array.from({ length: 384 }, () => 1), embedder: 'other/model/384/1' },
    ];
    const { report } = await importAll(app.memories, jsonl(lines));
    expect(report).toMatchObject({ stored: 3, invalid: 0 });
    for (const { content } of lines) {
      const [best] = (await app.memories.recall({ query: content, searchMode: 'vector' })).results;
      expect(best?.entry.content).toBe(content);
      expect(best?.score).toBeGreaterThan(0.7);
    }
  });
});

async function exportedVector(memories: MemoryOperations): Promise<{ embedder?: string }> {
  await memories.save({ content: 'probe' });
  return (await exported(memories, { vectors: true }))[0]!;
}
