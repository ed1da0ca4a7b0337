import { useEffect, useMemo, useState } from 'preact/hooks';
import { filterOf, type Address, type Filter } from '../address.ts';
import { ApiError, list, search } from '../api/client.ts';
import type { Hit, Memory } from '../api/forms.ts';
import { useScope } from '../shell/server.tsx';
import { deeper, withoutJump } from './without-jump.ts';

const FIRST_HITS = 25;
const ALL_HITS = 100;
const FIRST_PAGE = 30;
const FURTHER_PAGES = 100;

/** What the current question has brought so far. The previous answer stays in view until the next one is there. */
export interface Results {
  readonly loading: boolean;
  readonly hits: readonly Hit[];
  /** Hits that came since and wait to be shown: they would move what is read. */
  readonly fresh: number;
  /** How many there are in all; undefined for a search, which has no end. */
  readonly total: number | undefined;
  /** What these hits answer; empty for the newest. */
  readonly query: string;
  /** Milliseconds from question to answer, as seen here. */
  readonly tookMs: number;
  readonly error: ApiError | undefined;
  readonly hasMore: boolean;
  /** Whether a search ends at the most that it gives: more may match. */
  readonly isCut: boolean;
  /** Archived memories that match, where these hits are weak. */
  readonly archivedMatches: number;
}

/** Results, and the question that they answer. */
interface Answer extends Results {
  readonly of: string;
  /** How often more of it was asked for, and once. */
  readonly steps: number;
  /** Ids that were shown of it. */
  readonly seen: ReadonlySet<string>;
  /** The hits with the fresh ones in their places. */
  readonly whole: readonly Hit[];
}

const NOTHING: Answer = {
  of: '',
  steps: 1,
  loading: true,
  hits: [],
  fresh: 0,
  total: undefined,
  query: '',
  tookMs: 0,
  error: undefined,
  hasMore: false,
  isCut: false,
  archivedMatches: 0,
  seen: new Set(),
  whole: [],
};

const idsOf = (hits: readonly Hit[]): string[] => hits.map(({ entry }) => entry.id);

/** The next answer: where it is to the same question, nothing that is shown is moved by it. */
function follow(before: Answer, next: Omit<Answer, 'fresh' | 'seen' | 'whole'>): Answer {
  const isSame = before.of === next.of && before.error === undefined;
  const { hits, fresh } = !isSame
    ? { hits: next.hits, fresh: 0 }
    : before.steps === next.steps
      ? withoutJump(before.hits, next, before.seen)
      : { hits: deeper(before.hits, next.hits), fresh: 0 };
  return { ...next, hits, fresh, seen: new Set([...(isSame ? before.seen : []), ...idsOf(hits)]), whole: next.hits };
}

/** With the fresh hits in their places. */
const unfolded = (answer: Answer): Answer => ({
  ...answer,
  hits: answer.whole,
  fresh: 0,
  seen: new Set([...answer.seen, ...idsOf(answer.whole)]),
});

type Question = Pick<Address, 'q' | 'mode' | 'archived'> & { readonly filter: Filter };
/** How much is wanted of a question, and which question that was said of. */
interface Wish {
  readonly of: string;
  readonly steps: number;
}

/** Every page again, not only the next: what was saved or forgotten meanwhile would shift the pages against each other. */
async function newest(filter: Filter, steps: number, signal: AbortSignal): Promise<{ entries: readonly Memory[]; total: number }> {
  const limit = steps === 1 ? FIRST_PAGE : FURTHER_PAGES;
  const entries: Memory[] = [];
  for (let page = 0; ; page++) {
    const answer = await list({ filter, limit, offset: entries.length }, signal);
    entries.push(...answer.entries);
    if (page + 2 >= steps || answer.count === 0 || entries.length >= answer.total) return { entries, total: answer.total };
  }
}

type Asked = Pick<Results, 'hits' | 'total' | 'query' | 'hasMore' | 'isCut' | 'archivedMatches'>;

async function ask(question: Question, steps: number, signal: AbortSignal): Promise<Asked> {
  const { mode, filter, archived } = question;
  const query = question.q.trim();
  if (query === '') {
    const { entries, total } = await newest(filter, steps, signal);
    return { hits: entries.map((entry) => ({ entry })), total, query, hasMore: entries.length < total, isCut: false, archivedMatches: 0 };
  }
  const limit = steps > 1 ? ALL_HITS : FIRST_HITS;
  const { results, archivedMatches = 0 } = await search({ query, mode, limit, filter, archived, explain: true }, signal);
  const isCut = results.length === limit;
  return { hits: results, total: undefined, query, hasMore: isCut && limit < ALL_HITS, isCut, archivedMatches };
}

/**
 * Runs the question whenever it or `version` changes; an answer that comes too late is dropped with its request. `more` asks for the next
 * ones, `again` repeats the question, `showFresh` puts into the list what came since.
 */
export function useResults(address: Address, version: number): Results & { more: () => void; again: () => void; showFresh: () => void } {
  const { q, mode, archived } = address;
  const filter = useScope(filterOf(address));
  const asked = q.trim() === '' ? [] : [q.trim(), mode, archived];
  const identity = JSON.stringify([asked, filter]);
  const [wish, setWish] = useState<Wish>({ of: identity, steps: 1 });
  const [attempt, setAttempt] = useState(0);
  const [results, setResults] = useState(NOTHING);
  const steps = wish.of === identity ? wish.steps : 1;

  useEffect(() => {
    if (filter === undefined) return;
    const leaving = new AbortController();
    const started = performance.now();
    setResults((before) => ({ ...before, loading: true }));
    ask({ q, mode, archived, filter }, steps, leaving.signal).then(
      (answer) => {
        const next = { ...answer, of: identity, steps, loading: false, tookMs: performance.now() - started, error: undefined };
        setResults((before) => follow(before, next));
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setResults((before) => ({ ...before, of: identity, loading: false, error }));
      },
    );
    return () => leaving.abort();
  }, [identity, steps, version, attempt]);

  return useMemo(
    () => ({
      ...results,
      loading: results.loading || results.of !== identity,
      more: () => setWish({ of: identity, steps: steps + 1 }),
      again: () => setAttempt((before) => before + 1),
      showFresh: () => setResults(unfolded),
    }),
    [results, identity, steps],
  );
}
