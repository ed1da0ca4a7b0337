import type { Item } from '../../sources/readers/markdown-note.ts';
import type { Reading } from './format.ts';

/**
 * Items as lines for the import, in order. An invalid item becomes a line that the import refuses, so that it is counted and stops
 * `--strict`.
 */
export function entryLines(items: AsyncIterable<Item>): Reading {
  const places = new Map<number, Item>();
  const lines = async function* (): AsyncGenerator<Uint8Array> {
    let line = 0;
    for await (const item of items) {
      line += 1;
      // Keeps no reference to the entry: there may be millions.
      places.set(line, 'problem' in item ? item : { place: item.place, entry: undefined });
      const value = 'problem' in item ? item.problem : item.entry;
      yield Buffer.from(`${JSON.stringify(value) ?? 'null'}\n`);
    }
  };
  return {
    chunks: lines(),
    total: undefined,
    weigh: () => 1,
    place: (line) => places.get(line)?.place ?? `line ${line}`,
    problem: (line) => {
      const item = places.get(line);
      return item !== undefined && 'problem' in item ? item.problem : undefined;
    },
    settle: ({ line, status, notes }) => {
      if (status !== 'invalid' && notes === undefined) places.delete(line);
    },
  };
}
