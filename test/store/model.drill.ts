import { describe, expect, it } from 'vitest';
import { queryTokens } from '../../src/memory/words/tokens.ts';
import type { Store } from '../../src/store/store.ts';
import { random } from '../bench/corpus.mjs';
import { temporaryFolder } from '../helpers/folder.ts';
import { allEntries, openTestStore, row } from '../helpers/store.ts';

/** What the store must hold: content by id. */
type Model = Map<string, string>;

interface World {
  readonly store: Store;
  readonly model: Model;
  readonly next: () => number;
  /** Makes every text different. */
  readonly count: () => number;
}

const pick = ({ model, next }: World): string | undefined => [...model.keys()][Math.floor(next() * model.size)];

/** One random step; entries in the hands of another worker are out of the model meanwhile. */
async function step(world: World): Promise<void> {
  const { store, model, next, count } = world;
  const choice = next();
  const id = pick(world);
  if (choice < 0.5 || id === undefined) {
    const draft = row(`walrus number ${count()}`);
    await store.entries.insert(draft);
    model.set(draft.entry.id, draft.entry.content);
    return;
  }
  if (choice > 0.95) {
    await store.optimize().catch(() => undefined);
    return;
  }
  const before = model.get(id) as string;
  model.delete(id);
  if (choice < 0.7) {
    await store.entries.remove(id);
    return;
  }
  const changed = row(`heron number ${count()}`);
  await store.entries.update(id, (now) => {
    expect(now.entry.content).toBe(before);
    return { ...changed, entry: { ...now.entry, content: changed.entry.content, contentHash: changed.entry.contentHash } };
  });
  model.set(id, changed.entry.content);
}

async function expectAgreement(store: Store, model: Model): Promise<void> {
  const contents = (entries: readonly { id: string; content: string }[]) => new Map(entries.map(({ id, content }) => [id, content]));
  const listed = await allEntries(store);
  expect(listed).toHaveLength(model.size);
  expect(contents(listed)).toEqual(model);
  const scanned = [];
  for await (const rows of store.entries.scan(() => true)) scanned.push(...rows.map(({ entry }) => entry));
  expect(contents(scanned)).toEqual(model);
  expect(store.entries.count({ namespaces: ['ns'] })).toBe(model.size);
  const words = await store.searchKeywords({ tokens: queryTokens('walrus heron'), filter: {}, limit: 1000 });
  expect(new Set(words.map(({ id }) => id))).toEqual(new Set(model.keys()));
}

describe('a store with many writers', () => {
  it.each([1, 2, 3])('equals a map, merged, unmerged and reopened (seed %i)', async (seed) => {
    await using folder = await temporaryFolder();
    const model: Model = new Map();
    const next = random(seed);
    let texts = 0;
    for (let life = 0; life < 3; life += 1) {
      const store = await openTestStore(folder.path);
      await expectAgreement(store, model);
      const world: World = { store, model, next, count: () => (texts += 1) };
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let nth = 0; nth < 40; nth += 1) await step(world);
        }),
      );
      await expectAgreement(store, model);
      await store.optimize();
      await expectAgreement(store, model);
      await store.close();
    }
  });
});
