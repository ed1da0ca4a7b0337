import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { currentScope, scopedLog, runInScope } from '../../src/memory/request-scope.ts';
import { recordedLog } from '../helpers/recorded-log.ts';

const scope = (requestId: string): { requestId: string; isOver: boolean } => ({ requestId, isOver: false });

describe('the scope of a request', () => {
  it('follows its promises and timers, separate from other requests', async () => {
    const seen = await Promise.all(
      ['one', 'two', 'three'].map((id) =>
        runInScope(scope(id), async () => {
          await sleep(1);
          return await Promise.resolve().then(() => currentScope()?.requestId);
        }),
      ),
    );
    expect(seen).toEqual(['one', 'two', 'three']);
    expect(currentScope()).toBeUndefined();
  });

  it('ends with its request; later work has none', async () => {
    const request = scope('one');
    let later: Promise<string | undefined> | undefined;
    runInScope(request, () => {
      later = sleep(1).then(() => currentScope()?.requestId);
    });
    request.isOver = true;
    expect(await later).toBeUndefined();
  });

  it('can be left for shared work', () => {
    expect(runInScope(scope('one'), () => runInScope(undefined, () => currentScope()))).toBeUndefined();
  });

  it('adds its id to every log line without one', () => {
    const log = recordedLog();
    const scoped = scopedLog(log);
    scoped.info({ a: 1 }, 'outside');
    runInScope(scope('one'), () => {
      scoped.warn({ a: 2 }, 'inside');
      scoped.error({ requestId: 'own' }, 'named');
    });
    expect(log.lines.map(({ level, fields }) => [level, fields])).toEqual([
      ['info', { a: 1 }],
      ['warn', { requestId: 'one', a: 2 }],
      ['error', { requestId: 'own' }],
    ]);
  });
});
