import { createHash } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApp, type App } from '../../../src/app.ts';
import type { Entry } from '../../../src/memory/entry.ts';
import { silentLog } from '../../../src/memory/log.ts';
import type { ExportLine, ExportRequest, ImportLine, ImportRequest, MemoryOperations } from '../../../src/memory/operations/operations.ts';
import type { StoreOperations } from '../../../src/memory/operations/sync-operations.ts';
import { RELATION_TYPES, type Relation } from '../../../src/memory/relation.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import { testConfig } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;
const folders: Folder[] = [];
const apps: App[] = [];

/** An app that does nothing unasked: relations that it finds itself would come on top. */
async function openQuiet(flags: Record<string, unknown> = {}): Promise<StoreOperations> {
  const folder = await temporaryFolder();
  const app = await openApp(testConfig(folder.path, flags), { log: silentLog, cwd: folder.path, background: false });
  folders.push(folder);
  apps.push(app);
  return app.memories;
}

afterAll(async () => {
  for (const app of apps) await app.close();
  for (const folder of folders) await folder[Symbol.asyncDispose]();
});

async function exported(memories: MemoryOperations, request: ExportRequest = { all: true }): Promise<ExportLine[]> {
  const lines: ExportLine[] = [];
  for await (const line of memories.export(request)) if (!('lore' in line)) lines.push(line);
  return lines;
}

async function brought(memories: MemoryOperations, lines: readonly unknown[], request: ImportRequest = {}) {
  const told: ImportLine[] = [];
  const chunks = (async function* (): AsyncGenerator<Uint8Array> {
    for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
  })();
  const report = await memories.import(chunks, request, { onLine: (line) => void told.push(line) });
  return { report, told };
}

const ids = Array.from({ length: 10 }, () => newId());
const start = Date.UTC(2026, 0, 1);
const entryLine = (nth: number, id: string, namespace = 'test') => ({
  id,
  content: `entry number ${nth} of the harbour`,
  metadata: { namespace, timestamp: new Date(start + nth).toISOString(), tags: nth % 3 === 0 ? ['third'] : [] },
});
const relation = (sourceId: string, type: Relation['type'], targetId: string, facts: Partial<Relation> = {}): Relation => {
  return { sourceId, targetId, type, strength: 0.25, createdAt: start + 0.5, origin: 'auto', ...facts };
};
const archived = (nth: number, id: string, namespace = 'test') => {
  const content = `archived number ${nth}`;
  const entry: Entry = {
    id,
    content,
    namespace,
    container: namespace,
    tags: ['old'],
    priority: 'low',
    importance: 0.125,
    source: 'cli',
    createdAt: start + nth,
    updatedAt: start + nth,
    contentHash: createHash('sha256').update(content).digest('hex'),
  };
  return { at: start + nth, reason: 'expired', run: 'run-1', entry, relations: [] as Relation[] } as const;
};
const version = (entryId: string, writtenAt: number, namespace = 'test') => ({
  entryId,
  writtenAt,
  replacedAt: writtenAt + 1,
  replacedBy: 'cli',
  state: { content: 'as it was', tags: [], priority: 'normal', namespace, container: namespace, importance: 0.5 },
});

describe('a full export', () => {
  it('of 10,000 entries with relations, archive and history restores the same store', { timeout: 120_000 }, async () => {
    const from = await openQuiet();
    const many = Array.from({ length: 10_000 }, () => newId());
    const relations = Array.from({ length: 6000 }, (_, nth) =>
      relation(many[nth + 1]!, RELATION_TYPES[nth % RELATION_TYPES.length]!, many[nth]!, {
        createdAt: start + nth,
        origin: nth % 2 ? 'auto' : 'manual',
      }),
    );
    const old = Array.from({ length: 700 }, (_, nth) => archived(nth, newId()));
    const past = [...many.slice(0, 1200), ...old.slice(0, 100).map(({ entry }) => entry.id)].map((id, nth) =>
      version(id, start - 10_000 + nth / 4),
    );
    const lines = [
      ...many.map((id, nth) => entryLine(nth, id)),
      ...relations.map((one) => ({ relation: one })),
      ...old.map((one) => ({ archived: one })),
      ...past.map((one) => ({ version: one })),
    ];
    const { report } = await brought(from, lines);
    expect(report).toMatchObject({ lines: lines.length, stored: 10_000, duplicates: 0, invalid: 0 });
    expect(report.besides).toEqual({ lines: 8000, relations: 6000, archived: 700, versions: 1300 });
    // What happens to a store afterwards goes along too.
    await from.update(many[5]!, { content: 'changed', tags: ['now'] });
    await from.forget(many[9]!);

    const before = await exported(from, { all: true, vectors: true });
    expect(before.filter((line) => 'version' in line)).toHaveLength(1300);
    const to = await openQuiet();
    const again = await brought(to, before);
    expect(again.report).toMatchObject({ stored: 9999, duplicates: 0, invalid: 0, vectors: { kept: 9999 } });
    expect(await exported(to, { all: true, vectors: true })).toEqual(before);
    expect((await to.get(many[0]!)).superseded).toBe((await from.get(many[0]!)).superseded);
    // Nothing is stored twice.
    const third = await brought(to, before);
    expect(third.report).toMatchObject({ stored: 0, duplicates: 9999, invalid: 0 });
    expect(third.report.besides).toMatchObject({ relations: 0, archived: 0, versions: 0 });
  });

  it('of one namespace contains nothing of others, also for a bound key', async () => {
    const memories = await openQuiet();
    const [a, b, c, d] = ids as [string, string, string, string];
    const [mine, theirs] = [newId(), newId()];
    await brought(memories, [
      ...[a, b].map((id, nth) => entryLine(nth, id, 'mine')),
      ...[c, d].map((id, nth) => entryLine(nth + 2, id, 'theirs')),
      { relation: relation(a, 'references', b) },
      { relation: relation(c, 'references', d) },
      { relation: relation(a, 'similar', c) },
      { archived: { ...archived(1, mine, 'mine'), relations: [relation(mine, 'similar', a), relation(c, 'references', mine)] } },
      { archived: archived(2, theirs, 'theirs') },
      ...[a, mine].map((id) => ({ version: version(id, start - 5, 'mine') })),
      ...[a, c, mine, theirs].map((id) => ({ version: version(id, start - 7, 'theirs') })),
    ]);
    const bound = restrictTo(memories, { name: 'bound', access: 'read', namespace: 'mine' });
    for (const lines of [await exported(memories, { all: true, namespace: 'mine' }), await exported(bound, { all: true })]) {
      const besides = lines.filter((line) => !('content' in line));
      expect(besides).toEqual([
        { relation: relation(a, 'references', b) },
        { archived: { ...archived(1, mine, 'mine'), relations: [relation(mine, 'similar', a)] } },
        { version: version(a < mine ? a : mine, start - 5, 'mine') },
        { version: version(a < mine ? mine : a, start - 5, 'mine') },
      ]);
      expect(lines).toHaveLength(6);
    }
    expect((await exported(memories, {})).every((line) => 'content' in line)).toBe(true);
    await expect(exported(bound, { all: true, namespace: 'theirs' })).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('an import of auxiliary data', () => {
  let memories: MemoryOperations;
  beforeAll(async () => {
    memories = await openQuiet();
  });

  it('waits for entries later in the file', async () => {
    const [a, b, gone] = [newId(), newId(), newId()];
    const lines = [
      { version: version(gone, start - 1) },
      { relation: relation(b, 'supersedes', a) },
      entryLine(100, a),
      { archived: archived(100, gone) },
      entryLine(101, b),
    ];
    const { report, told } = await brought(memories, lines);
    expect(report).toMatchObject({ lines: 5, stored: 2, invalid: 0, besides: { lines: 3, relations: 1, archived: 1, versions: 1 } });
    expect(told.map(({ line }) => line).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    expect(await memories.get(a)).toMatchObject({ superseded: true });
  });

  it('uses the existing entry for a duplicate', async () => {
    const [there, named, other] = [newId(), newId(), newId()];
    await brought(memories, [entryLine(200, there)]);
    const { report } = await brought(memories, [
      entryLine(200, named),
      entryLine(201, other),
      { relation: relation(other, 'references', named) },
      { version: version(named, start - 1) },
    ]);
    expect(report).toMatchObject({ stored: 1, duplicates: 1, invalid: 0, besides: { lines: 2, relations: 1, versions: 0 } });
    const found = (await exported(memories)).flatMap((line) =>
      'relation' in line && line.relation.sourceId === other ? [line.relation] : [],
    );
    expect(found).toEqual([relation(other, 'references', there)]);
  });

  it('reports errors in plain words, and stores the rest', async () => {
    const [a, b] = [newId(), newId()];
    const lines = [
      entryLine(300, a),
      entryLine(301, b),
      { relation: relation(a, 'supersedes', b) },
      { relation: relation(b, 'supersedes', a) },
      { relation: relation(a, 'similar', a) },
      { relation: relation(a, 'similar', newId()) },
      { relation: { ...relation(a, 'similar', b), strength: 2 } },
      { relation: 'x' },
      { archived: { ...archived(1, newId()), reason: 'boredom' } },
      { version: { entryId: a } },
      { relations: [] },
    ];
    for (const dryRun of [true, false]) {
      const { report, told } = await brought(memories, lines, { dryRun });
      const wrong = new Map(told.flatMap(({ line, status, error }) => (status === 'invalid' ? [[line, error]] : [])));
      expect(Object.fromEntries(wrong)).toMatchObject({
        6: 'names an entry that is neither in the store nor in the import',
        7: expect.stringMatching(/^relation\.strength /),
        8: expect.stringMatching(/^relation /),
        9: expect.stringMatching(/^archived\.reason /),
        10: expect.stringMatching(/^version\.writtenAt /),
        11: 'content is required',
      });
      expect(report.lines).toBe(11);
      if (dryRun) continue;
      expect(wrong.get(4)).toContain('already replaces');
      expect(wrong.get(5)).toBe('An entry has no relation to itself.');
    }
    const strict = await brought(memories, [entryLine(302, newId()), { relation: relation(a, 'similar', newId()) }], { strict: true });
    expect(strict.report).toMatchObject({ stored: 0, invalid: 1, besides: { lines: 1, relations: 0 } });
  });

  it('stores nothing in a dry run, and predicts the counts', async () => {
    const [a, b, gone] = [newId(), newId(), newId()];
    const before = await exported(memories);
    const { report } = await brought(
      memories,
      [
        { relation: relation(a, 'similar', b) },
        entryLine(400, a),
        entryLine(401, b),
        { archived: archived(401, gone) },
        { version: version(gone, 1) },
      ],
      { dryRun: true },
    );
    expect(report).toMatchObject({ dryRun: true, stored: 2, invalid: 0, besides: { lines: 3, relations: 1, archived: 1, versions: 1 } });
    expect(await exported(memories)).toEqual(before);
  });
});
