import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { filterOf, type Address, type Filter } from '../address.ts';
import { ApiError, search } from '../api/client.ts';
import type { Hit } from '../api/responses.ts';
import { useScope, useServer } from '../shell/server.tsx';
import { isRelevant } from './weak-hits.ts';
const FIRST_HITS = 25;
const PAGE = 100;
/** After this time without typing, the total and the first page are loaded. */
const SETTLED_MS = 700;

/** The results of the current query. The previous results stay visible until they are loaded. */
export interface Results {
  readonly loading: boolean;
  readonly hits: readonly Hit[];
  /** New hits that wait to be shown, because they would move the visible ones. */
  readonly fresh: number;
  /** Total number of results; undefined while unknown. */
  readonly total: number | undefined;
  /** Number of memories with a word of the query; undefined if unknown. */
  readonly matches: number | undefined;
  /** The query of these hits; empty without a query or before the first response. */
  readonly query: string;
  /** Milliseconds from request to response, measured here. */
  readonly tookMs: number;
  readonly error: ApiError | undefined;
  readonly hasMore: boolean;
  /** Matching archived memories, if these hits are weak. */
  readonly archivedMatches: number;
}

/** Results with the query that they belong to. */
interface Answer extends Results {
  readonly of: string;
  /** Number of loaded pages; 0 for the quick first hits. */
  readonly pages: number;
  /** Ids that were shown for this query. */
  readonly seen: ReadonlySet<string>;
  /** The hits including the new ones in their order. */
  readonly whole: readonly Hit[];
}

const NOTHING: Answer = {
  of: '',
  pages: 0,
  loading: true,
  hits: [],
  fresh: 0,
  total: undefined,
  matches: undefined,
  query: '',
  tookMs: 0,
  error: undefined,
  hasMore: false,
  archivedMatches: 0,
  seen: new Set(),
  whole: [],
};

const idsOf = (hits: readonly Hit[]): string[] => hits.map(({ entry }) => entry.id);

/** Merges a response. For the same query no visible hit moves. */
function follow(before: Answer, next: Omit<Answer, 'fresh' | 'seen' | 'whole'>): Answer {
  const isSame = before.of === next.of && before.error === undefined;
  const { hits, fresh } = !isSame
    ? { hits: next.hits, fresh: 0 }
    : before.pages === next.pages
      ? withoutJump(before.hits, next, before.seen)
      : { hits: deeper(before.hits, next), fresh: 0 };
  // The time of the response that the user waited for.
  const tookMs = isSame && before.pages !== next.pages ? before.tookMs : next.tookMs;
  // Pages have no archive count.
  const { archivedMatches } = isSame && next.pages > 0 ? before : next;
  return {
    ...next,
    hits,
    fresh,
    tookMs,
    archivedMatches,
    seen: new Set([...(isSame ? before.seen : []), ...idsOf(hits)]),
    whole: next.hits,
  };
}

/** Shows the new hits in their order. */
const unfolded = (answer: Answer): Answer => ({
  ...answer,
  hits: answer.whole,
  fresh: 0,
  seen: new Set([...answer.seen, ...idsOf(answer.whole)]),
});

/** Whether the server counts it in `matches`. */
const isMatch = ({ archived, explanation }: Hit): boolean =>
  archived === undefined && (explanation?.keyword?.terms.some(({ kind }) => kind !== 'related' && kind !== 'category') ?? false);

type Question = Pick<Address, 'q' | 'mode' | 'archived'> & { readonly filter: Filter };
type Asked = Pick<Results, 'hits' | 'total' | 'matches' | 'query' | 'hasMore' | 'archivedMatches'>;

/** Loads the first hits quickly, or a number of whole pages. Every page is loaded again, because changes of the store would shift pages against each other. */
async function ask({ q, ...question }: Question, pages: number, signal: AbortSignal): Promise<Asked> {
  const query = q.trim();
  const request = { ...question, query, explain: true };
  if (pages === 0) {
    const { results, archivedMatches = 0 } = await search({ ...request, limit: FIRST_HITS }, signal);
    const hasMore = results.length === FIRST_HITS;
    const known = hasMore ? undefined : { total: results.length, matches: results.filter(isMatch).length };
    return { hits: results, total: known?.total, matches: known?.matches, query, hasMore, archivedMatches };
  }
  const offsets = Array.from({ length: pages }, (_, nth) => nth * PAGE);
  const answers = await Promise.all(offsets.map((offset) => search({ ...request, limit: PAGE, offset }, signal)));
  const { total = 0, matches } = answers[0]!;
  return { hits: answers.flatMap(({ results }) => results), total, matches, query, hasMore: pages * PAGE < total, archivedMatches: 0 };
}

/**
 * Runs the query whenever it or the store changes, and aborts outdated requests. `more` loads the next page, `again` repeats the query,
 * `showFresh` shows new hits.
 */
export function useResults(address: Address): Results & { more: () => void; again: () => void; showFresh: () => void } {
  const { q, mode, archived } = address;
  const { version, lost } = useServer();
  const filter = useScope(filterOf(address));
  const identity = q.trim() === '' ? '' : JSON.stringify([q.trim(), mode, archived, filter]);
  const [wanted, setWanted] = useState({ of: identity, pages: 0 });
  const [attempt, setAttempt] = useState(0);
  const [results, setResults] = useState(NOTHING);
  const pages = wanted.of === identity ? wanted.pages : 0;
  const goOn = (): void => setWanted({ of: identity, pages: pages + 1 });

  // Not in an effect after painting: the request would leave one or two frames after the key.
  useLayoutEffect(() => {
    if (identity === '') return setResults(NOTHING);
    if (filter === undefined) return;
    const leaving = new AbortController();
    const started = performance.now();
    setResults((before) => ({ ...before, loading: true }));
    ask({ q, mode, archived, filter }, pages, leaving.signal).then(
      (answer) => {
        const next = { ...answer, of: identity, pages, loading: false, tookMs: performance.now() - started, error: undefined };
        setResults((before) => follow(before, next));
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setResults((before) => ({ ...before, of: identity, loading: false, error }));
        if (error.offline) lost();
      },
    );
    return () => leaving.abort();
  }, [identity, pages, version, attempt]);
  const isWaiting = results.loading || results.of !== identity;
  const isFirst = pages === 0 && results.hasMore && !isWaiting && results.hits.some(isRelevant);
  useEffect(() => {
    if (!isFirst) return;
    const timer = setTimeout(goOn, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [isFirst, identity]);

  return useMemo(
    () => ({
      ...results,
      loading: isWaiting,
      more: goOn,
      again: () => setAttempt((before) => before + 1),
      showFresh: () => setResults(unfolded),
    }),
    [results, identity, pages],
  );
}

/** The visible part of the results, and whether there are more. */
interface Part {
  readonly hits: readonly Hit[];
  readonly hasMore: boolean;
}

/** A response with more candidates may order the same hits differently: visible ones stay in place. */
function deeper(shown: readonly Hit[], { hits, hasMore }: Part): readonly Hit[] {
  const now = new Map(hits.map((hit) => [hit.entry.id, hit]));
  const before = new Set(shown.map(({ entry }) => entry.id));
  // A hit missing from the loaded pages is on a later page.
  const kept = shown.flatMap((hit) => now.get(hit.entry.id) ?? (hasMore ? hit : []));
  return [...kept, ...hits.filter(({ entry }) => !before.has(entry.id))];
}

interface DebounceOptions {
  readonly hits: readonly Hit[];
  /** Hits that are not shown yet: they would push down what the user reads. */
  readonly fresh: number;
}

/**
 * The part of a newer response to the same query that can be shown without moving visible hits: the visible hits in their current state without
 * removed ones, and hits below them. `seen`: ids that were shown before, which may return to their position.
 */
function withoutJump(shown: readonly Hit[], { hits, hasMore }: Part, seen: ReadonlySet<string>): DebounceOptions {
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
