import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { passageLocation } from '../../src/memory/passage-location.ts';
import { ingestAll } from '../../src/sources/ingest/run.ts';
import { openTestApp } from '../helpers/app.ts';
import { writeFiles } from '../helpers/project.ts';

it('lists passages of documents in the same order, whichever were read first', async () => {
  await using app = await openTestApp();
  const folder = join(await realpath(app.folder), 'documents');
  await mkdir(folder);
  const names = Array.from({ length: 24 }, (_, nth) => `part${nth}.md`);
  await writeFiles(folder, Object.fromEntries(names.map((name, nth) => [name, `# Part ${nth}\n\nThe same walrus in part ${nth}.\n`])));
  const ingest = (namespace: string, named: readonly string[]) =>
    ingestAll({
      sources: app.memories.sources,
      options: { namespace, tags: [], format: undefined, keep: false, dryRun: false, split: 'passages', size: 1500, overlap: 100 },
      request: {},
      named: named.map((name) => join(folder, name)),
      git: false,
      folders: { isRecursive: true, include: [], exclude: [] },
      standardInput: (async function* () {})(),
      onDocument: () => {},
    });
  await ingest('test', names);
  await ingest('again', names.toReversed());
  const found = async (query: string, namespace: string): Promise<(string | undefined)[]> =>
    (await app.memories.recall({ query, namespace, limit: 20 })).results.map(({ entry }) => passageLocation(entry));
  for (const query of ['walrus', 'the same walrus', 'part of a walrus']) {
    expect(await found(query, 'again')).toEqual(await found(query, 'test'));
  }
  const { entries } = await app.memories.list({ namespace: 'test', limit: 100 });
  expect(new Set(entries.map(({ createdAt }) => createdAt)).size).toBe(1);
});
