import { describe, expect, it, vi } from 'vitest';
import { DEGRADED } from '../../../src/memory/degraded.ts';
import { Reports } from '../../../src/service/reports/reports.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { openTestStore, row } from '../../helpers/store.ts';

type Parts = ConstructorParameters<typeof Reports>[0];

const TINY = { model: 'tiny', fingerprint: 'tiny' };
/** Work and trouble of which each sentence has a number, a name or a file in it. */
const TROUBLE = {
  choice: {
    degraded: () => undefined,
    report: () => ({}),
    active: TINY,
    target: TINY,
  },
  autoRelations: { waiting: 0 },
  backups: {
    look: () => Promise.resolve(),
    degraded: () => undefined,
    // The newest was made after the damage was found.
    list: () => Promise.resolve([778, 776, 775].map((createdAt) => ({ name: `backup-${createdAt}`, createdAt }))),
  },
  scrub: {
    degraded: ({ counts } = { counts: true }) => DEGRADED.altered(counts ? { altered: 777, unreadable: 0 } : undefined),
    degradedFiles: ({ counts } = { counts: true }) => DEGRADED.wrongFiles(counts ? 778 : undefined),
  },
  settings: {
    namespace: 'ns',
    version: '1',
    capture: { enabled: false },
    alarms: ({ counts }: { counts: boolean }) => [DEGRADED.audit(counts ? 777 : 0)],
  },
  lifecycle: { state: 'compacting, 777 of 4000', work: 'compacting', lastCompaction: undefined },
  reembedding: { staleCount: () => 777 },
  scheduler: { reports: () => [{ name: 'capture', failedInARow: 3 }] },
} as unknown as Omit<Parts, 'store'>;

const MIGRATING = { reembedding: { state: 're-embedding 777 of 4000', work: 're-embedding' } } as unknown as Pick<Parts, 'reembedding'>;

describe('the health', () => {
  it('reports how much is wrong, and to a bound key only what', async () => {
    await using folder = await temporaryFolder();
    const store = await openTestStore(folder.path);
    await store.entries.insert(row('heron'));
    vi.spyOn(store, 'damages', 'get').mockReturnValue([
      { message: 'A file of 777 rows is gone.', mayLose: true, at: 777, recordedIn: 'quarantine/777' },
      { message: 'Another of 777 rows was taken.', mayLose: false, at: 777 },
      { message: 'A third of 777 rows was taken.', mayLose: false, at: 777 },
    ]);
    const reports = new Reports({ ...TROUBLE, store });
    const all = await reports.health();
    expect(all.status).toBe('degraded');
    expect(all.maintenance).toBe('compacting, 777 of 4000');
    expect(all.degraded).toEqual([
      'A file of 777 rows is gone. To clear this notice, remove quarantine/777 from the folder of the store. The newest backup from before it was found is backup-776.',
      'Another of 777 rows was taken.',
      'A third of 777 rows was taken.',
      DEGRADED.pending(777, 'tiny'),
      DEGRADED.altered({ altered: 777, unreadable: 0 }),
      DEGRADED.wrongFiles(778),
      DEGRADED.job('capture'),
      DEGRADED.audit(777),
    ]);
    const own = await reports.health('ns');
    expect(own.maintenance).toBe('compacting');
    expect(own.degraded).toEqual([
      DEGRADED.damagedSomewhere(true),
      DEGRADED.damagedSomewhere(false),
      DEGRADED.pending(undefined, 'tiny'),
      DEGRADED.altered(),
      DEGRADED.wrongFiles(),
      DEGRADED.job('capture'),
      DEGRADED.audit(0),
    ]);
    expect([own.maintenance, ...own.degraded].join()).not.toMatch(/\d/);
    const others = new Reports({ ...TROUBLE, ...MIGRATING, store });
    expect([(await others.health()).maintenance, (await others.health('ns')).maintenance]).toEqual([
      're-embedding 777 of 4000',
      're-embedding',
    ]);
    await store.close();
  });
});
