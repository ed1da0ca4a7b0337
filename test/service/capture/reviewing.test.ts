import { describe, expect, it } from 'vitest';
import { openApp } from '../../../src/app.ts';
import type { Entry } from '../../../src/memory/entry.ts';
import { silentLog } from '../../../src/memory/log.ts';
import type { CaptureReviewRequest } from '../../../src/memory/operations/capture-operations.ts';
import type { Capture } from '../../../src/service/capture/capture.ts';
import { restrictTo } from '../../../src/service/limits.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const DECISION = 'We decided to use Postgres instead of MySQL for the orders service.';
const OTHER = 'We decided to keep invoices for ten years because of the tax office.';

const pendingIn = async ({ memories }: TestApp): Promise<readonly Entry[]> => (await memories.list({ pending: true, limit: 100 })).entries;

/** What a person says in a session, looked at. */
async function say(app: TestApp, text: string, session: string): Promise<void> {
  await app.memories.capture.accept({ client: 'claude', session, event: 'prompt', namespace: 'test', text });
  await (app.memories.capture as Capture).drain();
}

/** The same store after a restart. */
async function reopened(app: TestApp): Promise<TestApp> {
  await app.close();
  const next = await openApp(app.config, { log: silentLog, cwd: app.folder });
  return { ...next, folder: app.folder, config: app.config, [Symbol.asyncDispose]: () => next.close() };
}

async function openWithTwo(): Promise<{ app: TestApp; decision: Entry; other: Entry }> {
  const app = await openTestApp();
  await say(app, DECISION, 's1');
  await say(app, OTHER, 's1');
  const [other, decision] = (await pendingIn(app)) as [Entry, Entry];
  return { app, decision, other };
}

describe('the inbox', () => {
  it('lists captured entries that were neither kept nor changed', async () => {
    const { app, decision, other } = await openWithTwo();
    await using _ = app;
    await app.memories.save({ content: 'Saved by hand' });
    expect([decision.content, other.content]).toEqual([DECISION, OTHER]);
    await app.memories.update(other.id, { tags: ['tax'] });
    expect((await pendingIn(app)).map(({ id }) => id)).toEqual([decision.id]);
  });

  it('excludes entries of high importance', async () => {
    const { app, decision, other } = await openWithTwo();
    await using _ = app;
    for (const entry of [decision, other]) {
      expect(entry.priority).toBe('normal');
      expect(entry.importance).toBeLessThanOrEqual(0.5);
    }
  });

  it('drops a kept entry, which is otherwise unchanged and gets no new version', async () => {
    const { app, decision, other } = await openWithTwo();
    await using _ = app;
    expect(await app.memories.capture.review({ ids: [decision.id], verdict: 'keep' })).toEqual({ verdict: 'keep', entries: 1 });
    expect((await pendingIn(app)).map(({ id }) => id)).toEqual([other.id]);
    const { entry, versions } = await app.memories.lifecycle.history(decision.id);
    expect({ ...entry, updatedAt: 0 }).toEqual({ ...decision, updatedAt: 0 });
    expect(versions).toEqual([]);
  });

  it('archives a dropped entry, which can be restored as kept', async () => {
    const { app, decision, other } = await openWithTwo();
    await using _ = app;
    const { run } = await app.memories.capture.review({ ids: [decision.id], verdict: 'drop' });
    expect((await pendingIn(app)).map(({ id }) => id)).toEqual([other.id]);
    expect((await app.memories.lifecycle.restore({ run: run! })).restored).toEqual([decision.id]);
    expect((await pendingIn(app)).map(({ id }) => id)).toEqual([other.id]);
  });

  it('blocks a rejected text and near duplicates until undone, but not another value', async () => {
    const { app, decision } = await openWithTwo();
    await using _ = app;
    const [unwanted, again] = [DECISION, DECISION.replace('orders service.', 'orders service!')];
    await app.memories.capture.review({ ids: [decision.id], verdict: 'never' });
    const { entries } = await app.memories.lifecycle.archived({ reason: 'unwanted' });
    expect(entries.map(({ entry }) => entry.id)).toEqual([decision.id]);
    // What was listed is known as Lore's own until the next start.
    await using next = await reopened(app);
    for (const [nth, text] of [unwanted, again].entries()) await say(next, text, `next ${nth}`);
    await say(next, DECISION.replace('Postgres', 'SQLite'), 'another');
    expect((await pendingIn(next)).map(({ content }) => content)).toEqual([DECISION.replace('Postgres', 'SQLite'), OTHER]);
    await next.memories.lifecycle.restore({ ids: [decision.id] });
    await next.memories.forget(decision.id);
    await using last = await reopened(next);
    await say(last, unwanted, 'last');
    expect((await pendingIn(last)).map(({ content }) => content)).toContain(unwanted);
  });

  it('is the same in a store that imports its entries', async () => {
    const { app, decision, other } = await openWithTwo();
    await using _ = app;
    await app.memories.capture.review({ ids: [decision.id], verdict: 'keep' });
    const lines: string[] = [];
    for await (const line of app.memories.export({})) lines.push(JSON.stringify(line));
    await using copy = await openTestApp();
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(lines.join('\n')));
    }
    await copy.memories.import(chunks(), {});
    expect((await copy.memories.list({})).total).toBe(2);
    expect((await pendingIn(copy)).map(({ id }) => id)).toEqual([other.id]);
  });

  it('respects the limits of a key', async () => {
    const { app, decision } = await openWithTwo();
    await using _ = app;
    const request: CaptureReviewRequest = { ids: [decision.id], verdict: 'never' };
    const reader = restrictTo(app.memories, { name: 'reader', access: 'read' });
    await expect(reader.capture.review(request)).rejects.toMatchObject({ code: 'forbidden' });
    const bound = restrictTo(app.memories, { name: 'bound', access: 'full', namespace: 'mine' });
    await expect(bound.capture.review(request)).rejects.toMatchObject({ code: 'not_found' });
    expect(await pendingIn(app)).toHaveLength(2);
  });
});
