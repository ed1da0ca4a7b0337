import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { createBuiltinEmbedder } from '../../../src/embeddings/builtin.ts';
import { EarlierVersions } from '../../../src/embeddings/document-versions.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { Store } from '../../../src/store/store.ts';
import { openApp } from '../../../src/app.ts';
import { Drafting, draftEntry } from '../../../src/service/changes/drafting.ts';

import { openTestApp, testConfig } from '../../helpers/app.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

const BEFORE = new EarlierVersions(createBuiltinEmbedder()).get('builtin/hashed-words/384/1')!;
const found = async (app: Pick<App, 'memories'>, query: string): Promise<string[]> => {
  const { results } = await app.memories.recall({ query, searchMode: 'vector', minScore: 0.1 });
  return results.map(({ entry }) => entry.content);
};

describe('a search by vector finds an entry by its tag', () => {
  it('as soon as it is saved, edited, tagged with others, undone, or saved again with another tag', async () => {
    await using app = await openTestApp();
    const { memories } = app;
    const content = 'We meet in the room above the bakery';
    const [id] = (await memories.save({ content, tags: ['offsite'] })).ids as [string];
    expect(await found(app, 'offsite')).toEqual([content]);
    await memories.update(id, { tags: ['zebra'] });
    expect([await found(app, 'zebra'), await found(app, 'offsite')]).toEqual([[content], []]);
    await memories.bulk.tag({ ids: [id], add: ['yak'] });
    expect(await found(app, 'yak')).toEqual([content]);
    await memories.lifecycle.undo(id);
    expect([await found(app, 'yak'), await found(app, 'zebra')]).toEqual([[], [content]]);
    await memories.save({ content, tags: ['quokka'] });
    await expect.poll(() => found(app, 'quokka')).toEqual([content]);
    expect(await found(app, 'zebra')).toEqual([content]);
  });

  it('and a long text by each of its passages', async () => {
    await using app = await openTestApp();
    const content = Array.from({ length: 200 }, (_, nth) => `Step ${nth} of the checklist is done by the person on call.`).join('\n\n');
    await app.memories.save({ content, tags: ['offsite'] });
    expect(await found(app, 'offsite')).toEqual([content]);
  });
});

describe('a store with vectors of the content only', () => {
  it('is searchable at once and re-embedded in the background, which health shows', async () => {
    await using folder = await temporaryFolder();
    const config = testConfig(folder.path);
    const store = await Store.open(
      {
        path: config.config.storage.path,
        durability: 'process',
        reserveBytes: 0,
        vectorCacheBytes: 0,
        hnsw: { fromRows: 10_000, efConstruction: 100, ef: 50 },
        answers: { keptMs: 1000 },
        log: silentLog,
      },
      { fingerprint: BEFORE.fingerprint, width: BEFORE.dimensions, kind: BEFORE.kind },
    );
    const drafting = new Drafting({
      embedder: () => BEFORE,
      settings: { chunkSize: 1000, chunkOverlap: 0, fileChunkSize: 1500 },
      log: silentLog,
      onPending: () => undefined,
    });
    const contents = Array.from({ length: 120 }, (_, nth) => `Heron number ${nth} stands in the reeds of pond ${nth}`);
    for (const content of contents) {
      const at = Date.now();
      const facts = {
        id: newId(),
        content,
        namespace: 'test',
        container: 'test',
        tags: ['bird'],
        priority: 'normal',
        source: 'api',
      } as const;
      const [row] = await drafting.rows([draftEntry({ ...facts, createdAt: at, updatedAt: at })]);
      await store.entries.insert(row!);
    }
    await store.close();
    const best = async ({ memories }: Pick<App, 'memories'>): Promise<number> =>
      (await memories.recall({ query: 'bird', searchMode: 'vector' })).results[0]!.score;
    let before = 1;
    {
      await using quiet = await openApp(config, { log: silentLog, cwd: folder.path, background: false });
      expect(quiet.choice.active.fingerprint).toBe(BEFORE.fingerprint);
      expect((await quiet.memories.health()).embedder.next).toBe('builtin/hashed-words/384/2');
      expect((await found(quiet, 'heron number 17'))[0]).toBe(contents[17]);
      before = await best(quiet);
    }
    await using app = await openApp(config, { log: silentLog, cwd: folder.path });
    expect((await found(app, 'heron number 17'))[0]).toBe(contents[17]);
    await expect.poll(() => app.choice.active.fingerprint, { timeout: 20_000 }).toBe('builtin/hashed-words/384/2');
    expect(await best(app)).toBeGreaterThan(2 * before);
    expect((await app.memories.list({ limit: 1 })).total).toBe(contents.length);
    await expect.poll(async () => (await app.memories.migrate({ dryRun: true })).stale).toBe(0);
  });
});
