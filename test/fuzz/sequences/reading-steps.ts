/** Steps that only look: what a list, a recall and a search give is just what the model says. */
import { expect } from 'vitest';
import { expected } from './agreement.ts';
import type { ModelEntry } from './model.ts';
import { allShown, shown } from './shown.ts';
import { WORDS, type StepOf } from './steps.ts';
import type { World } from './world.ts';

const holds = (entry: ModelEntry, wanted: readonly string[]): boolean => wanted.every((tag) => entry.tags.includes(tag));

export async function list(world: World, step: StepOf<'list'>): Promise<void> {
  const { namespace, tags, container, priority, source, min, max, sort, limit } = step;
  const [after, before] = [step.after, step.before].map((share) => (share === undefined ? undefined : world.entryAt(share)?.createdAt));
  const right = world.model.all(
    (entry) =>
      (namespace === undefined || entry.namespace === namespace) &&
      holds(entry, tags) &&
      [container ?? entry.container, priority ?? entry.priority, source ?? entry.source].join() ===
        [entry.container, entry.priority, entry.source].join() &&
      entry.importance >= (min ?? 0) &&
      entry.importance <= (max ?? 1) &&
      entry.createdAt > (after ?? -Infinity) &&
      entry.createdAt < (before ?? Infinity),
  );
  const query = new URLSearchParams({
    sort,
    limit: String(limit),
    ...(namespace === undefined ? { allNamespaces: 'true' } : { namespace }),
  });
  if (tags.length > 0) query.set('tags', JSON.stringify(tags));
  const others = {
    container,
    priority,
    source,
    minImportance: min,
    maxImportance: max,
    createdAfter: iso(after),
    createdBefore: iso(before),
  };
  for (const [name, value] of Object.entries(others)) if (value !== undefined) query.set(name, String(value));
  const found = [];
  for (let offset = 0; offset <= right.length; offset += limit) {
    const { body } = await world.ask('GET', `/api/list?${query.toString()}&offset=${offset}`);
    expect(body['total']).toBe(right.length);
    found.push(...allShown(body['entries']));
  }
  const wanted = right.map((entry) => expected(world.model, entry));
  if (sort === 'createdAt') expect(found).toEqual(wanted);
  else if (sort === '-createdAt') expect(found).toEqual(wanted.toReversed());
  else expectWeighed(found, wanted, sort === 'importance' ? 1 : -1);
}

const iso = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : new Date(ms).toISOString());

/** In order of importance; which of two of the same comes first is not said. */
function expectWeighed<T extends { readonly id: string; readonly importance: number }>(found: T[], wanted: T[], direction: 1 | -1): void {
  const byId = (a: T, b: T): number => (a.id < b.id ? -1 : 1);
  expect(found.toSorted(byId)).toEqual(wanted.toSorted(byId));
  const weights = found.map(({ importance }) => importance);
  expect(weights).toEqual(weights.toSorted((a, b) => (a - b) * direction));
}

export async function find(world: World, step: StepOf<'find'>): Promise<void> {
  const { by, word, mode, includeGlobal, includeSuperseded, container, tags, min } = step;
  const { model } = world;
  const isRecall = by === 'recall';
  const namespaces = isRecall
    ? [step.namespace ?? 'test', ...(includeGlobal ? ['global'] : [])]
    : [step.namespace].flatMap((one) => one ?? []);
  const mayBe = model.all(
    (entry) =>
      (namespaces.length === 0 || namespaces.includes(entry.namespace)) &&
      (container === undefined || entry.container === container) &&
      holds(entry, tags) &&
      (isRecall || min === undefined || entry.importance >= min) &&
      (includeSuperseded || !model.isSuperseded(entry.id)),
  );
  const options = isRecall ? { includeGlobal } : min === undefined ? {} : { filter: { importance: { min } } };
  const { namespace } = step;
  const asked = { query: word, namespace, container, tags, searchMode: mode, includeSuperseded, limit: 100, ...options };
  const { body } = await world.post(`/api/${by}`, asked);
  const results = (body['results'] as { entry: unknown; score: number }[]).map(({ entry, score }) => ({ entry: shown(entry), score }));
  const ids = results.map(({ entry }) => entry.id);
  const byId = new Map(mayBe.map((entry) => [entry.id, entry]));
  expect(new Set(ids).size).toBe(ids.length);
  for (const { entry } of results) expect(entry).toEqual(byId.has(entry.id) ? expected(model, byId.get(entry.id)!) : 'what may be found');
  const scores = results.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  const holders = mayBe.filter(({ content }) => content.startsWith(word)).map(({ id }) => id);
  if (mode === 'keyword') expect(ids.toSorted()).toEqual(holders.toSorted());
  if (mode === 'hybrid') expect(ids).toEqual(expect.arrayContaining(holders));
}

/** Every word is found in all that hold it, over all namespaces, with and without what has been taken the place of. */
export async function findEveryWord(world: World): Promise<void> {
  const search = {
    kind: 'find',
    by: 'search',
    namespace: undefined,
    container: undefined,
    tags: [],
    min: undefined,
    includeGlobal: false,
  } as const;
  for (const word of WORDS) {
    await find(world, { ...search, word, mode: 'keyword', includeSuperseded: false });
    await find(world, { ...search, word, mode: 'hybrid', includeSuperseded: true });
  }
}
