import { useEffect, useState } from 'preact/hooks';

/** Shorter waits need no loading indicator. */
const PATIENCE_MS = 300;

/** Whether something has lasted longer than this. */
export function useDelayed(going = true): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!going) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [going]);
  return late;
}
