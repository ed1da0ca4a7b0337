import type { Hit } from '../api/forms.ts';

/** So much of an answer, and whether there is more of it. */
interface Part {
  readonly hits: readonly Hit[];
  readonly hasMore: boolean;
}

/** An answer that goes deeper: what is shown stays where it is, for with more candidates a search may order them another way. */
export function deeper(shown: readonly Hit[], { hits, hasMore }: Part): readonly Hit[] {
  const now = new Map(hits.map((hit) => [hit.entry.id, hit]));
  const before = new Set(shown.map(({ entry }) => entry.id));
  // What is on none of the pages that came is on a later one.
  const kept = shown.flatMap((hit) => now.get(hit.entry.id) ?? (hasMore ? hit : []));
  return [...kept, ...hits.filter(({ entry }) => !before.has(entry.id))];
}

interface Calm {
  readonly hits: readonly Hit[];
  /** Hits of the answer that are not shown yet: they would push down what someone reads. */
  readonly fresh: number;
}

/**
 * What may be shown of a newer answer to the same question without anything jumping: what is shown, as it is now, less what is gone, and
 * what comes below it. `seen` are the ids that were shown before, which may come back to their place.
 */
export function withoutJump(shown: readonly Hit[], { hits, hasMore }: Part, seen: ReadonlySet<string>): Calm {
  const before = new Set(shown.map(({ entry }) => entry.id));
  const lastShown = hits.findLastIndex(({ entry }) => before.has(entry.id));
  const above = hits.slice(0, lastShown + 1);
  const fresh = above.filter(({ entry }) => !seen.has(entry.id)).length;
  if (fresh === 0) return { hits, fresh };
  const now = new Map(hits.map((hit) => [hit.entry.id, hit]));
  const last = hits.at(-1);
  // An answer that is cut off says nothing of what ranks below its end.
  const isBeyond = ({ score = 0 }: Hit): boolean => hasMore && last !== undefined && score <= (last.score ?? 0);
  const kept = shown.flatMap((hit) => now.get(hit.entry.id) ?? (isBeyond(hit) ? hit : []));
  return { hits: [...kept, ...hits.slice(lastShown + 1)], fresh };
}
