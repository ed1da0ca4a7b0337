import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { keyring } from '../api/keyring.ts';
import { useServer } from '../shell/server.tsx';

export interface Loaded<T> {
  /** The data, also during a reload; undefined before the first response to the current request. */
  readonly value: T | undefined;
  /** The last data, also of another request; never of another key. */
  readonly last: T | undefined;
  readonly error: ApiError | undefined;
  readonly again: () => void;
}

interface LoadOptions {
  /** The request: data of another request is not shown. */
  readonly about?: string;
  /** Whether it reloads in the background when the store changes. Default true. */
  readonly follows?: boolean;
  /** Minimum time between a response and the next request. Default 0. */
  readonly pauseMs?: number;
  /** Reload interval while the tab is visible; it also reloads when the tab is shown again. Default: never. */
  readonly everyMs?: number;
}

/** `background`: no user waits for the response. */
type Load<T> = (signal: AbortSignal, background: boolean) => Promise<T>;

interface Asked {
  readonly about: string;
  readonly key: string | undefined;
}

const isSame = (one: Asked | undefined, about: string): boolean => one?.about === about && one.key === keyring.key;

/** Loads data from the server; reloads for another `about` or API key, with one request at a time. */
export function useLoaded<T>(load: Load<T>, { about = '', follows = true, pauseMs = 0, everyMs }: LoadOptions = {}): Loaded<T> {
  const { version } = useServer();
  const [loaded, setLoaded] = useState<Asked & { readonly value: T }>();
  const [failed, setFailed] = useState<Asked & { readonly error: ApiError }>();
  const [attempt, setAttempt] = useState(0);
  const refresh = useRef<() => void>(() => undefined);
  const seen = useRef(version);
  const asking = useRef(load);
  asking.current = load;

  useEffect(() => {
    const { ask, stop } = askerOf<T>({
      load: (signal, background) => asking.current(signal, background),
      pauseMs,
      // The key of the response: the user may have entered it during the request.
      onValue: (value) => {
        setLoaded({ about, key: keyring.key, value });
        setFailed(undefined);
      },
      onError: (error) => setFailed({ about, key: keyring.key, error }),
    });
    refresh.current = () => ask(true);
    ask(false);
    return stop;
  }, [attempt, about, keyring.key]);

  useEffect(() => {
    if (follows && seen.current !== version) refresh.current();
    seen.current = version;
  }, [version]);
  useWhileVisible(() => refresh.current(), everyMs);
  return {
    value: isSame(loaded, about) ? loaded?.value : undefined,
    last: loaded?.key === keyring.key ? loaded?.value : undefined,
    error: isSame(failed, about) ? failed?.error : undefined,
    again: () => setAttempt((before) => before + 1),
  };
}

interface AskerOptions<T> {
  readonly load: Load<T>;
  readonly pauseMs: number;
  readonly onValue: (value: T) => void;
  readonly onError: (error: ApiError) => void;
}

/** Runs one request at a time, and one more if asked meanwhile. Silent after it is stopped. */
function askerOf<T>({ load, pauseMs, onValue, onError }: AskerOptions<T>): { ask: (background: boolean) => void; stop: () => void } {
  const leaving = new AbortController();
  const { signal } = leaving;
  let [isBusy, isStale] = [false, false];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = (): void => {
    isBusy = false;
    if (isStale && !signal.aborted) ask(true);
  };
  // A running request is not restarted: if changes come faster than responses, none would ever be shown.
  const ask = (background: boolean): void => {
    isStale = isBusy;
    if (isBusy) return;
    isBusy = true;
    load(signal, background)
      .then(
        (value) => {
          if (!signal.aborted) onValue(value);
        },
        (error: unknown) => {
          if (signal.aborted) return;
          if (!(error instanceof ApiError)) throw error;
          onError(error);
        },
      )
      .finally(() => {
        if (pauseMs === 0) rest();
        else if (!signal.aborted) timer = setTimeout(rest, pauseMs);
      });
  };
  const stop = (): void => {
    leaving.abort();
    clearTimeout(timer);
  };
  return { ask, stop };
}

/** Reloads at an interval while the tab is visible, and when it is shown again; never without `everyMs`. */
function useWhileVisible(refresh: () => void, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return;
    const look = (): void => {
      if (!document.hidden) refresh();
    };
    const timer = setInterval(look, everyMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [everyMs]);
}
