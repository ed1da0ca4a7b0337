import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { keyring } from '../api/keyring.ts';
import { useServer } from '../shell/server.tsx';

export interface Loaded<T> {
  /** Stays while it is loaded anew; undefined as long as nothing came about what is asked for now. */
  readonly value: T | undefined;
  /** What came last, also where that was about something else. */
  readonly last: T | undefined;
  readonly error: ApiError | undefined;
  readonly again: () => void;
}

interface LoadOptions {
  /** What is asked for: where it is another, what was there is no answer to it. */
  readonly about?: string;
  /** Whether it loads anew, quietly, whenever something was changed in the store. Default true. */
  readonly follows?: boolean;
}

/** What the server answers to `load`; asked again with every other key, one request at a time. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, { about = '', follows = true }: LoadOptions = {}): Loaded<T> {
  const { version } = useServer();
  const [loaded, setLoaded] = useState<{ readonly about: string; readonly value: T }>();
  const [failed, setFailed] = useState<{ readonly about: string; readonly error: ApiError }>();
  const [attempt, setAttempt] = useState(0);
  const refresh = useRef<() => void>(() => undefined);
  const seen = useRef(version);
  const asking = useRef(load);
  asking.current = load;

  useEffect(() => {
    const leaving = new AbortController();
    let [isBusy, isStale] = [false, false];
    const rest = (): void => {
      isBusy = false;
      if (isStale && !leaving.signal.aborted) ask();
    };
    // Not begun anew by every change: where changes come faster than answers, none would ever be shown.
    const ask = (): void => {
      isStale = isBusy;
      if (isBusy) return;
      isBusy = true;
      asking
        .current(leaving.signal)
        .then(
          (value) => {
            if (leaving.signal.aborted) return;
            setLoaded({ about, value });
            setFailed(undefined);
          },
          (error: unknown) => {
            if (leaving.signal.aborted) return;
            if (!(error instanceof ApiError)) throw error;
            setFailed({ about, error });
          },
        )
        .finally(rest);
    };
    refresh.current = ask;
    ask();
    return () => leaving.abort();
  }, [attempt, about, keyring.key]);

  useEffect(() => {
    if (follows && seen.current !== version) refresh.current();
    seen.current = version;
  }, [version]);
  return {
    value: loaded?.about === about ? loaded.value : undefined,
    last: loaded?.value,
    error: failed?.about === about ? failed.error : undefined,
    again: () => setAttempt((before) => before + 1),
  };
}
