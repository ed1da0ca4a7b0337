import { useEffect, useState } from 'preact/hooks';
import type { SaveWish } from '../api/client.ts';
import type { Hit } from '../api/forms.ts';
import { nearTo } from '../api/near.ts';

/** Shorter texts have too little meaning. */
const LEAST_CHARS = 10;
/** Minimum pause, which limits the load on the server. */
const MOST_CHARS = 20_000;
const PAUSE_MS = 400;
const NONE: readonly Hit[] = [];

/** Near duplicates and conflicting memories of the text being written, requested when typing pauses. Old results stay until the next response. */
export function useNear({ content, namespace, global }: SaveWish): readonly Hit[] {
  const [near, setNear] = useState(NONE);
  const text = content.trim();
  const isWorth = text.length >= LEAST_CHARS && text.length <= MOST_CHARS;
  useEffect(() => {
    if (!isWorth) {
      setNear(NONE);
      return;
    }
    const leaving = new AbortController();
    const ask = (): void => {
      nearTo({ content: text, namespace, global }, leaving.signal).then(setNear, () => {
        // Only a hint: connection errors and field errors are shown elsewhere.
        if (!leaving.signal.aborted) setNear(NONE);
      });
    };
    const timer = setTimeout(ask, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text, isWorth, namespace, global]);
  return near;
}
