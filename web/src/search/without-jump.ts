import type { Hit } from '../api/forms.ts';

/** The visible part of the results, and whether there are more. */
interface Part {
  readonly hits: readonly Hit[];
  readonly hasMore: boolean;
}

/** A response with more candidates may order the same hits differently: visible ones stay in place. */
export function deeper(shown: readonly Hit[], { hits, hasMore }: Part): readonly Hit[] {
  const now = new Map(hits.map((hit) => [hit.entry.id, hit]));
  const before = new Set(shown.map(({ entry }) => entry.id));
  // A hit missing from the loaded pages is on a later page.
  const kept = shown.flatMap((hit) => now.get(hit.entry.id) ?? (hasMore ? hit : []));
  return [...kept, ...hits.filter(({ entry }) => !before.has(entry.id))];
}

interface Calm {
  readonly hits: readonly Hit[];
  /** Hits that are not shown yet: they would push down what the user reads. */
  readonly fresh: number;
}

/**
 * The part of a newer response to the same query that can be shown without moving visible hits: the visible hits in their current state without
 * removed ones, and hits below them. `seen`: ids that were shown before, which may return to their position.
 */
export function withoutJump(shown: readonly Hit[], { hits, hasMore }: Part, seen: ReadonlySet<string>): Calm {
  const before = new Set(shown.map(({ entry }) => entry.id));
  const lastShown = hits.findLastIndex(({ entry }) => before.has(entry.id));
  const above = hits.slice(0, lastShown + 1);
  const fresh = above.filter(({ entry }) => !seen.has(entry.id)).length;
  if (fresh === 0) return { hits, fresh };
  const now = new Map(hits.map((hit) => [hit.entry.id, hit]));
  const last = hits.at(-1);
  // A limited response says nothing about hits below its end.
  const isBeyond = ({ score = 0 }: Hit): boolean => hasMore && last !== undefined && score <= (last.score ?? 0);
  const kept = shown.flatMap((hit) => now.get(hit.entry.id) ?? (isBeyond(hit) ? hit : []));
  return { hits: [...kept, ...hits.slice(lastShown + 1)], fresh };
}
