import { useEffect, useState } from 'preact/hooks';

interface Options<T> {
  /** The text that is typed, and what else the request depends on. */
  readonly of: string;
  readonly pauseMs: number;
  readonly none: T;
}

/** What a request gives when typing pauses; the last result stays until then. `none` without a request and after a failed one, which other parts report. */
export function useSuggested<T>(ask: ((signal: AbortSignal) => Promise<T>) | undefined, { of, pauseMs, none }: Options<T>): T {
  const [found, setFound] = useState(none);
  useEffect(() => {
    if (ask === undefined) return setFound(none);
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      ask(leaving.signal).then(setFound, () => leaving.signal.aborted || setFound(none));
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [of]);
  return found;
}
