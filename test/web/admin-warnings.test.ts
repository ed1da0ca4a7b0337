import { describe, expect, it } from 'vitest';
import { DEGRADED } from '../../src/memory/degraded.ts';
import { isAboutVectors, isLoopback, warningsOf } from '../../web/src/admin/warnings.ts';
import type { Overview } from '../../web/src/admin/use-overview.ts';

const FALLBACK = 'Using the built-in model for now';
const WAITING = 'Search by meaning does not find some memories yet';
/** What the server says, and what the page makes of it. */
const SAID = {
  downloading: [DEGRADED.downloading('tiny'), FALLBACK],
  absent: [DEGRADED.absent('tiny'), FALLBACK],
  failed: [DEGRADED.failed('The service refused the key.', true), FALLBACK],
  former: [DEGRADED.former('tiny', 'small'), WAITING],
  other: [DEGRADED.other('tiny', 'small'), WAITING],
  missing: [DEGRADED.missing('tiny'), WAITING],
  waiting: [DEGRADED.waiting(1), WAITING],
  pending: [DEGRADED.pending(3, 'tiny'), WAITING],
  unanswered: [DEGRADED.unanswered('openai does not answer.'), DEGRADED.unanswered('openai does not answer.')],
  disk: [DEGRADED.disk(42_000_000), DEGRADED.disk(42_000_000)],
  diskFull: [DEGRADED.diskFull(), DEGRADED.diskFull()],
  optimizing: [DEGRADED.optimizing(), 'The index is behind'],
  audit: [DEGRADED.audit(3), DEGRADED.audit(3)],
  altered: [DEGRADED.altered({ altered: 1, unreadable: 2 }), DEGRADED.altered({ altered: 1, unreadable: 2 })],
  job: [DEGRADED.job('capture'), DEGRADED.job('capture')],
  wrongFiles: [DEGRADED.wrongFiles(2), DEGRADED.wrongFiles(2)],
  damaged: [DEGRADED.damaged('A file is gone.', {}), DEGRADED.damaged('A file is gone.', {})],
  damagedSomewhere: [DEGRADED.damagedSomewhere(true), DEGRADED.damagedSomewhere(true)],
  backup: [DEGRADED.backup('the disk is full'), 'The last backup failed'],
} as const satisfies Record<keyof typeof DEGRADED, readonly [string, string]>;

interface Case {
  readonly degraded?: readonly string[];
  readonly access?: { keyRequired: boolean; host: string; everyOrigin: boolean };
  readonly unindexedRows?: number;
  readonly interval?: number;
  readonly uptimeMs?: number;
  readonly backedUp?: boolean;
}

const CLOSED = { keyRequired: true, host: '127.0.0.1', everyOrigin: true };

function titles({ degraded = [], access = CLOSED, unindexedRows = 0, interval = 1, uptimeMs = 0, backedUp = true }: Case): string[] {
  const health = {
    degraded,
    uptimeMs,
    stats: { totalEntries: 5 },
    ...(backedUp && { lastBackup: { name: 'one', createdAt: '2026-01-01T00:00:00Z' } }),
  };
  const settings = { access, settings: [{ key: 'storage.backupInterval', value: interval }] };
  const stats = { storage: { indexedRows: 1000, unindexedRows } };
  return warningsOf({ health, settings, stats, mayWrite: true, mayAdminister: true } as unknown as Overview).map(({ title }) => title);
}

describe('the warnings of the administration', () => {
  it('are none if all is well', () => {
    expect(titles({})).toEqual([]);
    expect(titles({ access: { keyRequired: false, host: '127.0.0.1', everyOrigin: false } })).toEqual([]);
    expect(titles({ unindexedRows: 9000 })).toEqual([]);
    expect(titles({ backedUp: false, uptimeMs: 1000 })).toEqual([]);
  });

  it('say who has access without a key', () => {
    expect(titles({ access: { keyRequired: false, host: '127.0.0.1', everyOrigin: true } })).toEqual([
      'Anyone on this machine can read these memories',
    ]);
    expect(titles({ access: { keyRequired: false, host: '0.0.0.0', everyOrigin: false } })).toEqual([
      'Anyone on your network can read and change these memories',
    ]);
  });

  it.each(Object.entries(SAID))('explain findings of the server in plain words: %s', (_, [reason, title]) => {
    expect(titles({ degraded: [reason] })).toEqual([title]);
  });

  it('repeat findings that the page does not know', () => {
    expect(titles({ degraded: ['The moon is in the way.'] })).toEqual(['The moon is in the way.']);
  });

  it('report a stale index and a missing backup', () => {
    expect(titles({ unindexedRows: 20_000 })).toEqual(['The index is behind']);
    expect(titles({ backedUp: false, uptimeMs: 3_600_000 })).toEqual(['There is no backup yet']);
    expect(titles({ backedUp: false, interval: 0 })).toEqual(['There is no backup yet']);
  });

  it('know which addresses only this machine reaches', () => {
    for (const host of ['127.0.0.1', '127.8.8.8', '::1', '[::1]', 'localhost']) expect(isLoopback(host)).toBe(true);
    for (const host of ['0.0.0.0', '192.168.1.4', '::', 'localhost.example.com', '1127.0.0.1']) expect(isLoopback(host)).toBe(false);
  });
});

describe('a reason of the server', () => {
  it('is about vectors only if memories wait for them', () => {
    const about = Object.entries(SAID).flatMap(([name, [reason]]) => (isAboutVectors(reason) ? [name] : []));
    expect(about).toEqual(['downloading', 'absent', 'failed', 'former', 'other', 'missing', 'waiting', 'pending']);
  });
});
