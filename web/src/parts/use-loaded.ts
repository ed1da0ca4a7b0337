import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { keyring } from '../api/keyring.ts';
import { useServer } from '../shell/server.tsx';

export interface Loaded<T> {
  /** Stays while it is loaded again; undefined as long as nothing came about what is asked for now. */
  readonly value: T | undefined;
  /** What came last, also where that was about something else; never what came for another key. */
  readonly last: T | undefined;
  readonly error: ApiError | undefined;
  readonly again: () => void;
}

interface LoadOptions {
  /** What is asked for: where it is another, what was there is no answer to it. */
  readonly about?: string;
  /** Whether it loads again, quietly, whenever something was changed in the store. Default true. */
  readonly follows?: boolean;
  /** At least so long between an answer and the next request, however much is changed meanwhile. Default 0. */
  readonly pauseMs?: number;
  /** Loads again this often while the tab is looked at, and when it is shown again. Default never. */
  readonly everyMs?: number;
}

/** `background` is true where nobody waits for the answer. */
type Load<T> = (signal: AbortSignal, background: boolean) => Promise<T>;

/** What was asked for, and with which key. */
interface Asked {
  readonly about: string;
  readonly key: string | undefined;
}

const isSame = (one: Asked | undefined, about: string): boolean => one?.about === about && one.key === keyring.key;

/** What the server answers to `load`; asked again with every other `about` and every other API key, one request at a time. */
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
      // The key is the one that it was answered to: on the way there the person may have been asked for it.
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
  useWhileLookedAt(() => refresh.current(), everyMs);
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

/** Asks one thing at a time, and once more where it was to ask meanwhile. Stopped, it says nothing any more. */
function askerOf<T>({ load, pauseMs, onValue, onError }: AskerOptions<T>): { ask: (background: boolean) => void; stop: () => void } {
  const leaving = new AbortController();
  const { signal } = leaving;
  let [isBusy, isStale] = [false, false];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = (): void => {
    isBusy = false;
    if (isStale && !signal.aborted) ask(true);
  };
  // Not begun again by every change: where changes come faster than answers, none would ever be shown.
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

/** Every so often while the tab is looked at, and whenever it is shown again; never without `everyMs`. */
function useWhileLookedAt(refresh: () => void, everyMs: number | undefined): void {
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
