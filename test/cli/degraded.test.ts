import { describe, expect, it } from 'vitest';
import { degradedFinding } from '../../src/cli/checks/degraded.ts';
import type { Finding } from '../../src/cli/checks/checkup.ts';
import { DEGRADED } from '../../src/memory/degraded.ts';
import type { EmbedderReport } from '../../src/memory/operations/operations.ts';
import { testConfig } from '../helpers/app.ts';

const embedder: EmbedderReport = { provider: 'builtin', model: 'words', dimensions: 384, state: 'ready' };
const embeddingsOf = (provider: string) => testConfig('/store', { 'embeddings.provider': provider }).config.embeddings;
const finding = (problem: string, provider = 'openai'): Finding => degradedFinding(problem, { embedder }, embeddingsOf(provider));

const GONE = 'A version of the table entries could not be read and is in quarantine/2026 now';
/** Each sentence of the health, in all its shapes, and what it is about and part of what to do. */
const SAID = {
  downloading: [[DEGRADED.downloading('tiny')], 'embedder', 'the service answers'],
  absent: [[DEGRADED.absent('tiny')], 'embedder', 'the service answers'],
  failed: [
    [DEGRADED.failed('There is no backup.', true), DEGRADED.failed('The disk reported an error.', false)],
    'embedder',
    'the service answers',
  ],
  former: [[DEGRADED.former('tiny', 'small')], 'embedder', 'lore migrate'],
  other: [[DEGRADED.other('tiny', 'small')], 'embedder', 'as on the other servers'],
  missing: [[DEGRADED.missing('tiny')], 'embedder', 'as on the other servers'],
  waiting: [[DEGRADED.waiting(1), DEGRADED.waiting(4000), DEGRADED.waiting()], 'embedder', 'lore migrate'],
  pending: [
    [DEGRADED.pending(1, 'backup'), DEGRADED.pending(4000, 'a model'), DEGRADED.pending(undefined, 'tiny')],
    'embedder',
    'lore migrate',
  ],
  unanswered: [[DEGRADED.unanswered('The backup model cannot be read.')], 'embedder', 'embeddings.apiKey'],
  optimizing: [[DEGRADED.optimizing()], 'store', '--verbose'],
  disk: [[DEGRADED.disk(42_000_000)], 'store', 'Free space'],
  diskFull: [[DEGRADED.diskFull()], 'store', 'Free space'],
  job: [[DEGRADED.job('capture')], 'store', 'lore stats --json'],
  backup: [[DEGRADED.backup('the store could not be read')], 'backups', 'lore backup now'],
  altered: [[DEGRADED.altered({ altered: 1, unreadable: 2000 }), DEGRADED.altered()], 'store', 'lore doctor --verify'],
  wrongFiles: [[DEGRADED.wrongFiles(1), DEGRADED.wrongFiles(3), DEGRADED.wrongFiles()], 'store', 'doctor --repair'],
  damaged: [
    [
      DEGRADED.damaged(`${GONE}.`, {}),
      DEGRADED.damaged(`${GONE}.`, { backup: '2026-01-31T12-00-00.000Z', recordedIn: 'quarantine/2026-02-01T12-00-00.000Z' }),
    ],
    'store',
    'remove the folder in quarantine',
  ],
  damagedSomewhere: [[DEGRADED.damagedSomewhere(true), DEGRADED.damagedSomewhere(false)], 'store', 'backup list'],
  audit: [[DEGRADED.audit(0), DEGRADED.audit(1234)], 'disk', 'audit.path'],
} as const satisfies Record<keyof typeof DEGRADED, readonly [readonly string[], Finding['about'], string]>;

describe('each degraded reason', () => {
  it.each(Object.entries(SAID))('has its own explanation: %s', (_, [sentences, about, fix]) => {
    for (const problem of sentences) expect(finding(problem)).toEqual({ about, problem, fix: expect.stringContaining(fix) as string });
  });

  it('covers damage without loss, and indexes that repair themselves', () => {
    expect(finding(`${GONE}. Nothing that was acknowledged is missing.`)).toMatchObject({ about: 'store' });
    const index = 'The index of search_text could not be read and is built again in the background.';
    expect(finding(`${index} Searches are slower until then.`)).toMatchObject({ about: 'indexes' });
  });

  it('names the host of a missing local model', () => {
    expect(finding(DEGRADED.absent('tiny'), 'local').fix).toContain('copy the files into');
  });

  it('refers to the server log if the reason is unknown', () => {
    expect(finding('The moon is in the way.')).toMatchObject({ about: 'store', fix: expect.stringContaining('log') as string });
  });
});
