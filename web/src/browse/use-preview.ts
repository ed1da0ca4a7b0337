import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import type { BulkResult, BulkPreview } from './bulk.ts';

/** Delay while the user types. */
const DEBOUNCE_MS = 250;

export interface PreviewState {
  readonly preview: BulkPreview<BulkResult> | undefined;
  readonly refused: string | undefined;
  readonly again: () => void;
}

type Found = Omit<PreviewState, 'again'>;

/** The preview of an action, reloaded when `key` changes; undefined without a key. Aborted with the dialog. */
export function usePreview(key: string, load: ((signal: AbortSignal) => Promise<BulkPreview<BulkResult>>) | undefined): PreviewState {
  const [found, setFound] = useState<Found & { of: string }>({ of: '', preview: undefined, refused: undefined });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (load === undefined) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      load(leaving.signal).then(
        (preview) => {
          if (!leaving.signal.aborted) setFound({ of: key, preview, refused: undefined });
        },
        (error: unknown) => {
          if (leaving.signal.aborted) return;
          if (!(error instanceof ApiError)) throw error;
          setFound({ of: key, preview: undefined, refused: error.message });
        },
      );
    }, DEBOUNCE_MS);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [key, attempt]);
  const again = (): void => setAttempt((number) => number + 1);
  const { preview, refused } = found.of === key && load !== undefined ? found : { preview: undefined, refused: undefined };
  return { preview, refused, again };
}
