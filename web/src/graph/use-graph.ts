import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { graph, type GraphAnswer, type GraphWish } from '../api/graph.ts';
import { networkOf, type Network } from './network.ts';

interface LoadedGraph {
  /** The last loaded graph; undefined before the first. */
  readonly network: Network | undefined;
  /** The request of the graph: another scope is another picture, not a change of the same one. */
  readonly scope: string;
  readonly error: ApiError | undefined;
  /** Whether only the error can be shown. A short outage does not remove the picture. */
  readonly failed: boolean;
  readonly again: () => void;
}

const sameAnswer = (a: GraphAnswer | undefined, b: GraphAnswer): boolean => a !== undefined && JSON.stringify(a) === JSON.stringify(b);

/** Loads the graph when the request or `version` changes. The old graph stays until the new one is loaded. */
export function useGraph({ namespace, seed, depth, limit }: GraphWish, version: number): LoadedGraph {
  const scope = JSON.stringify(seed === '' ? [namespace] : [seed, depth]);
  const [loaded, setLoaded] = useState<{ network: Network; scope: string }>();
  const [failure, setFailure] = useState<{ error: ApiError; scope: string }>();
  const [attempt, setAttempt] = useState(0);
  const last = useRef<{ answer: GraphAnswer; scope: string }>(undefined);
  useEffect(() => {
    const leaving = new AbortController();
    graph({ namespace, seed, depth, limit }, leaving.signal).then(
      (answer) => {
        setFailure(undefined);
        // An unchanged graph must not move.
        if (last.current?.scope === scope && sameAnswer(last.current.answer, answer)) return;
        last.current = { answer, scope };
        setLoaded({ network: networkOf(answer), scope });
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setFailure({ error, scope });
      },
    );
    return () => leaving.abort();
  }, [scope, limit, version, attempt]);
  // An error of another request does not apply to this one.
  const error = failure?.scope === scope ? failure.error : undefined;
  return {
    network: loaded?.network,
    scope: loaded?.scope ?? '',
    error,
    failed: error !== undefined && !(error.offline && loaded?.scope === scope),
    again: () => setAttempt((before) => before + 1),
  };
}
