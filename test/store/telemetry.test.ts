import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/memory/log.ts';
import { runInScope } from '../../src/memory/request-scope.ts';
import type { Telemetry } from '../../src/memory/telemetry.ts';
import { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { recordedTelemetry } from '../helpers/recorded-telemetry.ts';
import { row, SPACE } from '../helpers/store.ts';

const openWith = (path: string, telemetry: Telemetry): Promise<Store> =>
  Store.open(
    {
      path,
      durability: 'process',
      vectorCacheBytes: 0,
      hnsw: { fromRows: 10_000, efConstruction: 100, ef: 100 },
      log: silentLog,
      telemetry,
    },
    SPACE,
  );

describe('traces of store work', () => {
  it('belong to their request; of a shared commit to the first, and of shared work to none', async () => {
    await using folder = await temporaryFolder();
    const telemetry = recordedTelemetry();
    const store = await openWith(folder.path, telemetry);
    const save = (requestId: string): Promise<unknown> =>
      runInScope({ requestId, isOver: false }, () => store.entries.insert(row(`a line of ${requestId}`)));
    await Promise.all([save('one'), save('two')]);
    await save('three');
    await runInScope({ requestId: 'four', isOver: false }, () => store.optimize());
    await store.close();
    expect(telemetry.timings.map(({ what, requestId }) => [what, requestId])).toEqual([
      ['commit', 'one'],
      ['commit', 'two'],
      ['journal append', 'one'],
      ['commit', 'three'],
      ['journal append', 'three'],
      ['optimize', undefined],
    ]);
    expect(telemetry.amounts).toEqual([
      ['commit changes', 2],
      ['commit changes', 1],
    ]);
  });

  it('does not assign later commits to the request of a commit in progress', async () => {
    await using folder = await temporaryFolder();
    const telemetry = recordedTelemetry();
    let second: Promise<unknown> | undefined;
    const save = (requestId: string): Promise<unknown> =>
      runInScope({ requestId, isOver: false }, () => store.entries.insert(row(`a line of ${requestId}`)));
    const store: Store = await openWith(folder.path, {
      ...telemetry,
      timed: (what, work, ...words) => {
        if (what === 'journal append') second ??= save('two');
        return telemetry.timed(what, work, ...words);
      },
    });
    await save('one');
    await second;
    await store.close();
    const appends = telemetry.timings.filter(({ what }) => what === 'journal append');
    expect(appends.map(({ requestId }) => requestId)).toEqual(['one', 'two']);
  });
});
