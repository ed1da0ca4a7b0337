/**
 * A process that writes into a store and says what was acknowledged, one JSON line each, until it is killed. Every entry belongs to one
 * worker, which says what it is about to do before it does it: after a kill only that one change may be there or not.
 * Usage: node writing-process.mjs <folder> <seed> <workers> <full | process> <tables that the entries are to be spread over>
 */
process.env.LANCE_CPU_THREADS ??= '8';
process.env.LANCEDB_LOG ??= 'error';
const { createHash, randomUUID } = await import('node:crypto');
const { writeSync } = await import('node:fs');
const { Store } = await import('../../dist/store/store.js');
const { embedText } = await import('../../dist/embeddings/builtin.js');
const { searchText } = await import('../../dist/memory/words/tokens.js');
const { random } = await import('../bench/corpus.mjs');

const [folder, seed, workers, durability, shards] = process.argv.slice(2);
const next = random(Number(seed));
const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const quiet = {
  debug() {},
  info() {},
  warn: (facts, text) => say({ warn: text, facts }),
  error: (facts, text) => say({ warn: text, facts }),
};
const NAMESPACES = 5;
const FINGERPRINT = 'test/words/384/1';
const settings = {
  path: folder,
  durability,
  shards: Number(shards),
  vectorCacheBytes: 64 * 1024 * 1024,
  hnsw: { fromRows: 10_000, efConstruction: 100, ef: 100 },
  log: quiet,
};
const store = await Store.open(settings, { fingerprint: FINGERPRINT, width: 384, kind: 'lexical' });
const known = (await store.entries.list({}, { limit: 100_000, offset: 0, sort: 'createdAt' })).entries.map(({ id }) => id);

let texts = 0;
async function rowOf(id, createdAt) {
  const content = `walrus ${seed} number ${(texts += 1)} of ${id.slice(0, 8)}`;
  // An update moves it, more often than not.
  const namespace = `ns ${texts % NAMESPACES}`;
  const entry = { id, content, namespace, container: 'ns', tags: [], priority: 'normal', importance: 0.5, source: 'api' };
  const contentHash = createHash('sha256').update(content).digest('hex');
  return {
    entry: { ...entry, createdAt, updatedAt: createdAt, contentHash },
    searchText: await searchText(content, []),
    vectors: { embedder: FINGERPRINT, first: embedText(content), further: [] },
  };
}

async function step(mine) {
  const choice = next();
  const place = Math.floor(next() * mine.length);
  const id = mine[place];
  if (id === undefined || choice < 0.45) {
    const row = await rowOf(randomUUID(), Date.now());
    say({ begin: row.entry.id, content: row.entry.content });
    await store.entries.insert(row);
    mine.push(row.entry.id);
    say({ end: row.entry.id });
  } else if (choice < 0.63) {
    const row = await rowOf(id, Date.now());
    say({ begin: id, content: row.entry.content });
    await store.entries.update(id, (now) => ({ ...row, entry: { ...row.entry, createdAt: now.entry.createdAt } }));
    say({ end: id });
  } else if (choice < 0.85) {
    const archive = choice < 0.75;
    say({ begin: id, content: null, archive });
    if (archive) await store.entries.changes.archive(id, { at: Date.now(), reason: 'forgotten', run: seed });
    else await store.entries.remove(id);
    mine.splice(place, 1);
    say({ end: id });
  } else if (choice < 0.97) {
    const other = mine.find((candidate) => candidate !== id);
    if (other === undefined) return;
    const facts = { type: 'references', strength: 1, createdAt: Date.now(), origin: 'manual' };
    await store.entries.changes.relate({ ...facts, sourceId: id, targetId: other });
    say({ related: [id, other] });
  } else {
    await store.optimize();
  }
}

say({ ready: known.length });
await Promise.all(
  Array.from({ length: Number(workers) }, async (_, worker) => {
    const mine = known.filter((_id, nth) => nth % Number(workers) === worker);
    for (;;) await step(mine);
  }),
);
