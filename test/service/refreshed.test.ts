import { describe, expect, it } from 'vitest';
import { LoreError } from '../../src/memory/errors.ts';
import type { MemoryOperations } from '../../src/memory/operations/operations.ts';
import { Freshness } from '../../src/service/freshness.ts';
import { refreshed } from '../../src/service/refreshed.ts';
import { openTestApp } from '../helpers/app.ts';
import { failureOf } from '../helpers/failure.ts';

const HOUR_MS = 3_600_000;

/** A store in which others write: what they wrote is seen with the next look, and not before. */
class Others {
  readonly #memories: MemoryOperations;
  #unseen: (() => Promise<unknown>)[] = [];
  looks = 0;
  isReachable = true;

  constructor(memories: MemoryOperations) {
    this.#memories = memories;
  }

  write(content: string): void {
    this.#unseen.push(() => this.#memories.save({ content }));
  }

  /** Writes an entry with an id that is known. */
  bring(line: object): void {
    this.#unseen.push(() => this.#memories.import(lines(line), { strict: true }));
  }

  forget(id: string): void {
    this.#unseen.push(() => this.#memories.forget(id));
  }

  async catchUp(): Promise<void> {
    this.looks += 1;
    if (!this.isReachable) throw new LoreError('unavailable', 'Object storage cannot be reached.');
    for (const write of this.#unseen.splice(0)) await write();
  }
}

async function* lines(...entries: readonly object[]): AsyncGenerator<Uint8Array> {
  for (const entry of entries) yield new TextEncoder().encode(`${JSON.stringify(entry)}\n`);
}

async function shared(maxAgeMs: number) {
  const app = await openTestApp();
  const others = new Others(app.memories);
  const memories = refreshed(app.memories, { freshness: new Freshness(others), maxAgeMs, unlessSilent: (work) => work() });
  return { others, memories, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

describe('operations on a store with other writers', () => {
  it('see everything written before they began with a maximum age of 0', async () => {
    await using lore = await shared(0);
    lore.others.write('the kettle whistles at noon');
    expect((await lore.memories.recall({ query: 'kettle whistles' })).results).toHaveLength(1);
    lore.others.write('the lamp hums at night');
    expect((await lore.memories.list({})).total).toBe(2);
    expect((await lore.memories.stats()).total).toBe(2);
    const lines = [];
    lore.others.write('the door creaks');
    for await (const line of lore.memories.export({})) lines.push(line);
    expect(lines).toHaveLength(1 + 3);
  });

  it('refresh at most once per maximum age', async () => {
    await using lore = await shared(HOUR_MS);
    await lore.memories.list({});
    lore.others.write('the kettle whistles at noon');
    expect((await lore.memories.list({})).total).toBe(0);
    await lore.memories.bulk.timeline({});
    expect(lore.others.looks).toBe(1);
  });

  it('refresh once before they report an unknown id', async () => {
    await using lore = await shared(HOUR_MS);
    const [id = ''] = (await lore.memories.save({ content: 'the kettle whistles at noon' })).ids;
    lore.others.forget(id);
    expect((await lore.memories.get(id)).id).toBe(id);
    const nobody = '01890000-0000-7000-8000-000000000000';
    expect(await failureOf(lore.memories.get(nobody))).toMatchObject({ code: 'not_found' });
    expect(await failureOf(lore.memories.details.passages(id))).toMatchObject({ code: 'not_found' });
    expect(lore.others.looks).toBe(3);
  });

  it('find by id what another server has just written', async () => {
    await using lore = await shared(HOUR_MS);
    await lore.memories.list({});
    const id = '01890000-0000-7000-8000-000000000001';
    lore.others.bring({ id, content: 'the kettle whistles at noon' });
    expect((await lore.memories.get(id)).content).toContain('kettle');
    expect(lore.others.looks).toBe(2);
  });

  it('fail while the state is unknown, except health', async () => {
    await using lore = await shared(0);
    lore.others.isReachable = false;
    expect(await failureOf(lore.memories.list({}))).toMatchObject({ code: 'unavailable' });
    expect((await lore.memories.health()).totalEntries).toBe(0);
    lore.others.isReachable = true;
    expect((await lore.memories.list({})).total).toBe(0);
  });

  it('read an import once', async () => {
    await using lore = await shared(0);
    expect((await lore.memories.import(lines({ content: 'the kettle whistles at noon' }), {})).stored).toBe(1);
  });

  it('notify followers of changes, and end with them', async () => {
    await using lore = await shared(0);
    const leaving = new AbortController();
    const types: string[] = [];
    const following = (async () => {
      for await (const { type } of lore.memories.changes.follow({}, { signal: leaving.signal })) {
        types.push(type);
        if (type !== 'ready') leaving.abort();
      }
    })();
    await expect.poll(() => types.length).toBeGreaterThan(0);
    lore.others.write('the kettle whistles at noon');
    await lore.memories.list({});
    await following;
    expect(types[0]).toBe('ready');
    expect(types.length).toBeGreaterThan(1);
  });
});

describe('the view of a store', () => {
  /** Looks that end when they are told to. */
  class Looks {
    readonly begun: (() => void)[] = [];
    catchUp = (): Promise<void> => new Promise((resolve) => this.begun.push(resolve));
  }

  it('is refreshed once for concurrent requests', async () => {
    const looks = new Looks();
    const freshness = new Freshness(looks);
    const asked = [freshness.within(HOUR_MS), freshness.within(HOUR_MS)];
    expect(looks.begun).toHaveLength(1);
    looks.begun[0]?.();
    await Promise.all(asked);
    await freshness.within(HOUR_MS);
    expect(looks.begun).toHaveLength(1);
  });

  it('does not reuse a refresh that began before the request', async () => {
    const looks = new Looks();
    let clock = 0;
    const freshness = new Freshness(looks, () => clock);
    const early = freshness.within(HOUR_MS);
    clock += 1;
    const strict = [freshness.within(0), freshness.within(0)];
    looks.begun[0]?.();
    await early;
    await expect.poll(() => looks.begun.length).toBe(2);
    looks.begun[1]?.();
    await Promise.all(strict);
    expect(looks.begun).toHaveLength(2);
  });

  it('is refreshed again after a failure', async () => {
    let failures = 1;
    const freshness = new Freshness({
      catchUp: async () => {
        if (failures-- > 0) throw new LoreError('unavailable', 'not now');
      },
    });
    expect(await failureOf(freshness.within(HOUR_MS))).toMatchObject({ code: 'unavailable' });
    await freshness.within(HOUR_MS);
    expect(failures).toBe(-1);
  });
});
