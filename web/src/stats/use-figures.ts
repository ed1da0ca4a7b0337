import { useEffect, useRef, useState } from 'preact/hooks';
import { useAddress } from '../address.ts';
import { ApiError } from '../api/client.ts';
import { figures, type Figures, type GrowthRange } from '../api/statistics.ts';
import { useServer } from '../shell/server.tsx';

const REFRESH_MS = 10_000;
/** At least so long between two answers, however much is saved meanwhile. */
const PAUSE_MS = 1_000;

interface Asked {
  readonly namespace: string;
  readonly range: GrowthRange | '';
}

interface LoadedFigures extends Asked {
  readonly figures: Figures;
}

interface ShownFigures {
  /** What came last, whatever it was asked about. */
  readonly loaded: LoadedFigures | undefined;
  /** Stays until the new ones are there; undefined where those that are asked for now cannot be had. */
  readonly shown: LoadedFigures | undefined;
  readonly error: ApiError | undefined;
  readonly again: () => void;
}

const isSame = (one: Asked | undefined, other: Asked): boolean => one?.namespace === other.namespace && one.range === other.range;

/** The figures, asked for anew every few seconds while they are looked at. */
export function useFigures(): ShownFigures {
  const { version } = useServer();
  const { range, ns } = useAddress();
  const asked = { namespace: ns, range };
  const [loaded, setLoaded] = useState<LoadedFigures>();
  const [failed, setFailed] = useState<Asked & { readonly error: ApiError }>();
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
      figures(asked, { background, signal: leaving.signal })
        .then(
          (answer) => {
            if (leaving.signal.aborted) return;
            setLoaded({ ...asked, figures: answer });
            setFailed(undefined);
          },
          (failure: unknown) => {
            if (leaving.signal.aborted) return;
            if (!(failure instanceof ApiError)) throw failure;
            setFailed({ ...asked, error: failure });
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
  useWhileLookedAt(() => refresh.current());
  const error = isSame(failed, asked) ? failed?.error : undefined;
  const shown = error === undefined || isSame(loaded, asked) ? loaded : undefined;
  return { loaded, shown, error, again: () => setAttempt((before) => before + 1) };
}

/** Every few seconds, and whenever the tab is shown again. */
function useWhileLookedAt(refresh: () => void): void {
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) refresh();
    };
    const timer = setInterval(look, REFRESH_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
}
