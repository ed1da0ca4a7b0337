import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oneForm } from '../helpers/one-form.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const DECISION = 'We decided to use Postgres instead of MySQL for the orders service.';
const KEYS = [
  { name: 'reader', access: 'read' },
  { name: 'bound', access: 'full', namespace: 'mine' },
  { name: 'full', access: 'full' },
] as const;

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ keys: KEYS });
});
afterEach(() => server.close());

const call = (name: string, method: string, path: string, body?: unknown) =>
  server.call(method, path, { ...(body !== undefined && { body }), headers: { 'x-api-key': server.keys.get(name)! } });
const tell = (name: string, fields: Record<string, unknown>) =>
  call(name, 'POST', '/api/capture', { client: 'claude', session: 's1', event: 'prompt', ...fields });

const answered = oneForm('capture', (...given) => call('full', ...given));

describe('capture over HTTP', () => {
  it('accepts an event, keeps what is worth it, counts, and undoes it, in either form', async () => {
    expect(await tell('full', { text: DECISION, namespace: 'test' })).toMatchObject({
      status: 200,
      body: { success: true, accepted: true },
    });
    const undo = await answered('undo', '/api/capture/undo', { session: 's1', dryRun: true });
    expect(undo).toEqual({ success: true, session: 's1', dryRun: true, permanent: false, entries: 1 });
    const stats = await answered('stats', '/api/capture/stats');
    expect(stats).toMatchObject({ success: true, enabled: true, waitingBytes: 0, kept: 1, refused: 0, byKind: { decision: 1 } });
    const sessions = await answered('sessions', '/api/capture/sessions?limit=1');
    expect(sessions).toMatchObject({ count: 1, sessions: [{ session: 's1', client: 'claude', namespace: 'test', kept: 1, refused: 0 }] });
    const entry = (await call('full', 'GET', '/api/list?namespace=test')).body.entries[0] as { metadata: Record<string, unknown> };
    expect(entry.metadata).toMatchObject({ source: 'auto-capture', sourceRef: { session: 's1' }, tags: ['auto-capture', 'decision'] });
  });

  it('lists unreviewed entries, and decides on them', async () => {
    await tell('full', { text: DECISION, namespace: 'test' });
    await call('full', 'POST', '/api/capture/undo', { session: 'nobody' });
    const pending = async (): Promise<string[]> =>
      (await call('reader', 'GET', '/api/list?namespace=test&pending=true')).body.entries.map(({ id }: { id: string }) => id);
    const ids = await pending();
    expect(ids).toHaveLength(1);
    expect((await call('reader', 'POST', '/api/capture/review', { ids, verdict: 'keep' })).status).toBe(403);
    const kept = await call('full', 'POST', '/api/capture/review', { ids, verdict: 'keep' });
    expect(kept.body).toEqual({ success: true, verdict: 'keep', entries: 1 });
    expect(await pending()).toEqual([]);
    const never = await call('full', 'POST', '/api/capture/review', { ids: [`mem_${ids[0]}`], verdict: 'never' });
    expect(never.body).toMatchObject({ verdict: 'never', entries: 1, run: expect.any(String) as string });
    expect((await call('full', 'POST', '/api/capture/review', { ids, verdict: 'drop' })).status).toBe(404);
  });

  it('gives context', async () => {
    await tell('full', { text: DECISION, namespace: 'test' });
    // What waits is looked at.
    await call('full', 'POST', '/api/capture/undo', { session: 'nobody' });
    const wanted = { prompt: 'which database do we use for orders', namespace: 'test' };
    const body = await answered('context', '/api/context', wanted);
    expect(body.text).toContain(DECISION);
    expect(body.items[0]!.id).toMatch(/^[-\da-f]{36}$/);
  });
});

describe('a key', () => {
  it('with read-only access can neither capture nor undo', async () => {
    expect((await tell('reader', { text: DECISION })).status).toBe(403);
    expect((await call('reader', 'POST', '/api/capture/undo', { session: 's1' })).status).toBe(403);
    expect((await call('reader', 'GET', '/api/capture/stats')).status).toBe(200);
  });

  it('of one namespace captures into it, sees its own counts, and cannot undo others', async () => {
    expect((await tell('bound', { text: 'From now on all logs are JSON lines.', session: 'b1', cwd: '/' })).status).toBe(200);
    expect((await tell('bound', { text: DECISION, namespace: 'test' })).status).toBe(403);
    expect((await tell('full', { text: DECISION, namespace: 'test' })).status).toBe(200);
    expect((await call('bound', 'POST', '/api/capture/undo', { session: 's1' })).body).toMatchObject({ entries: 0 });
    expect((await call('bound', 'GET', '/api/capture/stats')).body).toMatchObject({ kept: 1, refused: 0 });
    expect((await call('bound', 'GET', '/api/capture/sessions')).body.sessions.map(({ session }: { session: string }) => session)).toEqual([
      'b1',
    ]);
    const { entries, total } = (await call('bound', 'GET', '/api/list?pending=true')).body;
    expect(total).toBe(1);
    const theirs = (await call('full', 'GET', '/api/list?namespace=test&pending=true')).body.entries[0]!.id;
    const review = (ids: readonly string[]) => call('bound', 'POST', '/api/capture/review', { ids, verdict: 'keep' });
    expect((await review([theirs])).status).toBe(404);
    expect((await review([theirs, entries[0]!.id])).body).toMatchObject({ entries: 1 });
    expect((await call('full', 'GET', '/api/list?namespace=test&pending=true')).body.total).toBe(1);
  });

  it('of one namespace gets no context of others, and no global one', async () => {
    await call('full', 'POST', '/api/save', { content: 'Postgres runs everywhere.', global: true });
    expect((await call('bound', 'POST', '/api/context', { prompt: 'postgres', minScore: 0 })).body.text).not.toContain('Postgres');
    expect((await call('bound', 'POST', '/api/context', { prompt: 'postgres', namespace: 'test' })).status).toBe(403);
  });
});
