import { createHash, randomUUID } from 'node:crypto';
import { embedText } from '../../src/embeddings/builtin.ts';
import type { Entry } from '../../src/memory/entry.ts';
import { silentLog, type Log } from '../../src/memory/log.ts';
import { tokenize } from '../../src/memory/words/tokens.ts';
import type { EntryRow } from '../../src/store/format/rows.ts';
import type { VectorSpace } from '../../src/store/format/vector-space.ts';
import { Store } from '../../src/store/store.ts';
import type { StoreSettings } from '../../src/store/store-settings.ts';

export const SPACE: VectorSpace = { fingerprint: 'test/words/384/1', width: 384, kind: 'lexical' };

/** A real store in a folder. The caller closes it. */
export function openTestStore(
  path: string,
  space: VectorSpace = SPACE,
  log: Log = silentLog,
  more: Partial<StoreSettings> = {},
): Promise<Store> {
  return Store.open(
    {
      path,
      durability: 'full',
      vectorCacheBytes: 64 * 1024 * 1024,
      hnsw: { fromRows: 10_000, efConstruction: 100, ef: 100 },
      log,
      ...more,
    },
    space,
  );
}

let made = 0;

/** A row with real search text and a real vector. */
export function row(content: string, facts: Partial<Entry> = {}, vectors?: EntryRow['vectors'] | 'pending'): EntryRow {
  made += 1;
  const entry: Entry = {
    id: randomUUID(),
    content,
    namespace: 'ns',
    container: 'ns',
    tags: [],
    priority: 'normal',
    importance: 0.5,
    source: 'api',
    createdAt: 1_700_000_000_000 + made,
    updatedAt: 1_700_000_000_000 + made,
    contentHash: createHash('sha256').update(content).digest('hex'),
    ...facts,
  };
  const searchText = [content, ...entry.tags].flatMap((text) => tokenize(text)).join(' ');
  const own = vectors === 'pending' ? undefined : (vectors ?? { embedder: SPACE.fingerprint, first: embedText(content), further: [] });
  return { entry, searchText, vectors: own };
}

/** The current entries of a store, oldest first. */
export async function allEntries(store: Store): Promise<Entry[]> {
  return (await store.entries.list({}, { limit: 1000, offset: 0, sort: 'createdAt' })).entries;
}
