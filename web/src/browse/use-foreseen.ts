import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import type { Done, Foreseen } from './bulk.ts';

const CALM_MS = 250;

export interface Foresight {
  readonly foreseen: Foreseen<Done> | undefined;
  readonly refused: string | undefined;
  readonly again: () => void;
}

type Found = Omit<Foresight, 'again'>;

/** The preview of an action, reloaded when `wish` changes; undefined without a wish. Aborted with the dialog. */
export function useForeseen(wish: string, foresee: ((signal: AbortSignal) => Promise<Foreseen<Done>>) | undefined): Foresight {
  const [found, setFound] = useState<Found & { of: string }>({ of: '', foreseen: undefined, refused: undefined });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (foresee === undefined) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      foresee(leaving.signal).then(
        (foreseen) => {
          if (!leaving.signal.aborted) setFound({ of: wish, foreseen, refused: undefined });
        },
        (error: unknown) => {
          if (leaving.signal.aborted) return;
          if (!(error instanceof ApiError)) throw error;
          setFound({ of: wish, foreseen: undefined, refused: error.message });
        },
      );
    }, CALM_MS);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [wish, attempt]);
  const again = (): void => setAttempt((number) => number + 1);
  const { foreseen, refused } = found.of === wish && foresee !== undefined ? found : { foreseen: undefined, refused: undefined };
  return { foreseen, refused, again };
}
