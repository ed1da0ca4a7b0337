import { useLate } from '../parts/use-late.ts';
import { texts } from '../texts.ts';

const CARDS = ['c8', 'c4', 'c8', 'c4'] as const;

/** A skeleton of the statistics; nothing for the first moment. */
export function StatsSkeleton() {
  const late = useLate();
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
