/** Steps that change entries one by one or many at once; each is done to the store and to the model, and the answer is what the model says. */
import { expect } from 'vitest';
import { expectGone } from './agreement.ts';
import { placeIn, type Facts, type ModelEntry } from './model.ts';
import { shown } from './shown.ts';
import type { StepOf } from './steps.ts';
import type { World } from './world.ts';

/** As they are kept: the container is named after the namespace where none is given. */
function kept({ container, ...facts }: Omit<Facts, 'container'> & { readonly container?: string | undefined }): Facts {
  return { ...facts, container: container ?? facts.namespace };
}

export async function save(world: World, step: StepOf<'save'>): Promise<void> {
  const { kind: _, ...given } = step;
  const { model } = world;
  const facts = kept(given);
  const twin = model.twinOf(facts);
  const { body } = await world.post('/api/save', given);
  const [id] = body['ids'] as [string];
  expect((body['outcomes'] as { status: string }[]).map(({ status }) => status)).toEqual([twin === undefined ? 'stored' : 'duplicate']);
  if (twin !== undefined) {
    expect(id).toBe(twin.id);
    model.mergeTags(id, facts.tags);
    return;
  }
  const { createdAt } = shown((await world.ask('GET', `/api/${id}`)).body['entry']);
  model.put({ id, source: 'api', createdAt, ...facts });
}

export async function patch(world: World, { at, facts }: StepOf<'patch'>): Promise<void> {
  const entry = world.entryAt(at);
  if (entry === undefined) return;
  const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Partial<Facts>;
  const place = given.namespace === undefined ? entry : placeIn(entry, given.namespace);
  const done = world.model.change(entry.id, { container: place.container, ...given });
  await world.ask('PATCH', `/api/${entry.id}`, given, done === 'changed' ? 200 : 400);
}

export async function remove(world: World, { at }: StepOf<'remove'>): Promise<void> {
  const entry = world.entryAt(at);
  if (entry === undefined) return;
  await world.ask('DELETE', `/api/${entry.id}`);
  world.model.remove(entry.id);
  await expectGone(world, entry.id);
  await world.ask('DELETE', `/api/${entry.id}`, undefined, 404);
}

export async function undo(world: World, { at }: StepOf<'undo'>): Promise<void> {
  const entry = world.entryAt(at);
  if (entry === undefined) return;
  const done = world.model.undo(entry.id);
  await world.ask('POST', `/api/${entry.id}/undo`, {}, done === 'changed' ? 200 : 400);
}

export async function forget(world: World, { selection, permanent }: StepOf<'forget'>): Promise<void> {
  const { model } = world;
  const chosen = world.chosen(selection);
  if (chosen === undefined) return;
  const request = { ...chosen.request, permanent };
  const meant = model.all(chosen.isMeant).toReversed();
  const { body: first } = await world.post('/api/forget', request);
  expect([first['matches'], first['done'], typeof first['token']]).toEqual([
    meant.length,
    false,
    meant.length > 0 ? 'string' : 'undefined',
  ]);
  expect((first['preview'] as unknown[]).map((entry) => shown(entry).id)).toEqual(meant.slice(0, 10).map(({ id }) => id));
  if (meant.length === 0) return;
  await world.post('/api/forget', { ...request, permanent: !permanent, confirm: first['token'] }, 400);
  const { body } = await world.post('/api/forget', { ...request, confirm: first['token'] });
  expect([body['matches'], body['done']]).toEqual([meant.length, true]);
  for (const { id } of meant) {
    if (permanent) model.remove(id);
    else model.moveToArchive(id, { run: String(body['run']), reason: 'forgotten' });
    await expectGone(world, id);
  }
}

export async function restore(world: World, { by, at, dryRun }: StepOf<'restore'>): Promise<void> {
  const { model } = world;
  const [id, archived] = [...model.archive][Math.floor(at * model.archive.size)] ?? [];
  if (id === undefined || archived === undefined) return;
  const request = { id: { ids: [id] }, run: { run: archived.run }, since: { since: '2001-01-01' } }[by];
  const { body: foreseen } = await world.post('/api/restore', { ...request, dryRun: true });
  if (dryRun) return;
  const { body } = await world.post('/api/restore', request);
  const report = model.restore((one) => by === 'since' || (by === 'run' ? one.run === archived.run : one.entry.id === id));
  const skipped = (body['skipped'] as { id: string }[]).map((one) => one.id);
  expect({ restored: body['restored'], skipped }).toEqual(report);
  // What comes back may be in the way of another one, so that it promises too much at most.
  expect(foreseen['restored']).toEqual(expect.arrayContaining(report.restored));
}

export async function tag(world: World, { selection, add, remove: away, dryRun }: StepOf<'tag'>): Promise<void> {
  const { model } = world;
  const chosen = world.chosen(selection);
  const others: readonly string[] = away.filter((one) => !add.includes(one));
  if (chosen === undefined || add.length + others.length === 0) return;
  const meant = model.all(chosen.isMeant).toReversed();
  const then = ({ tags }: ModelEntry): string[] => [...new Set([...tags.filter((one) => !others.includes(one)), ...add])];
  const changed = meant.filter((entry) => JSON.stringify(then(entry)) !== JSON.stringify(entry.tags));
  const { body } = await world.post('/api/tags', { ...chosen.request, add, remove: others, dryRun });
  expect([body['matches'], (body['changed'] as { id: string }[]).map(({ id }) => id)]).toEqual([meant.length, changed.map(({ id }) => id)]);
  if (!dryRun) for (const entry of changed) model.change(entry.id, { tags: then(entry) });
}
