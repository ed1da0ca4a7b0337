import type { ComponentChildren } from 'preact';
import { adminTexts } from './texts.ts';
import type { Part } from './parts.ts';

/** One section of the administration, with the heading that the list on the left leads to. */
export function Section({ part, last = false, children }: { part: Part; last?: boolean; children: ComponentChildren }) {
  return (
    <section class={last ? 'sect sect--last' : 'sect'} id={part} aria-labelledby={`${part}-title`}>
      <h2 id={`${part}-title`} tabIndex={-1}>
        {adminTexts.parts[part]}
      </h2>
      {children}
    </section>
  );
}
