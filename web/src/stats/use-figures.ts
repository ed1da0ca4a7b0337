import { useEffect, useRef, useState } from 'preact/hooks';
import { useAddress } from '../address.ts';
import { ApiError } from '../api/client.ts';
import { figures, type Figures } from '../api/statistics.ts';
import { useServer } from '../shell/server.tsx';

const REFRESH_MS = 10_000;
/** At least so long between two answers, however much is saved meanwhile. */
const PAUSE_MS = 1_000;

/** The figures, asked for anew every few seconds while they are looked at. What is shown stays until the new ones are there. */
export function useFigures() {
  const { version } = useServer();
  const { range, ns } = useAddress();
  const [loaded, setLoaded] = useState<Figures>();
  const [error, setError] = useState<ApiError>();
  const [attempt, setAttempt] = useState(0);
  const refresh = useRef<() => void>(() => undefined);
  const seen = useRef(version);

  useEffect(() => {
    const leaving = new AbortController();
    let [isBusy, isStale] = [false, false];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = (): void => {
      isBusy = false;
      if (isStale) load(true);
    };
    const load = (background: boolean): void => {
      isStale = isBusy;
      if (isBusy) return;
      isBusy = true;
      figures({ range, namespace: ns }, { background, signal: leaving.signal })
        .then(
          (answer) => {
            setLoaded(answer);
            setError(undefined);
          },
          (failure: unknown) => {
            if (leaving.signal.aborted) return;
            if (!(failure instanceof ApiError)) throw failure;
            setError(failure);
          },
        )
        .finally(() => {
          if (!leaving.signal.aborted) timer = setTimeout(rest, PAUSE_MS);
        });
    };
    refresh.current = () => load(true);
    load(false);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [range, ns, attempt]);

  useEffect(() => {
    if (seen.current !== version) refresh.current();
    seen.current = version;
  }, [version]);

  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) refresh.current();
    };
    const timer = setInterval(look, REFRESH_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return { loaded, error, again: () => setAttempt((before) => before + 1) };
}
