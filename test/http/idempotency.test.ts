import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_KEY_LENGTH } from '../../src/http/idempotency-key.ts';
import { logFiles, readLogFiles } from '../../src/store/wal/log-files.ts';
import { startTestServer, type Answer, type TestServer } from '../helpers/server.ts';
import { onObjectStorage } from '../helpers/store-location.ts';

let server: TestServer;
let used = 0;
beforeAll(async () => {
  server = await startTestServer({
    keys: [
      { name: 'one', access: 'full' },
      { name: 'other', access: 'full' },
      { name: 'bound', access: 'full', namespace: 'test' },
    ],
    audit: { enabled: true },
  });
});
afterAll(() => server.close());

const freshKey = (): string => `key-${(used += 1)}`;

interface Sent {
  readonly key?: string;
  readonly as?: string;
  readonly body?: unknown;
}

function send(method: string, path: string, { key, as = 'one', body }: Sent = {}): Promise<Answer> {
  const headers = { 'x-api-key': server.keys.get(as)!, ...(key !== undefined && { 'idempotency-key': key }) };
  return server.call(method, path, { headers, body });
}

async function saved(content: string): Promise<string> {
  return (await send('POST', '/api/save', { body: { content } })).body.ids[0]!;
}

const isReplayed = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true';

function expectSame(again: Answer, first: Answer): void {
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect([isReplayed(first), isReplayed(again)]).toEqual([false, true]);
}

async function total(): Promise<number> {
  return (await send('GET', '/api/list?limit=1')).body.total;
}

describe('a save repeated with its idempotency key', () => {
  it.each(['/api/save', '/api/save?form=guide', '/api/save?form=reference'])(
    'gets the same response and writes nothing: %s',
    async (path) => {
      const [key, body] = [freshKey(), { content: `Saved once by ${path}`, tags: ['a'], near: true }];
      const first = await send('POST', path, { key, body });
      const before = await total();
      expectSame(await send('POST', path, { key, body }), first);
      expect(await total()).toBe(before);
    },
  );

  it('gets it also after the entry was changed or forgotten', async () => {
    const [key, body] = [freshKey(), { content: 'What others change meanwhile' }];
    const first = await send('POST', '/api/save?form=guide', { key, body });
    const id = first.body.id.replace(/^mem_/, '');
    expect((await send('PATCH', `/api/${id}`, { body: { content: 'They changed it', tags: ['b'] } })).status).toBe(200);
    expectSame(await send('POST', '/api/save?form=guide', { key, body }), first);
    expect((await send('GET', `/api/${id}`)).body.entry.content).toBe('They changed it');
    expect((await send('DELETE', `/api/${id}`)).status).toBe(200);
    expectSame(await send('POST', '/api/save?form=guide', { key, body }), first);
    expect((await send('GET', `/api/${id}`)).status).toBe(404);
  });

  it('gets the first response also if the text existed before', async () => {
    await saved('Said before');
    const [key, body] = [freshKey(), { content: 'Said before' }];
    const first = await send('POST', '/api/save', { key, body });
    expect(first.body.outcomes[0]).toMatchObject({ status: 'duplicate' });
    expectSame(await send('POST', '/api/save', { key, body }), first);
  });

  it('gets it with the key quoted, plain, or as a bearer', async () => {
    const [key, body] = [freshKey(), { content: 'The same key in another dress' }];
    const first = await send('POST', '/api/save', { key, body });
    expectSame(await send('POST', '/api/save', { key: `"${key}"`, body }), first);
    const headers = { authorization: `Bearer ${server.keys.get('one')!}`, 'idempotency-key': key };
    expectSame(await server.call('POST', '/api/save', { headers, body }), first);
  });

  it('is a new request with another key or without one', async () => {
    const body = { content: 'Without a key' };
    const first = await send('POST', '/api/save', { body });
    const again = await send('POST', '/api/save', { body });
    const keyed = await send('POST', '/api/save', { key: freshKey(), body });
    expect([first, again, keyed].map((answer) => answer.body.outcomes[0]!.status)).toEqual(['stored', 'duplicate', 'duplicate']);
    expect([first, again, keyed].map(isReplayed)).toEqual([false, false, false]);
  });
});

describe('a key', () => {
  it('used with another body, query or route is rejected, and nothing is written', async () => {
    const key = freshKey();
    await send('POST', '/api/save', { key, body: { content: 'The first body' } });
    const id = await saved('Not to be forgotten');
    const before = await total();
    const others = await Promise.all([
      send('POST', '/api/save', { key, body: { content: 'Another body' } }),
      send('POST', '/api/save?form=guide', { key, body: { content: 'The first body' } }),
      send('DELETE', `/api/${id}`, { key }),
    ]);
    for (const { status, body, headers } of others) {
      expect([status, body.code]).toEqual([422, 'INVALID_REQUEST']);
      expect(body.error).toContain('Idempotency-Key');
      expect(headers.get('idempotent-replayed')).toBeNull();
    }
    expect(await total()).toBe(before);
  });

  it('of one caller is separate from that of another', async () => {
    const key = freshKey();
    const first = await send('POST', '/api/save', { key, body: { content: 'Of the one' } });
    const other = await send('POST', '/api/save', { key, as: 'other', body: { content: 'Of the other' } });
    expect([other.status, isReplayed(other)]).toEqual([200, false]);
    expect(other.body.ids).not.toEqual(first.body.ids);
    expectSame(await send('POST', '/api/save', { key, as: 'other', body: { content: 'Of the other' } }), other);
  });

  it.each([
    ['is empty', ''],
    ['is blank', '""'],
    ['is too long', 'k'.repeat(MAX_KEY_LENGTH + 1)],
    ['is two', 'one, two'],
    ['holds a blank', 'one two'],
    ['has one quote', '"one'],
    ['has a quote within', '"o"ne"'],
    ['has parameters', '"one";a=b'],
  ])('that %s is rejected before any work', async (_what, key) => {
    const before = await total();
    const { status, body } = await send('POST', '/api/save', { key, body: { content: 'With a bad key' } });
    expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(body.error).toContain('Idempotency-Key must be');
    expect(await total()).toBe(before);
  });

  it('may have the documented length and the characters of an RFC 8941 string', async () => {
    for (const key of ['k'.repeat(MAX_KEY_LENGTH), '"one two"', String.raw`"a \"quoted\" \\ key"`]) {
      expect((await send('POST', '/api/save', { key, body: { content: `With ${key}` } })).status).toBe(200);
    }
  });

  it('of a refused request can be used again', async () => {
    const key = freshKey();
    const id = '00000000-0000-7000-8000-000000000000';
    expect((await send('POST', '/api/save', { key, body: { content: '' } })).status).toBe(400);
    expect((await send('DELETE', `/api/${id}`, { key })).status).toBe(404);
    const first = await send('POST', '/api/save', { key, body: { content: 'Mended' } });
    expect([first.status, isReplayed(first)]).toEqual([200, false]);
  });

  it('is ignored by read requests', async () => {
    const id = await saved('Only read');
    for (const key of ['read', 'not a key at all']) {
      const answers = [await send('GET', `/api/${id}`, { key }), await send('POST', '/api/recall', { key, body: { query: 'read' } })];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers.map(isReplayed)).toEqual([false, false]);
    }
  });
});

describe('concurrent requests with one key', () => {
  it('make one entry; the others get its response or a conflict', async () => {
    const [key, body] = [freshKey(), { content: 'Sent many times at once' }];
    const before = await total();
    const answers = await Promise.all(Array.from({ length: 12 }, () => send('POST', '/api/save', { key, body })));
    expect(await total()).toBe(before + 1);
    const first = answers.filter((answer) => answer.status === 200 && !isReplayed(answer));
    expect(first).toHaveLength(1);
    for (const answer of answers.filter(isReplayed)) expectSame(answer, first[0]!);
    const told = answers.filter(({ status }) => status !== 200);
    expect(told.map(({ status, body: { code }, headers }) => [status, code, headers.get('retry-after')])).toEqual(
      told.map(() => [409, 'CONFLICT', '1']),
    );
    expectSame(await send('POST', '/api/save', { key, body }), first[0]!);
  });
});

describe('a change that affects more than a save', () => {
  it('gets its first response again, whatever happened to the entries', async () => {
    const [a, b] = [await saved('The one end'), await saved('The other end')];
    const relation = { sourceId: a, type: 'references', targetId: b };
    const change = { content: 'The one end, as it is now' };
    const steps: (readonly [string, string, unknown?])[] = [
      ['PATCH', `/api/${a}`, change],
      ['PATCH', `/api/${a}?form=guide`, { tags: ['x'] }],
      ['POST', `/api/${a}/undo`, {}],
      ['POST', '/api/relations', relation],
      ['DELETE', '/api/relations', relation],
      ['POST', '/api/tags', { ids: [a, b], add: ['y'] }],
      ['POST', '/api/namespaces/move', { ids: [b], to: 'elsewhere' }],
      ['POST', '/api/compact', { dryRun: true }],
      ['DELETE', `/api/${b}`],
    ];
    const done: (readonly [Answer, () => Promise<Answer>])[] = [];
    for (const [method, path, body] of steps) {
      const again = (
        (key) => () =>
          send(method, path, { key, body })
      )(freshKey());
      const first = await again();
      expect([path, first.status]).toEqual([path, 200]);
      done.push([first, again]);
    }
    const versions = (await send('GET', `/api/${a}/history`)).body.versions.length;
    for (const [first, again] of done) expectSame(await again(), first);
    expect((await send('GET', `/api/${a}/history`)).body.versions).toHaveLength(versions);
  });

  it('archives and restores once', async () => {
    const id = await saved('Away and back');
    const preview = await send('POST', '/api/forget', { body: { ids: [id] } });
    const forget = { key: freshKey(), body: { ids: [id], confirm: preview.body.token } };
    const forgotten = await send('POST', '/api/forget', forget);
    expect(forgotten.body.done).toBe(true);
    const restore = { key: freshKey(), body: { ids: [id] } };
    const restored = await send('POST', '/api/restore', restore);
    expect(restored.body.restored).toEqual([id]);
    expectSame(await send('POST', '/api/forget', forget), forgotten);
    expectSame(await send('POST', '/api/restore', restore), restored);
    expect((await send('GET', `/api/${id}`)).status).toBe(200);
  });

  it('gets the response again even if the entry has left the namespace of the key', async () => {
    const { ids } = (await send('POST', '/api/save', { as: 'bound', body: { content: 'Within one namespace' } })).body;
    const change = { key: freshKey(), as: 'bound', body: { tags: ['kept'] } };
    const first = await send('PATCH', `/api/${ids[0]!}`, change);
    expect((await send('PATCH', `/api/${ids[0]!}`, { body: { namespace: 'elsewhere' } })).status).toBe(200);
    expectSame(await send('PATCH', `/api/${ids[0]!}`, change), first);
    expect((await send('GET', `/api/${ids[0]!}`, { as: 'bound' })).status).toBe(404);
  });
});

describe('a stored response', () => {
  it.skipIf(onObjectStorage())('reveals neither the key, nor its owner, nor its content', async () => {
    const [key, content] = ['order-4711', 'The quokka has the spare key'];
    await send('POST', '/api/save?form=guide', { key, body: { content } });
    const store = join(server.folder, 'store');
    expect(logFiles(store)).not.toEqual([]);
    const kept = readLogFiles(store).flatMap((record) => (record.op === 'side' && record.table === 'answers' ? [record] : []));
    expect(kept.length).toBeGreaterThan(0);
    const said = JSON.stringify(kept);
    for (const secret of [key, content, 'quokka', server.keys.get('one')!]) expect(said).not.toContain(secret);
    for (const { key: id, value } of kept) {
      expect([id, value!.fingerprint].map((digest) => /^[0-9a-f]{64}$/.test(digest))).toEqual([true, true]);
      expect(Buffer.from(value!.answer, 'base64').toString('latin1')).not.toContain('success');
    }
  });

  it('is noted in the audit log when it is replayed', async () => {
    const [key, body] = [freshKey(), { content: 'Told twice' }];
    await send('POST', '/api/save', { key, body });
    const { headers } = await send('POST', '/api/save', { key, body });
    const requestId = headers.get('x-request-id');
    await expect
      .poll(async () => await auditLines(requestId))
      .toEqual([expect.objectContaining({ action: 'read', operation: 'replay', key: 'one', result: 'ok' })]);
  });
});

async function auditLines(requestId: string | null): Promise<unknown[]> {
  const text = await readFile(join(server.folder, 'audit', 'audit.jsonl'), 'utf8').catch(() => '');
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { requestId?: string }]));
  return lines.filter((line) => line.requestId === requestId);
}
