import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from '../../../src/cli/sync/comparison.ts';
import { LoreError } from '../../../src/memory/errors.ts';
import type { SyncStamp } from '../../../src/memory/operations/sync-operations.ts';
import type { TestApp } from '../../helpers/app.ts';
import { exchange, forgetIds, later, openSide, stepsOf } from '../../helpers/syncing.ts';

/** Few, so that both sides often say the same. */
const TEXTS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'].map((word) => `the ${word} of the harbour`);

interface Step {
  readonly kind: 'save' | 'revise' | 'tag' | 'forget' | 'delete' | 'restore' | 'relate' | 'unrelate' | 'sync';
  readonly nth: number;
  readonly text: number;
}

/** `side`: of so many stores; `other`: how much further the one lies that it syncs with. */
const stepOf = (sides: number) =>
  fc.record({
    side: fc.nat(sides - 1),
    other: fc.integer({ min: 1, max: sides - 1 }),
    kind: fc.constantFrom<Step['kind'][]>(
      'save',
      'save',
      'revise',
      'revise',
      'tag',
      'forget',
      'delete',
      'restore',
      'relate',
      'unrelate',
      'sync',
    ),
    nth: fc.nat(5),
    text: fc.nat(TEXTS.length - 1),
  });

/** What one side has been told in its life. */
type Said = Map<string, Set<string>>;

async function perform({ app, said, deleted, kind, nth, text }: Step & { app: TestApp; said: Said; deleted: Set<string> }): Promise<void> {
  const { memories } = app;
  const content = TEXTS[text]!;
  const { entries } = await memories.list({ limit: 100, sort: 'createdAt' });
  const id = entries[nth % Math.max(1, entries.length)]?.id;
  if (kind === 'save') {
    const { entry } = await memories.save({ content });
    note(said, entry.id, content);
  } else if (kind === 'restore') {
    const archived = await memories.lifecycle.archived({ limit: 100 });
    const one = archived.entries[nth % Math.max(1, archived.entries.length)];
    if (one !== undefined) await memories.lifecycle.restore({ ids: [one.entry.id] });
  } else if (id === undefined) return;
  else if (kind === 'revise') {
    await memories.update(id, { content });
    note(said, id, content);
  } else if (kind === 'tag') await memories.update(id, { tags: [`tag-${text}`] });
  else if (kind === 'forget') await forgetIds(app, [id]);
  else if (kind === 'delete') {
    await later();
    await memories.forget(id);
    deleted.add(id);
  } else if (kind === 'relate') {
    const targetId = entries[text % entries.length]!.id;
    await memories.relations.relate({ sourceId: id, targetId, type: 'references' });
  } else if (kind === 'unrelate') {
    const { relations } = await memories.relations.list({ type: 'references', limit: 100 });
    const one = relations[nth % Math.max(1, relations.length)];
    await later();
    if (one !== undefined) await memories.relations.unrelate(one);
  }
}

function note(said: Said, id: string, content: string): void {
  said.set(id, (said.get(id) ?? new Set()).add(content));
}

/** Another entry holds the text, or it has no relation to itself: a person would be told so. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof LoreError && error.code === 'invalid_input')) throw error;
}

async function stampsOf({ memories }: TestApp): Promise<Map<string, SyncStamp>> {
  const { stamps } = await memories.sync.stamps({ namespace: 'test', buckets: 1, of: [0], tombstones: true });
  return new Map(stamps.map((stamp) => [stamp.id, stamp]));
}

/** Whether a store still has a text that an entry had: as it is, in the archive or in the history. */
async function holds({ memories }: TestApp, id: string, content: string): Promise<boolean> {
  const lines: unknown[] = [];
  for await (const line of memories.export({ all: true })) lines.push(line);
  return lines.some((line) => JSON.stringify(line).includes(id) && JSON.stringify(line).includes(content));
}

interface StepOfMany extends Step {
  readonly side: number;
  readonly other: number;
}

/** Does all of it, then syncs every two of the stores until nothing is left to do. */
async function live(steps: readonly StepOfMany[], apps: readonly TestApp[]): Promise<{ said: readonly Said[]; deleted: Set<string> }> {
  const said = apps.map((): Said => new Map());
  const deleted = new Set<string>();
  for (const { side, other, kind, nth, text } of steps) {
    const app = apps[side]!;
    if (kind === 'sync') await exchange(app, apps[(side + other) % apps.length]!);
    else await perform({ app, said: said[side]!, deleted, kind, nth, text }).catch(unlessRefused);
  }
  // What came back from an archive may have brought relations along, and a store in the middle tells on what it heard last.
  for (let round = 0; round < 2 * apps.length - 1; round += 1) for (const [one, another] of pairsOf(apps)) await exchange(one, another);
  return { said, deleted };
}

function pairsOf(apps: readonly TestApp[]): [TestApp, TestApp][] {
  return apps.flatMap((one, nth) => apps.slice(nth + 1).map((another): [TestApp, TestApp] => [one, another]));
}

const removedIn = (stamps: ReadonlyMap<string, SyncStamp>): string[] =>
  [...stamps.values()].flatMap(({ id, state }) => (state === 'removed' ? [id] : [])).toSorted();

async function expectSame(mine: TestApp, theirs: TestApp): Promise<void> {
  for (const [from, to] of [
    [mine, theirs],
    [theirs, mine],
  ] as const) {
    const plan = await compare({ from: from.memories.sync, to: to.memories.sync }, 'test');
    expect(stepsOf(plan)).toEqual([]);
    expect(plan).toMatchObject({ newer: 0, tombstones: [], conflicts: [] });
  }
  const [here, there] = [await stampsOf(mine), await stampsOf(theirs)];
  expect(removedIn(there)).toEqual(removedIn(here));
  for (const [id, stamp] of here) {
    const other = there.get(id);
    if (stamp.state !== 'live') continue;
    // The same version, or its text is there under another id.
    expect(other).toMatchObject(other?.state === 'live' ? stamp : { state: 'away', version: stamp.version });
  }
}

describe.each([2, 3])('%i stores after random operations', (count) => {
  it('are equal after a push and a pull, and lost nothing that was not deleted permanently', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepOf(count), { minLength: 4, maxLength: 24 }), async (steps) => {
        const apps = await Promise.all(Array.from({ length: count }, () => openSide()));
        try {
          const { said, deleted } = await live(steps, apps);
          for (const [one, another] of pairsOf(apps)) await expectSame(one, another);
          for (const [nth, app] of apps.entries()) {
            const kept = [...said[nth]!].filter(([id]) => !deleted.has(id));
            for (const [id, texts] of kept)
              for (const text of texts) expect([id, text, await holds(app, id, text)]).toEqual([id, text, true]);
          }
        } finally {
          for (const app of apps) await app[Symbol.asyncDispose]();
        }
      }),
      { numRuns: 40 },
    );
  }, 600_000);
});
