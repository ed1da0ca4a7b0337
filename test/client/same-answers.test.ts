import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient } from '../../src/client/http-client.ts';
import type { ExportHeader } from '../../src/memory/operations/export-header.ts';
import type { ExportLine, MemoryOperations } from '../../src/memory/operations/operations.ts';
import { LOCAL_TOKEN, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let client: HttpClient;
let direct: MemoryOperations;
beforeAll(async () => {
  // The guide form must not reach a client that did not ask for it.
  server = await startTestServer({ server: { responseForm: 'guide' }, keys: [{ name: 'reader', access: 'read' }] });
  client = createHttpClient({ baseUrl: server.url, key: LOCAL_TOKEN });
  direct = server.app.memories;
  for (const [content, tags] of [
    ['We deploy with make ship', ['deploy', 'ops']],
    ['The staging database is postgres', ['db']],
    ['Ünïcode 🎉 "quotes"', []],
  ] as const) {
    await direct.save({ content, tags: [...tags], namespace: 'n', priority: 'high' });
  }
  await direct.save({
    content: `${'Gulls circle over the harbour all day. '.repeat(60)}The lighthouse stands at the end of the quay.`,
    namespace: 'long',
  });
  for (const end of ['.', '!'])
    await direct.save({ content: `The old kettle whistles before the water boils over${end}`, namespace: 'twins' });
});
afterAll(async () => {
  await client.close();
  await server[Symbol.asyncDispose]();
});

const TIMES = ['createdAt', 'updatedAt', 'newest', 'builtAt'];

/** An answer as HTTP can say it: its times hold no more than whole milliseconds, the clock of the store goes finer. */
async function onWire<T>(answer: Promise<T>): Promise<T> {
  const whole = (key: string, value: unknown): unknown => (TIMES.includes(key) ? Math.floor(value as number) : value);
  return JSON.parse(JSON.stringify(await answer), whole) as T;
}

describe('a client and the service of its server', () => {
  it.each(['vector', 'keyword', 'hybrid'] as const)('recall the same in mode %s', async (searchMode) => {
    const request = { query: 'how do we deploy', namespace: 'n', searchMode };
    expect(await client.recall(request)).toEqual(await onWire(direct.recall(request)));
  });

  it('recall and search the same with all result fields', async () => {
    const options = { minScore: 0.05, collapse: true, explain: true };
    const found = await client.search({ query: 'quay lighthouse', ...options });
    expect(found).toEqual(await onWire(direct.search({ query: 'quay lighthouse', ...options })));
    expect(found.results[0]?.passage?.text).toContain('lighthouse');
    expect(found.results[0]?.explanation?.keyword?.terms.length).toBeGreaterThan(0);
    const folded = await client.recall({ query: 'kettle whistles', namespace: 'twins', ...options });
    expect(folded).toEqual(await onWire(direct.recall({ query: 'kettle whistles', namespace: 'twins', ...options })));
    expect(folded.results[0]?.collapsed).toHaveLength(1);
  });

  it('explain the same', async () => {
    const { entries } = await direct.list({ namespace: 'n' });
    for (const { id } of entries) {
      const request = { query: 'how do we deploy', id, tags: ['deploy'], limit: 1 };
      expect(await client.explain(request)).toEqual(await onWire(direct.explain(request)));
    }
    await expect(client.explain({ query: 'q', id: '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('verify the same', async () => {
    const { ms: _, ...report } = await client.verify();
    const { ms: __, ...same } = await direct.verify();
    expect(report).toEqual(same);
    expect(report.checked).toBeGreaterThan(0);
  });

  it('diagnose the same', async () => {
    expect(await client.diagnose({ probes: 3 })).toEqual(await onWire(direct.diagnose({ probes: 3 })));
  });

  it('search the same, with the filter echoed', async () => {
    const request = { query: 'database', filter: { importance: { min: 0.1 }, createdAfter: '2020-01-01' } };
    expect(await client.search(request)).toEqual(await onWire(direct.search(request)));
  });

  it('list, get, count and export the same', async () => {
    const listed = await onWire(direct.list({ namespace: 'n', tags: ['ops'], sort: 'createdAt' }));
    expect(await client.list({ namespace: 'n', tags: ['ops'], sort: 'createdAt' })).toEqual(listed);
    const id = listed.entries[0]?.id ?? '';
    expect(await client.get(id)).toEqual(await onWire(direct.get(id)));
    expect(await client.namespaces()).toEqual(await onWire(direct.namespaces()));
    // Background work goes on between the two requests.
    const { jobs, ...stats } = await client.stats();
    const { jobs: directJobs, ...directStats } = await onWire(direct.stats());
    expect(stats).toEqual(directStats);
    expect(jobs?.map(({ name }) => name)).toEqual(directJobs?.map(({ name }) => name));
    for (const vectors of [true, false]) {
      const [header, ...entries] = (await Readable.from(client.export({ vectors })).toArray()) as ExportLine[];
      const [directHeader, ...directEntries] = (await Readable.from(direct.export({ vectors })).toArray()) as ExportLine[];
      expect(entries).toEqual(directEntries);
      const anyTime = { exportedAt: expect.any(String) as string };
      expect(header).toMatchObject({ lore: { ...(directHeader as ExportHeader).lore, ...anyTime } });
    }
  });

  it('report the same health except for changing values', async () => {
    const { uptimeMs: _up, rss: _rss, maintenance: _now, relating: _waiting, ...health } = await client.health();
    expect(await direct.health()).toMatchObject(health);
  });

  it('save, change and forget', async () => {
    const receipt = await client.save({ content: 'through the client', namespace: 'w', tags: ['x'] }, { source: 'cli' });
    const [id = ''] = receipt.ids;
    expect(receipt.entry).toEqual(await onWire(direct.get(id)));
    expect(receipt.entry.source).toBe('cli');
    const changed = await client.update(id, { tags: ['y'] });
    expect(changed).toEqual(await onWire(direct.get(id)));
    await client.forget(id);
    await expect(client.get(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.forget(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('import the same lines with the same report', async () => {
    async function* lines(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('{"content":"imported"}\nbad\n{"content":"imported"}\n'));
    }
    const told: unknown[] = [];
    const report = await client.import(lines(), { namespace: 'i', dryRun: true }, { onLine: (line) => told.push(line) });
    expect(report).toEqual(await direct.import(lines(), { namespace: 'i', dryRun: true }));
    expect(told).toEqual([
      { line: 1, status: 'stored' },
      expect.objectContaining({ line: 2, status: 'invalid' }),
      { line: 3, status: 'duplicate' },
    ]);
  });

  it('migrate the same', async () => {
    expect(await client.migrate({ dryRun: true })).toEqual(await direct.migrate({ dryRun: true }));
  });

  it('return the same neighbours and passages', async () => {
    for (const { id } of (await direct.list({ allNamespaces: true })).entries) {
      const request = { allNamespaces: true, limit: 3 };
      expect(await client.details.similar(id, request)).toEqual(await onWire(direct.details.similar(id, request)));
      expect(await client.details.passages(id)).toEqual(await onWire(direct.details.passages(id)));
    }
  });

  it('relate, list relations, walk them and show the graph the same', async () => {
    const [a = '', b = ''] = (await direct.list({ namespace: 'n' })).entries.map(({ id }) => id);
    const made = await client.relations.relate({ sourceId: a, targetId: b, type: 'supersedes', strength: 0.5 });
    expect({ relations: [made] }).toEqual(await onWire(direct.relations.list({ id: a }).then(({ relations }) => ({ relations }))));
    expect(await client.relations.list({ type: 'supersedes' })).toEqual(await onWire(direct.relations.list({ type: 'supersedes' })));
    expect(await client.relations.related(a, { depth: 2 })).toEqual(await onWire(direct.relations.related(a, { depth: 2 })));
    for (const request of [{}, { seed: a, minStrength: 0.25 }]) {
      expect(await client.relations.graph(request)).toEqual(await onWire(direct.relations.graph(request)));
    }
    expect(await client.get(b)).toEqual(await onWire(direct.get(b)));
    expect((await client.get(b)).superseded).toBe(true);
    const search = { query: 'deploy postgres quotes', namespace: 'n', includeSuperseded: true };
    expect(await client.search(search)).toEqual(await onWire(direct.search(search)));
    expect(await client.explain({ query: 'deploy', id: b })).toEqual(await onWire(direct.explain({ query: 'deploy', id: b })));
    await client.relations.unrelate({ sourceId: a, targetId: b, type: 'supersedes' });
    expect((await direct.relations.list({ type: 'supersedes' })).total).toBe(0);
    const gone = client.relations.unrelate({ sourceId: a, targetId: b, type: 'supersedes' });
    await expect(gone).rejects.toMatchObject({ code: 'not_found' });
  });

  it('name and rename the same', async () => {
    const { ids } = await direct.save({ content: 'See src/net/retry.ts and `parse()`', namespace: 'names' });
    for (const request of [{ name: 'parse' }, { kind: 'path', namespace: 'names' }, {}] as const) {
      expect(await client.relations.entities(request)).toEqual(await onWire(direct.relations.entities(request)));
    }
    const move = { from: 'src/net', to: 'lib/net', namespace: 'names' };
    expect(await client.relations.renamePath({ ...move, dryRun: true })).toEqual(
      await direct.relations.renamePath({ ...move, dryRun: true }),
    );
    expect(await client.relations.renamePath(move)).toEqual({ dryRun: false, changed: ids });
    await direct.forget(ids[0]!);
  });

  it('respect the limits of a key', async () => {
    const reader = createHttpClient({ baseUrl: server.url, key: server.keys.get('reader') ?? '' });
    expect((await reader.list({ namespace: 'n' })).total).toBe(3);
    await expect(reader.save({ content: 'no' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(createHttpClient({ baseUrl: server.url }).list({})).rejects.toMatchObject({ code: 'unauthorized' });
    await reader.close();
  });
});
