import { afterEach, describe, expect, it, vi } from 'vitest';
import { Layout, type LayoutTask } from '../../web/src/graph/layout.ts';
import type { LayoutUpdate, LayoutCommand } from '../../web/src/graph/layout-worker.ts';

const NODES = 300;

function task(change: Partial<LayoutTask> = {}): LayoutTask {
  const ends = Array.from({ length: 2 * NODES }, (_, at) => (at % 2 === 0 ? at / 2 : ((at - 1) / 2 + 1 + (at % 7)) % NODES));
  return {
    seeds: Uint32Array.from({ length: NODES }, (_, at) => (at * 2_654_435_761) >>> 0),
    radii: new Float32Array(NODES).fill(6),
    cluster: Uint16Array.from({ length: NODES }, (_, at) => Math.floor(at / 100)),
    ends: Uint32Array.from(ends),
    strengths: new Float32Array(NODES).fill(0.7),
    start: new Float32Array(),
    pinned: new Uint32Array(),
    wide: true,
    ...change,
  };
}

/** Where everything comes to rest, and after how many steps. */
function settled(layout: Layout): { positions: Float32Array; steps: number } {
  let steps = 1;
  while (!layout.step()) steps += 1;
  return { positions: layout.positions(), steps };
}

const middle = (positions: Float32Array, from: number, to: number): [number, number] => {
  let [x, y] = [0, 0];
  for (let at = from; at < to; at += 1) {
    x += (positions[at * 2] ?? 0) / (to - from);
    y += (positions[at * 2 + 1] ?? 0) / (to - from);
  }
  return [x, y];
};

describe('a layout', () => {
  it('ends in a deterministic result', () => {
    const first = settled(new Layout(task()));
    expect(first.steps).toBeLessThan(400);
    expect(first.positions.every(Number.isFinite)).toBe(true);
    expect(settled(new Layout(task())).positions).toEqual(first.positions);
  });

  it('gives each namespace its own area', () => {
    const { positions } = settled(new Layout(task()));
    const [a, b, c] = [middle(positions, 0, 100), middle(positions, 100, 200), middle(positions, 200, 300)];
    for (const [one, other] of [
      [a, b],
      [b, c],
      [a, c],
    ] as const)
      expect(Math.hypot(one[0] - other[0], one[1] - other[1])).toBeGreaterThan(150);
  });

  it('starts from known positions', () => {
    const { positions } = settled(new Layout(task()));
    const again = settled(new Layout(task({ start: positions })));
    const moved = positions.map((value, at) => Math.abs(value - (again.positions[at] ?? 0)));
    expect(moved.toSorted()[Math.floor(moved.length / 2)]).toBeLessThan(40);
  });

  it('keeps a dragged node in place until it is released', () => {
    const layout = new Layout(task());
    settled(layout);
    layout.hold(5, 2000, 1000);
    expect(settled(layout).positions.slice(10, 12)).toEqual(new Float32Array([2000, 1000]));
    layout.free(5);
    expect(settled(layout).positions[10]).not.toBe(2000);
  });

  it('keeps pinned nodes while others move', () => {
    const { positions } = settled(new Layout(task()));
    positions.set([2000, 1000], 10);
    const again = settled(new Layout(task({ start: positions, pinned: new Uint32Array([5]) }))).positions;
    expect(again.slice(10, 12)).toEqual(new Float32Array([2000, 1000]));
    expect(again[14]).not.toBe(positions[14]);
  });

  it('handles one memory and none', () => {
    const none = {
      seeds: new Uint32Array(),
      radii: new Float32Array(),
      cluster: new Uint16Array(),
      ends: new Uint32Array(),
      strengths: new Float32Array(),
    };
    expect(settled(new Layout(task(none))).positions).toHaveLength(0);
    const one = { ...none, seeds: new Uint32Array(1), radii: new Float32Array(1), cluster: new Uint16Array(1) };
    expect(settled(new Layout(task(one))).positions.every(Number.isFinite)).toBe(true);
  });
});

describe('the worker that lays out', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('reports only the end of a first layout, and each step while dragging', async () => {
    const news: LayoutUpdate[] = [];
    let heard: ((event: { readonly data: LayoutCommand }) => void) | undefined;
    vi.stubGlobal('addEventListener', (_: string, listener: typeof heard) => (heard = listener));
    vi.stubGlobal('postMessage', (told: LayoutUpdate) => news.push(told));
    await import('../../web/src/graph/layout-worker.ts');
    const rest = async (): Promise<number> => {
      const before = news.length;
      await expect.poll(() => news.length > before && news.at(-1)?.done, { timeout: 20_000 }).toBe(true);
      return news.length - before;
    };
    heard?.({ data: { kind: 'begin', number: 7, task: many(), quiet: true } });
    expect(await rest()).toBe(1);
    heard?.({ data: { kind: 'hold', place: 5, x: 900, y: 900 } });
    expect(await rest()).toBeGreaterThan(1);
    expect(new Set(news.map(({ number }) => number))).toEqual(new Set([7]));
  });
});

/** As many as cannot come to rest between two frames. */
function many(): LayoutTask {
  const nodes = 1500;
  return task({
    seeds: Uint32Array.from({ length: nodes }, (_, at) => (at * 2_654_435_761) >>> 0),
    radii: new Float32Array(nodes).fill(6),
    cluster: new Uint16Array(nodes),
    start: new Float32Array(2 * nodes).map((_, at) => (at * 7919) % 3001),
  });
}
