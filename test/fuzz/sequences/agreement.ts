/** Whether a store holds what its model holds, asked in every way that there is. */
import { expect } from 'vitest';
import { keyOf, type Archived, type Model, type ModelEntry, type ModelRelation } from './model.ts';
import { allShown, relationsShown, shown, type KnownEntry, type Shown } from './shown.ts';
import type { World } from './world.ts';

export function expected(model: Model, entry: ModelEntry): Shown {
  return { ...known(entry), superseded: model.isSuperseded(entry.id) };
}
function known(entry: ModelEntry): KnownEntry {
  const { nth: _, ...facts } = entry;
  return facts;
}
const sortedRelations = (relations: readonly ModelRelation[]): ModelRelation[] =>
  relations.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

/** Lists, single entries, relations, the archive, the history, the namespaces and an export. */
export async function expectAgreement(world: World): Promise<void> {
  const { model } = world;
  const entries = model.all();
  const page = await world.ask('GET', '/api/list?allNamespaces=true&sort=createdAt&limit=100');
  expect(allShown(page.body['entries'])).toEqual(entries.map((entry) => expected(model, entry)));
  expect(page.body['total']).toBe(entries.length);
  await expectNamespaces(world);
  const relations = await world.ask('GET', '/api/relations?limit=1000');
  expect(sortedRelations(relationsShown(relations.body['relations']))).toEqual(sortedRelations([...model.relations.values()]));
  await expectArchive(world);
  for (const entry of entries) await expectEntry(world, entry);
  const { text } = await world.ask('GET', '/api/export');
  const [, ...lines] = text
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(lines.map((line) => ({ ...shown(line), superseded: false }))).toEqual(
    entries.map((entry) => ({ ...known(entry), superseded: false })),
  );
}

/** What is not there is not found, by its id or by its history. */
export async function expectGone({ store, model }: World, id: string): Promise<void> {
  expect(model.entries.has(id)).toBe(false);
  for (const target of [`/api/${id}`, `/api/${id}/history`, `/api/relations?id=${id}`])
    expect((await store.call('GET', target)).status).toBe(404);
}

async function expectEntry(world: World, entry: ModelEntry): Promise<void> {
  const { model } = world;
  const { body } = await world.ask('GET', `/api/${entry.id}/history`);
  expect(shown(body['entry'])).toEqual(expected(model, entry));
  expect((body['versions'] as { state: unknown }[]).map(({ state }) => state)).toEqual(model.history.get(entry.id) ?? []);
  const alone = await world.ask('GET', `/api/mem_${entry.id}`);
  expect(shown(alone.body['entry'])).toEqual(expected(model, entry));
  expect(sortedRelations(relationsShown(alone.body['relations']))).toEqual(sortedRelations(model.relationsOf(entry.id)));
}

async function expectNamespaces({ store, model }: World): Promise<void> {
  const { body } = await store.call('GET', '/api/namespaces');
  const counts = new Map((body['namespaces'] as { namespace: string; entries: number }[]).map((one) => [one.namespace, one.entries]));
  const right = new Map<string, number>();
  for (const { namespace } of model.entries.values()) right.set(namespace, (right.get(namespace) ?? 0) + 1);
  expect(counts).toEqual(right);
}

async function expectArchive(world: World): Promise<void> {
  const { model } = world;
  const { body } = await world.ask('GET', '/api/archive?limit=100');
  const inArchive = (body['entries'] as (Archived & { entry: unknown })[]).map(({ entry, run, reason, relations }) => ({
    entry: { ...shown(entry), superseded: false },
    run,
    reason,
    relations: sortedRelations(relationsShown(relations)),
  }));
  const right = [...model.archive.values()].toReversed().map(({ entry, run, reason, relations }) => ({
    entry: { ...known(entry), superseded: false },
    run,
    reason,
    relations: sortedRelations(relations),
  }));
  expect(inArchive).toEqual(right.slice(0, 100));
  expect(body['total']).toBe(right.length);
}
