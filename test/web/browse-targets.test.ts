import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Filter } from '../../web/src/address.ts';
import type { Selection } from '../../web/src/browse/use-selection.ts';

const PAGE = 100;
const NO_FILTER: Filter = {
  ns: '',
  container: '',
  tags: [],
  priority: '',
  source: '',
  kind: '',
  min: undefined,
  max: undefined,
  from: '',
  to: '',
};
const OUT = 'id-1';

/** How many entries there are, said again with every page of them. */
let totals: number[] = [];
/** Bodies and paths of what was asked. */
let asked: string[] = [];
let meanwhile: () => void = () => undefined;

function pageOf(url: URL): object {
  const offset = Number(url.searchParams.get('offset'));
  const total = totals.length > 1 ? totals.shift()! : totals[0]!;
  const size = Math.max(0, Math.min(PAGE, total - offset));
  return { entries: Array.from({ length: size }, (_, nth) => ({ id: `id-${offset + nth}` })), total };
}

function tagged({ ids }: { ids: string[] }): object {
  return { matches: ids.length, changed: ids.map((id) => ({ id, added: ['sea'], removed: [] })), left: 0 };
}

/** A server that lists entries, and tags those that are named. */
vi.stubGlobal('fetch', async (path: string, { signal, body }: { signal: AbortSignal; body?: string }) => {
  asked.push(body ?? path);
  meanwhile();
  await Promise.resolve();
  signal.throwIfAborted();
  return Response.json(body === undefined ? pageOf(new URL(path, 'http://lore')) : tagged(JSON.parse(body) as { ids: string[] }));
});
vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined });
afterAll(() => vi.unstubAllGlobals());
// Another file of this process may have loaded it.
vi.resetModules();
const { previewTagging, targetsOf } = await import('../../web/src/browse/bulk.ts');

const allBut = (except: readonly string[]): Selection =>
  ({ all: true, except: new Set(except), memories: new Map() }) as unknown as Selection;
const { signal } = new AbortController();

beforeEach(() => {
  totals = [250];
  asked = [];
  meanwhile = () => undefined;
});

describe('all matching entries except some', () => {
  it('are resolved once for concurrent calls', async () => {
    const targets = targetsOf(allBut([OUT]), NO_FILTER, { signal });
    const [one, other] = await Promise.all([targets(), targets()]);
    expect(one).toBe(other);
    expect(await targets()).toBe(one);
    expect(asked).toHaveLength(3);
    expect(one.flatMap(({ ids = [] }) => ids)).toHaveLength(249);
    expect(one.flatMap(({ ids = [] }) => ids)).not.toContain(OUT);
  });

  it('are resolved again after a failure', async () => {
    const targets = targetsOf(allBut([OUT]), NO_FILTER, { signal });
    totals = [250, 249, 248, 247, 246, 245, 244];
    await expect(targets()).rejects.toMatchObject({ status: 409 });
    totals = [2];
    expect(await targets()).toEqual([{ ids: ['id-0'] }]);
  });

  it('are not resolved any longer once cancelled', async () => {
    const leaving = new AbortController();
    const targets = targetsOf(allBut([OUT]), NO_FILTER, { signal: leaving.signal });
    meanwhile = () => leaving.abort();
    await expect(targets()).rejects.toMatchObject({ name: 'AbortError' });
    expect(asked).toHaveLength(1);
  });

  it('fail to resolve while the store keeps changing, which is not a connection error', async () => {
    totals = [250, 249, 248, 247, 246, 245, 244];
    await expect(targetsOf(allBut([OUT]), NO_FILTER, { signal })()).rejects.toMatchObject({ status: 409, offline: false });
  });
});

describe('a bulk action with several requests', () => {
  it('stops between requests when it is cancelled, and reports what it did', async () => {
    const ids = Array.from({ length: 2500 }, (_, nth) => `id-${nth}`);
    const selected = { all: false, except: new Set(), memories: new Map(ids.map((id) => [id, { id }])) } as unknown as Selection;
    const targets = targetsOf(selected, NO_FILTER, { signal });
    const { matches, apply } = await previewTagging(targets, { add: ['sea'], remove: [] }, signal);
    expect(matches).toBe(2500);
    const closing = new AbortController();
    asked = [];
    meanwhile = () => {
      if (asked.length === 2) closing.abort();
    };
    const { count, refused } = await apply(closing.signal);
    expect([count, refused, asked.length]).toEqual([2000, undefined, 2]);
  });
});
