import { describe, expect, it } from 'vitest';
import { openTestApp } from '../helpers/app.ts';
import { startEmbeddingApi } from '../helpers/embedding-api.ts';
import { failureOf } from '../helpers/failure.ts';

const BEFORE_MS = 300;
const SAID = {
  one: 'We decided to use Postgres instead of MySQL for the orders service.',
  other: 'We decided to use Redis instead of Memcached for the sessions.',
};

describe('a full set of changes in progress', () => {
  it('makes bulk operations wait, and refuses single changes', async () => {
    await using api = await startEmbeddingApi();
    await using app = await openTestApp({
      'storage.queueLimit': 1,
      'embeddings.provider': 'openai',
      'embeddings.baseUrl': api.url,
      'embeddings.dimensions': 384,
    });
    const { save, sources, bulk, lifecycle, moves, capture, relations } = bound(app.memories);
    const place = { kind: 'index', root: 'project' } as const;
    const file = (path: string) => ({ path, hash: 'h', passages: [{ content: `passage of ${path}` }] });
    const [tagged, moved, forgotten, archived, changed] = [
      await save('tagged'),
      await save('moved'),
      await save('forgotten'),
      await save('archived'),
      await save('changed'),
    ];
    await app.memories.update(changed, { priority: 'low' });
    await sources.replace({ ...place, files: [file('old.ts')] });
    const naming = await save('lib/old.ts is slow');
    for (const [session, text] of Object.entries(SAID)) await capture.accept({ client: 'c', event: 'prompt', session, text });
    // Undoing what nobody said looks at everything that waits.
    await capture.undo({ session: 'nobody' });
    const put = await lifecycle.forgetMany({ ids: [archived] });
    await lifecycle.forgetMany({ ids: [archived], confirm: put.token! });
    const { token } = await lifecycle.forgetMany({ ids: [forgotten] });

    let go = (): void => undefined;
    api.hold = new Promise((resolve) => (go = resolve));
    // Where an expectation fails, the app could not close before.
    using _released = { [Symbol.dispose]: () => go() };
    const filling = save('this one fills the room');
    const asked = api.requests.length;
    await expect.poll(() => api.requests.length).toBe(asked + 1);
    const done: string[] = [];
    const work = {
      tag: bulk.tag({ ids: [tagged], add: ['x'] }),
      move: moves.move({ ids: [moved], to: 'elsewhere' }),
      forget: lifecycle.forgetMany({ ids: [forgotten], confirm: token! }),
      restore: lifecycle.restore({ ids: [archived] }),
      replace: sources.replace({ ...place, files: [file('new.ts')] }),
      remove: sources.remove({ ...place, paths: ['old.ts'] }),
      rename: relations.renamePath({ from: 'lib', to: 'src' }, { source: 'mcp' }),
      takeBack: capture.undo({ session: 'one' }),
      takeBackForGood: capture.undo({ session: 'other', permanent: true }),
    };
    const ends = Object.entries(work).map(([name, end]) => end.then(() => done.push(name)));
    expect(await failureOf(lifecycle.undo(changed))).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    // Long enough for what does not wait.
    await new Promise((resolve) => setTimeout(resolve, BEFORE_MS));
    expect([done, api.requests.length]).toEqual([[], asked + 1]);
    go();
    await Promise.all([filling, ...ends]);
    expect(await work.tag).toMatchObject({ changed: [{ id: tagged }] });
    expect(await work.move).toMatchObject({ moved: 1 });
    expect(await work.restore).toMatchObject({ restored: [archived] });
    expect(await work.replace).toMatchObject([{ stored: 1 }]);
    expect(await work.remove).toMatchObject([{ removed: 1 }]);
    expect(await work.rename).toEqual({ dryRun: false, changed: [naming] });
    expect(await work.takeBack).toMatchObject({ entries: 1 });
    expect(await work.takeBackForGood).toMatchObject({ entries: 1 });
    expect((await lifecycle.undo(changed)).priority).toBe('normal');
  });
});

function bound(memories: Awaited<ReturnType<typeof openTestApp>>['memories']) {
  const { sources, bulk, lifecycle, moves, capture, relations } = memories;
  const save = async (content: string): Promise<string> => (await memories.save({ content })).ids[0]!;
  return { save, sources, bulk, lifecycle, moves, capture, relations };
}
