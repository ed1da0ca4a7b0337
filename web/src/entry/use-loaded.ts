import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { useServer } from '../shell/server.tsx';

export interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: ApiError | undefined;
  readonly again: () => void;
}

/** What a request gives about one memory; loaded anew, with the old kept meanwhile, whenever something changed on the server. */
export function useLoaded<T>(load: (id: string, signal: AbortSignal) => Promise<T>, id: string): Loaded<T> {
  const { version } = useServer();
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly value: T }>();
  const [error, setError] = useState<ApiError>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    load(id, leaving.signal).then(
      (value) => {
        setError(undefined);
        setLoaded({ id, value });
      },
      (failure: unknown) => {
        if (leaving.signal.aborted) return;
        if (!(failure instanceof ApiError)) throw failure;
        setError(failure);
      },
    );
    return () => leaving.abort();
  }, [id, version, attempt]);
  return { value: loaded?.id === id ? loaded.value : undefined, error, again: () => setAttempt((before) => before + 1) };
}
