import { useEffect, useState } from 'preact/hooks';
import type { SaveWish } from '../api/client.ts';
import type { Hit } from '../api/forms.ts';
import { nearTo } from '../api/near.ts';

/** A shorter text says little yet. */
const LEAST_CHARS = 10;
/** More would keep the server busy with every pause. */
const MOST_CHARS = 20_000;
const PAUSE_MS = 400;
const NONE: readonly Hit[] = [];

/** The memories that say nearly the same as what is being written, or something else of its subject; asked for when the writer pauses. What was found stays until the next answer. */
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
        // A hint, and nothing else: whether the server can be reached is said elsewhere, and what is wrong with a field when it is saved.
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
