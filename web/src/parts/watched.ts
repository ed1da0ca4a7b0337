import { useEffect, useState } from 'preact/hooks';

/** A value outside of components. `use` renders again when it changes. */
export function watched<T>(start: T) {
  let value = start;
  const listeners = new Set<(value: T) => void>();
  return {
    get: (): T => value,
    set: (next: T): void => {
      value = next;
      for (const listener of listeners) listener(next);
    },
    use: (): T => {
      const [shown, show] = useState(value);
      useEffect(() => {
        show(value);
        listeners.add(show);
        return () => void listeners.delete(show);
      }, []);
      return shown;
    },
  };
}
