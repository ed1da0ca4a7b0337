/** Steps between namespaces, between entries, and between stores. */
import { expect } from 'vitest';
import { keyOf } from './model.ts';
import { relationsShown } from './shown.ts';
import type { StepOf } from './steps.ts';
import type { World } from './world.ts';

export async function relate(world: World, { from, to, type, strength }: StepOf<'relate'>): Promise<void> {
  const [source, target] = [world.entryAt(from), world.entryAt(to)];
  if (source === undefined || target === undefined) return;
  const relation = { sourceId: source.id, type, targetId: target.id, strength };
  if (world.model.isRefused(relation)) return void (await world.post('/api/relations', relation, 400));
  const { body } = await world.post('/api/relations', relation);
  expect(relationsShown([body['relation']])).toEqual([relation]);
  world.model.relations.set(keyOf(relation), relation);
}

export async function unrelate(world: World, { at }: StepOf<'unrelate'>): Promise<void> {
  const { relations } = world.model;
  const relation = [...relations.values()][Math.floor(at * relations.size)];
  if (relation === undefined) return;
  const { strength: _, ...named } = relation;
  await world.ask('DELETE', '/api/relations', named);
  relations.delete(keyOf(relation));
  await world.ask('DELETE', `/api/relations?${new URLSearchParams(named).toString()}`, undefined, 404);
}

interface Course {
  readonly target: string;
  readonly request: Record<string, unknown>;
  readonly isMeant: Parameters<World['model']['move']>[0];
  readonly to: string;
  /** Whose archive goes along. */
  readonly emptied: readonly string[];
}

export async function move(world: World, { selection, to, dryRun }: StepOf<'move'>): Promise<void> {
  const chosen = world.chosen(selection);
  if (chosen === undefined) return;
  const course = { target: '/api/namespaces/move', request: { ...chosen.request, to }, isMeant: chosen.isMeant, to, emptied: [] };
  if (dryRun) return await foresee(world, course);
  await carryOut(world, course);
}

export async function rename(world: World, { from, to }: StepOf<'rename'>): Promise<void> {
  const target = '/api/namespaces/rename';
  const isTaken = world.model.all().some(({ namespace }) => namespace === to);
  if (from === to || from === 'global' || to === 'global' || isTaken) return void (await world.post(target, { from, to }, 400));
  await carryOut(world, { target, request: { from, to }, isMeant: ({ namespace }) => namespace === from, to, emptied: [from] });
}

export async function merge(world: World, { from, into }: StepOf<'merge'>): Promise<void> {
  const target = '/api/namespaces/merge';
  if (from.includes('global') || from.includes(into)) return void (await world.post(target, { from, into }, 400));
  const isMeant = ({ namespace }: { readonly namespace: string }): boolean => (from as readonly string[]).includes(namespace);
  await carryOut(world, { target, request: { from, into }, isMeant, to: into, emptied: from });
}

async function foresee(world: World, { target, request, isMeant, to }: Course): Promise<void> {
  const meant = world.model.all((entry) => entry.namespace !== to && isMeant(entry));
  const { body } = await world.post(target, { ...request, dryRun: true });
  expect([body['matches'], body['left']]).toEqual([meant.length, 0]);
}

async function carryOut(world: World, course: Course): Promise<void> {
  const { target, request, isMeant, to, emptied } = course;
  const { model } = world;
  const { body: foreseen } = await world.post(target, { ...request, dryRun: true });
  const { body } = await world.post(target, request);
  const run = String(body['run']);
  const { moved, united } = model.move(isMeant, { to, run });
  const archived = model.moveArchive(emptied, { to, run });
  const report = {
    matches: moved.length + united.length,
    moved: moved.length,
    merged: united.length,
    duplicates: united,
    archived,
    left: 0,
  };
  expect(body).toMatchObject(report);
  expect(foreseen).toMatchObject(report);
}

export async function importLines(world: World, { lines, broken, strict }: StepOf<'import'>): Promise<void> {
  const { model } = world;
  const given = lines.map((line) => ({ ...line, createdAt: world.nextImported() }));
  const text = given.map(({ content, createdAt, ...metadata }) =>
    JSON.stringify({ content, metadata: { ...metadata, timestamp: iso(createdAt) } }),
  );
  const reply = await world.ask(
    'POST',
    `/api/import?report=full&strict=${strict}`,
    [...text, ...(broken ? ['{"content":5}'] : [])].join('\n'),
  );
  const told = reply.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { status?: string; id: string; summary?: Record<string, unknown> });
  if (strict && broken) {
    expect(told.at(-1)).toMatchObject({ summary: { stored: 0, duplicates: 0, invalid: 1 } });
    return;
  }
  for (const [nth, { container, ...facts }] of given.entries()) {
    const entry = { ...facts, container: container ?? facts.namespace };
    const twin = model.twinOf(entry);
    expect(told[nth]).toMatchObject(twin === undefined ? { status: 'stored' } : { status: 'duplicate', id: twin.id });
    if (twin === undefined) model.put({ ...entry, id: told[nth]!.id, source: 'import' });
    else model.mergeTags(twin.id, entry.tags);
  }
  expect(told.at(-1)!.summary).toMatchObject({ invalid: broken ? 1 : 0 });
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** What was exported is all there, so nothing of it is stored. */
export async function exportAgain(world: World): Promise<void> {
  const { text } = await world.ask('GET', '/api/export?all=true');
  const { body } = await world.ask('POST', '/api/import', text);
  expect(body).toMatchObject({ stored: 0, duplicates: world.model.entries.size, invalid: 0 });
}
