import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from '../../../src/cli/sync/comparison.ts';
import { LoreError } from '../../../src/memory/errors.ts';
import type { SyncStamp } from '../../../src/memory/operations/sync-operations.ts';
import type { TestApp } from '../../helpers/app.ts';
import { exchange, forgetIds, openSide, stepsOf } from '../../helpers/syncing.ts';

/** Few, so that both sides often say the same. */
const TEXTS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'].map((word) => `the ${word} of the harbour`);

type Step =
  | { readonly kind: 'save' | 'revise'; readonly nth: number; readonly text: number }
  | { readonly kind: 'tag' | 'forget' | 'restore' | 'relate' | 'sync'; readonly nth: number; readonly text: number };

const step = fc.record({
  side: fc.boolean(),
  kind: fc.constantFrom<Step['kind'][]>('save', 'save', 'revise', 'revise', 'tag', 'forget', 'restore', 'relate', 'sync'),
  nth: fc.nat(5),
  text: fc.nat(TEXTS.length - 1),
});

/** What one side has been told in its life. */
type Said = Map<string, Set<string>>;

async function perform({ app, said, kind, nth, text }: Step & { app: TestApp; said: Said }): Promise<void> {
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
  else if (kind === 'relate') {
    const targetId = entries[text % entries.length]!.id;
    await memories.relations.relate({ sourceId: id, targetId, type: 'references' });
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
  const { stamps } = await memories.sync.stamps({ namespace: 'test', buckets: 1, of: [0] });
  return new Map(stamps.map((stamp) => [stamp.id, stamp]));
}

/** Whether a store still has a text that an entry had: as it is, in the archive or in the history. */
async function holds({ memories }: TestApp, id: string, content: string): Promise<boolean> {
  const lines: unknown[] = [];
  for await (const line of memories.export({ all: true })) lines.push(line);
  return lines.some((line) => JSON.stringify(line).includes(id) && JSON.stringify(line).includes(content));
}

describe('two stores with whatever done to each', () => {
  it('are the same after a push and a pull, and neither has lost anything that it was told', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        await using mine = await openSide();
        await using theirs = await openSide();
        const said: [Said, Said] = [new Map(), new Map()];
        for (const { side, kind, ...rest } of steps) {
          if (kind === 'sync') await exchange(mine, theirs);
          else await perform({ app: side ? mine : theirs, said: said[side ? 0 : 1], kind, ...rest }).catch(unlessRefused);
        }
        await exchange(mine, theirs);
        for (const [from, to] of [
          [mine, theirs],
          [theirs, mine],
        ] as const) {
          const plan = await compare({ from: from.memories.sync, to: to.memories.sync }, 'test');
          expect(stepsOf({ ...plan, relations: [] })).toEqual([]);
          expect(plan.newer).toBe(0);
        }
        // What came back from an archive may have brought relations along.
        await exchange(mine, theirs);
        expect((await compare({ from: mine.memories.sync, to: theirs.memories.sync }, 'test')).relations).toEqual([]);
        const [here, there] = [await stampsOf(mine), await stampsOf(theirs)];
        for (const [id, stamp] of here) {
          const other = there.get(id);
          if (stamp.state !== 'live') continue;
          // The same version, or its text is there under another id.
          expect(other).toMatchObject(other?.state === 'live' ? stamp : { state: 'away', version: stamp.version });
        }
        for (const [nth, app] of [mine, theirs].entries()) {
          for (const [id, texts] of said[nth]!)
            for (const text of texts) expect([id, text, await holds(app, id, text)]).toEqual([id, text, true]);
        }
      }),
      { numRuns: 25 },
    );
  }, 300_000);
});
