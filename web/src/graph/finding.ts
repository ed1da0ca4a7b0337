import type { Network, Shown } from './network.ts';

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The visible nodes whose label, tags or id contain every word, most important first; undefined without words. */
export function findIn({ nodes, ranked }: Network, shown: Shown, words: string): readonly number[] | undefined {
  const wanted = folded(words)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (wanted.length === 0) return undefined;
  return ranked.filter((place) => {
    const node = nodes[place];
    if (node === undefined || shown.nodes[place] !== 1) return false;
    const text = folded([node.label, node.id, ...node.tags].join('\n'));
    return wanted.every((word) => text.includes(word));
  });
}

/** A mask: 1 for each of these node indexes. */
export function flagsOf(places: readonly number[], size: number): Uint8Array {
  const flags = new Uint8Array(size);
  for (const place of places) flags[place] = 1;
  return flags;
}
