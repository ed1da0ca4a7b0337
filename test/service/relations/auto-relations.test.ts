import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { RelationType } from '../../../src/memory/relation.ts';
import { openApp, type App } from '../../../src/app.ts';
import { silentLog } from '../../../src/memory/log.ts';
import { MANY_WAITING, yieldsToRequests } from '../../../src/service/relations/auto-relations.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { recordedLog } from '../../helpers/recorded-log.ts';

/** Waits until nothing is left to be related. */
async function settled(app: TestApp): Promise<void> {
  const end = Date.now() + 20_000;
  while ((await app.memories.health()).relating !== undefined) {
    if (Date.now() > end) throw new Error('Relations were still being looked for.');
    await sleep(10);
  }
}

async function save(app: TestApp, content: string, more: { namespace?: string; container?: string } = {}): Promise<string> {
  const { ids } = await app.memories.save({ content, ...more });
  await settled(app);
  return ids[0]!;
}

/** `newer type older` by the names that a test gave the entries. */
async function related(app: TestApp, names: Readonly<Record<string, string>>): Promise<string[]> {
  const nameOf = (id: string): string => Object.keys(names).find((name) => names[name] === id) ?? '?';
  const { relations } = await app.memories.relations.list({});
  return relations.map(({ sourceId, type, targetId }) => `${nameOf(sourceId)} ${type} ${nameOf(targetId)}`).toSorted();
}

describe('after a save', () => {
  it('an explicit replacement supersedes the older text, and a search finds only the newer', async () => {
    await using app = await openTestApp();
    const older = await save(app, 'The linter of the web app is eslint.');
    const newer = await save(app, 'The linter of the web app is oxlint instead of eslint.');
    expect(await related(app, { older, newer })).toContain('newer supersedes older');
    const { relations } = await app.memories.relations.list({ type: 'supersedes' });
    expect(relations).toMatchObject([{ origin: 'auto', strength: expect.any(Number) as unknown }]);
    const { results } = await app.memories.recall({ query: 'linter of the web app' });
    expect(results.map(({ entry }) => entry.id)).toEqual([newer]);
    await app.memories.forget(newer);
    expect((await app.memories.recall({ query: 'linter of the web app' })).results.map(({ entry }) => entry.id)).toEqual([older]);
  });

  it('contradicting and supporting texts are related', async () => {
    await using app = await openTestApp();
    const so = await save(app, 'The cache server is encrypted at rest.');
    const not = await save(app, 'The cache server is not encrypted at rest.');
    const all = await save(app, 'The cache server is encrypted at rest. Its keys are rotated by a job every ninety days.');
    const found = await related(app, { so, not, all });
    expect(found).toEqual(expect.arrayContaining(['not contradicts so', 'all elaborates so']));
    expect(found.join()).not.toContain('supersedes');
  });

  it('near duplicates of one namespace are related as similar, newer to older, by likeness', async () => {
    await using app = await openTestApp();
    const text = 'The night train from the coast to the capital stops at seven stations and carries bicycles in the last wagon';
    const older = await save(app, `${text}.`);
    const newer = await save(app, `${text}!`);
    await save(app, `${text}?`, { namespace: 'elsewhere' });
    expect(await related(app, { older, newer })).toEqual(['newer similar older']);
    const { relations } = await app.memories.relations.list({});
    expect(relations[0]!.strength).toBeGreaterThanOrEqual(0.92);
    expect(relations[0]!.strength).toBeLessThanOrEqual(1);
  });

  it('an entry has at most five similar ones', async () => {
    await using app = await openTestApp();
    const text = 'The night train from the coast to the capital stops at seven stations and carries bicycles in the last wagon';
    for (const end of ['.', '!', '?', '…', ';', ',', ':']) await app.memories.save({ content: `${text}${end}` });
    await settled(app);
    const last = await save(app, `${text} -`);
    const { relations } = await app.memories.relations.list({ id: last, type: 'similar' });
    expect(relations).toHaveLength(5);
  });

  it('a text is related to the entries whose ids it contains, with and without the prefix', async () => {
    await using app = await openTestApp();
    const [a, b] = [await save(app, 'Walrus facts'), await save(app, 'Trombone facts')];
    const c = await save(app, `See ${a} and mem_${b.toUpperCase()}, not 01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11 or x${a}.`);
    expect(await related(app, { a, b, c })).toEqual(['c references a', 'c references b']);
  });

  it('texts with the same rare file are related, those with frequent names are not', async () => {
    await using app = await openTestApp();
    const a = await save(app, 'Timeouts live in src/net/retry-budget.ts, next to package.json');
    const b = await save(app, 'Marmalade of the jitter: src/net/retry-budget.ts was hard to read');
    const c = await save(app, 'Hydrants need package.json');
    expect(await related(app, { a, b, c })).toEqual(['b references a']);
    for (const word of ['one', 'two', 'three', 'four', 'five', 'six']) {
      await app.memories.save({ content: `Gravel ${word}${word} in src/common.ts` });
    }
    await settled(app);
    const last = await save(app, 'Umbrellas belong to src/common.ts');
    expect((await app.memories.relations.list({ id: last })).total).toBe(0);
  });

  it('another container or namespace is a different subject', async () => {
    await using app = await openTestApp();
    await save(app, 'The linter of the web app is eslint.', { container: 'one' });
    await save(app, 'The linter of the web app is eslint.', { namespace: 'other' });
    await save(app, 'The linter of the web app is oxlint instead of eslint.', { container: 'two' });
    expect((await app.memories.relations.list({ type: 'supersedes' })).total).toBe(0);
  });
});

describe('a manual relation', () => {
  it('is never overwritten, and a deleted one is not recreated', async () => {
    await using app = await openTestApp();
    const older = await save(app, 'The linter of the web app is eslint.');
    const newer = await save(app, 'The linter of the web app is oxlint instead of eslint.');
    const type: RelationType = 'supersedes';
    const { relations } = app.memories;
    await relations.unrelate({ sourceId: newer, targetId: older, type });
    await app.memories.update(newer, { tags: ['ci'] });
    await app.memories.save({ content: 'The linter of the web app is oxlint instead of eslint.', tags: ['twice'] });
    await settled(app);
    expect(await related(app, { older, newer })).not.toContain('newer supersedes older');
    await relations.relate({ sourceId: older, targetId: newer, type: 'references', strength: 0.1 });
    await app.memories.update(newer, { content: 'The linter of the web app is oxlint instead of eslint, since May.' });
    await settled(app);
    expect((await relations.list({ type })).total).toBe(0);
    expect((await relations.list({ type: 'references' })).relations).toMatchObject([{ strength: 0.1, origin: 'manual' }]);
  });
});

describe('after a change', () => {
  it('of the text relations are updated, and a superseded entry is current again', async () => {
    await using app = await openTestApp();
    const older = await save(app, 'The linter of the web app is eslint.');
    const newer = await save(app, 'Marmalade is made in January.');
    await app.memories.update(newer, { content: 'The linter of the web app is oxlint instead of eslint.' });
    await settled(app);
    expect(await related(app, { older, newer })).toContain('newer supersedes older');
    await app.memories.update(newer, { content: 'Marmalade is made in January, of bitter oranges.' });
    await settled(app);
    expect(await related(app, { older, newer })).toEqual([]);
    expect(await app.memories.get(older)).not.toHaveProperty('superseded');
  });

  it('of the namespace relations are updated, also after an undo', async () => {
    await using app = await openTestApp();
    const older = await save(app, 'The linter of the web app is eslint.', { container: 'web' });
    const newer = await save(app, 'The linter of the web app is oxlint instead of eslint.', { container: 'web', namespace: 'draft' });
    expect(await related(app, { older, newer })).toEqual([]);
    await app.memories.update(newer, { namespace: 'test' });
    await settled(app);
    expect(await related(app, { older, newer })).toContain('newer supersedes older');
    await app.memories.lifecycle.undo(newer);
    await settled(app);
    expect(await related(app, { older, newer })).toEqual([]);
    expect(await app.memories.get(older)).not.toHaveProperty('superseded');
  });
});

describe('a command with its own store', () => {
  it('relates a few saves before it ends, but not many', async () => {
    await using app = await openTestApp();
    await app.close();
    const open = (): Promise<App> => openApp(app.config, { log: silentLog, cwd: app.folder, background: false });
    for (const content of ['The linter of the web app is eslint.', 'The linter of the web app is oxlint instead of eslint.']) {
      await using command = await open();
      await command.memories.save({ content });
    }
    await using command = await open();
    expect((await command.memories.relations.list({})).relations).toMatchObject([{ type: 'supersedes', origin: 'auto' }]);
    for (let nth = 0; nth < 51; nth += 1) await command.memories.save({ content: `The linter of app ${nth} is still eslint.` });
    await command.close();
    await using again = await open();
    expect((await again.memories.relations.list({})).total).toBe(1);
  });
});

describe('an import', () => {
  const lines = (count: number): AsyncIterable<Uint8Array> =>
    (async function* () {
      for (let nth = 0; nth < count; nth += 1) {
        yield await Promise.resolve(Buffer.from(`${JSON.stringify({ content: `Parsnip ${nth} grows beside hydrant ${nth * 7}` })}\n`));
      }
    })();

  it('of a few entries relates them', async () => {
    await using app = await openTestApp();
    const content = ['The linter of the web app is eslint.', 'The linter of the web app is oxlint instead of eslint.'];
    const text = content.map((one, nth) => JSON.stringify({ content: one, createdAt: `2026-01-0${nth + 1}T00:00:00Z` })).join('\n');
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(text));
    }
    await app.memories.import(chunks(), {});
    await settled(app);
    expect((await app.memories.relations.list({ type: 'supersedes' })).total).toBe(1);
  });

  it('above the queue limit is skipped with one message', async () => {
    const log = recordedLog();
    await using app = await openTestApp({ 'storage.durability': 'process' }, log);
    const { stored } = await app.memories.import(lines(4500), {});
    expect(stored).toBe(4500);
    const said = log.lines.filter(({ message }) => message.includes('large import'));
    expect(said).toHaveLength(1);
    expect((await app.memories.health()).relating ?? 0).toBeLessThan(100);
  }, 60_000);
});

describe('requests have priority', () => {
  it.each([
    { why: 'for a while', waitedMs: 100, ageMs: 200, waiting: 1, patient: true },
    { why: 'and not for longer', waitedMs: 3_000, ageMs: 3_100, waiting: 1, patient: false },
    { why: 'unless an entry has waited long under steady load', waitedMs: 10, ageMs: 20_000, waiting: 3, patient: false },
    { why: 'unless so many wait that some soon could not', waitedMs: 10, ageMs: 100, waiting: MANY_WAITING, patient: false },
  ])('$why', ({ patient, ...situation }) => {
    expect(yieldsToRequests(situation)).toBe(patient);
  });
});

describe('many saves at once', () => {
  it('are related like single saves', async () => {
    await using app = await openTestApp();
    const pairs = Array.from({ length: 20 }, (_, nth) => [
      `The linter of project number${nth} is eslint.`,
      `The linter of project number${nth} is oxlint instead of eslint, see src/lint/rules${nth}.ts.`,
    ]);
    for (const [older = ''] of pairs) await app.memories.save({ content: older });
    await Promise.all(
      pairs.map(async ([, newer = ''], nth) => await app.memories.save({ content: newer, namespace: nth % 2 ? 'odd' : 'test' })),
    );
    await Promise.all(
      pairs.map(
        async (_, nth) =>
          await app.memories.save({ content: `Marmalade ${nth} in src/lint/rules${nth}.ts`, namespace: nth % 2 ? 'odd' : 'test' }),
      ),
    );
    await settled(app);
    const { relations } = app.memories;
    expect((await relations.list({ type: 'supersedes' })).total).toBe(10);
    expect((await relations.list({ type: 'references' })).total).toBe(20);
  });
});

describe('work in the background', () => {
  it('stops with the service, and is not repeated at the next start', async () => {
    await using app = await openTestApp();
    for (let nth = 0; nth < 50; nth += 1) await app.memories.save({ content: `Parsnip ${nth} grows` });
    await app.close();
    const { openApp } = await import('../../../src/app.ts');
    const { silentLog } = await import('../../../src/memory/log.ts');
    const again = await openApp(app.config, { log: silentLog, cwd: app.folder });
    expect(await again.memories.health()).not.toHaveProperty('relating');
    await again.close();
  });
});
