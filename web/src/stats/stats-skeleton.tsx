import { useEffect, useState } from 'preact/hooks';
import { texts } from '../texts.ts';

const PATIENCE_MS = 300;
const CARDS = ['c8', 'c4', 'c8', 'c4'] as const;

/** The shape of the statistics; nothing at all for the first moment. */
export function StatsSkeleton() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <>
      <p class="sr" role="status">
        {texts.loading}
      </p>
      <div class="tiles tiles--empty" aria-hidden="true" />
      <div class="grid" aria-hidden="true">
        {CARDS.map((span, index) => (
          <div key={index} class={`card card--empty ${span}`} />
        ))}
      </div>
    </>
  );
}
