import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Address } from '../address.ts';
import { ApiError, list, search, type Scope } from '../api/client.ts';
import type { Hit, Memory } from '../api/forms.ts';

const FIRST_HITS = 25;
const ALL_HITS = 100;
const FIRST_PAGE = 30;
const FURTHER_PAGES = 100;

/** What the current question has brought so far. The previous answer stays in view until the next one is there. */
export interface Results {
  readonly loading: boolean;
  readonly hits: readonly Hit[];
  /** How many there are in all; undefined for a search, which has no end. */
  readonly total: number | undefined;
  /** What these hits answer; empty for the newest. */
  readonly query: string;
  /** Milliseconds from question to answer, as seen here. */
  readonly tookMs: number;
  readonly error: ApiError | undefined;
  readonly hasMore: boolean;
}

/** Results, and the question that they answer. */
interface Answer extends Results {
  readonly of: string;
}

const NOTHING: Answer = { of: '', loading: true, hits: [], total: undefined, query: '', tookMs: 0, error: undefined, hasMore: false };

type Question = Pick<Address, 'q' | 'mode' | 'ns' | 'tags' | 'explain'>;
/** How much is wanted of a question, and which question that was said of. */
interface Wish {
  readonly of: string;
  readonly steps: number;
}

/** Every page again, not only the next: what was saved or forgotten meanwhile would shift the pages against each other. */
async function newest(scope: Scope, steps: number, signal: AbortSignal): Promise<{ entries: readonly Memory[]; total: number }> {
  const limit = steps === 1 ? FIRST_PAGE : FURTHER_PAGES;
  const entries: Memory[] = [];
  for (let page = 0; ; page++) {
    const answer = await list({ ...scope, limit, offset: entries.length }, signal);
    entries.push(...answer.entries);
    if (page + 2 >= steps || answer.count === 0 || entries.length >= answer.total) return { entries, total: answer.total };
  }
}

async function ask(question: Question, steps: number, signal: AbortSignal): Promise<Pick<Results, 'hits' | 'total' | 'query' | 'hasMore'>> {
  const scope = { namespace: question.ns, tags: question.tags };
  const query = question.q.trim();
  if (query === '') {
    const { entries, total } = await newest(scope, steps, signal);
    return { hits: entries.map((entry) => ({ entry })), total, query, hasMore: entries.length < total };
  }
  const limit = steps > 1 ? ALL_HITS : FIRST_HITS;
  const { results } = await search({ ...scope, query, mode: question.mode, limit, explain: question.explain }, signal);
  return { hits: results, total: undefined, query, hasMore: limit < ALL_HITS && results.length === limit };
}

/**
 * Runs the question whenever it or `version` changes; an answer that comes too late is dropped with its request. `more` asks for the next
 * ones, `again` repeats the question.
 */
export function useResults(question: Question, version: number): Results & { more: () => void; again: () => void } {
  const { q, mode, ns, tags, explain } = question;
  const asked = q.trim() === '' ? [] : [q.trim(), mode, explain];
  const identity = JSON.stringify([asked, ns, tags]);
  const [wish, setWish] = useState<Wish>({ of: identity, steps: 1 });
  const [attempt, setAttempt] = useState(0);
  const [results, setResults] = useState(NOTHING);
  const steps = wish.of === identity ? wish.steps : 1;

  useEffect(() => {
    const leaving = new AbortController();
    const started = performance.now();
    setResults((before) => ({ ...before, loading: true }));
    ask(question, steps, leaving.signal).then(
      (answer) => setResults({ ...answer, of: identity, loading: false, tookMs: performance.now() - started, error: undefined }),
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
    }),
    [results, identity, steps],
  );
}
