import { describe, expect, it, vi } from 'vitest';
import type { Memory } from '../../web/src/api/responses.ts';
import { MemoryPages, PAGE, type LoadPage } from '../../web/src/browse/pages.ts';

const memory = (nth: number): Memory => ({
  id: `id-${nth}`,
  content: `Memory ${nth}`,
  metadata: {
    namespace: 'harbour',
    container: 'harbour',
    tags: [],
    timestamp: '2026-03-01T12:00:00.000Z',
    updatedAt: '2026-03-01T12:00:00.000Z',
    priority: 'normal',
    importance: 0.5,
    source: 'cli',
  },
});
const signal = new AbortController().signal;

/** A store of `held` entries, read by pages that were told of `total`. */
function opened({ held, total }: { held: number; total: number }) {
  const onShift = vi.fn<() => void>();
  const onRows = vi.fn<() => void>();
  const load: LoadPage = (offset) => {
    const count = Math.max(0, Math.min(PAGE, held - offset));
    return Promise.resolve({ count, total: held, offset, entries: Array.from({ length: count }, (_, nth) => memory(offset + nth)) });
  };
  const pages = new MemoryPages({ load, total, onRows, onShift, onFailure: () => undefined }, new Map());
  return { pages, onShift, onRows };
}

describe('a range of a long list', () => {
  it('is loaded if missing, and cached', async () => {
    const { pages, onShift, onRows } = opened({ held: 2.5 * PAGE, total: 2.5 * PAGE });
    const rows = await pages.range([PAGE - 1, 2 * PAGE + 1], signal);
    expect(rows?.map(({ id }) => id)).toEqual(Array.from({ length: PAGE + 2 }, (_, nth) => `id-${PAGE - 1 + nth}`));
    expect(pages.at(2.5 * PAGE - 1)?.id).toBe(`id-${2.5 * PAGE - 1}`);
    expect(onRows).toHaveBeenCalledTimes(3);
    expect(onShift).not.toHaveBeenCalled();
  });

  it('is dropped if the number of entries changed', async () => {
    const { pages, onShift } = opened({ held: 2 * PAGE, total: 2 * PAGE + 1 });
    expect(await pages.range([PAGE - 1, 2 * PAGE + 1], signal)).toBeUndefined();
    expect(onShift).toHaveBeenCalledTimes(1);
    expect(pages.at(0)).toBeUndefined();
  });
});
