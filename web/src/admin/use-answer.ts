import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { keyring } from '../api/keyring.ts';
import { useServer } from '../shell/server.tsx';

interface Answered<T> {
  /** Stays while the next one is loaded. */
  readonly answer: T | undefined;
  readonly error: ApiError | undefined;
  readonly again: () => void;
}

interface AnswerOptions {
  /** Loads anew whenever it is another. */
  readonly about?: string;
  /** Whether it loads anew, quietly, whenever something was changed in the store. Default true. */
  readonly follows?: boolean;
}

/** What the server answers to `load`; asked again with every other key. */
export function useAnswer<T>(load: (signal: AbortSignal) => Promise<T>, { about = '', follows = true }: AnswerOptions = {}): Answered<T> {
  const { version } = useServer();
  const [answer, setAnswer] = useState<T>();
  const [error, setError] = useState<ApiError>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    load(leaving.signal).then(
      (given) => {
        setAnswer(() => given);
        setError(undefined);
      },
      (failure: unknown) => {
        if (leaving.signal.aborted) return;
        if (!(failure instanceof ApiError)) throw failure;
        setError(failure);
      },
    );
    return () => leaving.abort();
  }, [follows ? version : 0, attempt, about, keyring.key]);
  return { answer, error, again: () => setAttempt((before) => before + 1) };
}
