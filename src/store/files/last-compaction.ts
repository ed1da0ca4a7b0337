import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CompactionSummary } from '../../memory/lifecycle.ts';
import { asStoreError } from '../errors/store-error.ts';
import { replaceFile } from './sync.ts';

const FILE = 'compaction.json';

/** The result of the last compaction of a store; undefined if there was none or it cannot be read. */
export async function readLastCompaction(storePath: string): Promise<CompactionSummary | undefined> {
  try {
    const { at, run, archived, purged, ms } = JSON.parse(await readFile(path.join(storePath, FILE), 'utf8')) as Partial<CompactionSummary>;
    const numbers = [at, archived, purged, ms].every((value) => typeof value === 'number');
    return numbers && typeof run === 'string' ? ({ at, run, archived, purged, ms } as CompactionSummary) : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the result for the next start. */
export async function keepLastCompaction(storePath: string, summary: CompactionSummary): Promise<void> {
  await replaceFile(path.join(storePath, FILE), `${JSON.stringify(summary)}\n`, { synced: false }).catch(
    asStoreError('write what the compaction did'),
  );
}
