import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { currentScope, scopedLog, runInScope } from '../../src/memory/request-scope.ts';
import { recordedLog } from '../helpers/recorded-log.ts';

const scope = (requestId: string): { requestId: string; isOver: boolean } => ({ requestId, isOver: false });

describe('the scope of a request', () => {
  it('goes with what is done for the request, through promises and timers, and mixes with no other', async () => {
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

  it('ends with its request: what goes on behind it belongs to none', async () => {
    const request = scope('one');
    let later: Promise<string | undefined> | undefined;
    runInScope(request, () => {
      later = sleep(1).then(() => currentScope()?.requestId);
    });
    request.isOver = true;
    expect(await later).toBeUndefined();
  });

  it('can be left for work that is done for all', () => {
    expect(runInScope(scope('one'), () => runInScope(undefined, () => currentScope()))).toBeUndefined();
  });

  it('puts its id into every line of the log, and never over one that a line has', () => {
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
