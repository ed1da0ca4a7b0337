import { useEffect, useState } from 'preact/hooks';

/** What comes sooner needs no sign that it is coming. */
const PATIENCE_MS = 300;

/** Whether something has been going on for longer than a person waits without a sign. */
export function useLate(going = true): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!going) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [going]);
  return late;
}
