import { shortDay } from '../parts/formats.ts';
import { titleOf } from '../parts/plain-text.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import type { Relation } from '../api/entries.ts';
import { DetailSection } from './detail-section.tsx';
import { OpenEntry } from './open-entry.tsx';
import { hasSuccession, successionOf } from './succession.ts';
import { entryTexts } from './texts.ts';

const TITLE_CHARS = 90;

interface FactStripProps {
  readonly id: string;
  readonly relations: readonly Relation[];
}

/** The versions of one fact in a line, oldest first; nothing if there was no supersession. */
export function FactStrip({ id, relations }: FactStripProps) {
  const isOne = hasSuccession(relations);
  const { value, error, again } = useLoaded((signal) => (isOne ? successionOf(id, signal) : Promise.resolve([])), {
    about: `${id} ${isOne}`,
  });
  const memories = value ?? [];
  if (error === undefined && memories.length < 2) return null;
  return (
    <DetailSection id="details-strip" title={entryTexts.strip.title} error={error} onRetry={again}>
      <ol class="strip">
        {memories.map((memory) => (
          <li key={memory.id} class={memory.metadata.superseded === true ? 'strip-was' : 'strip-is'}>
            <span class="row">
              <time dateTime={memory.metadata.timestamp}>{shortDay(memory.metadata.timestamp)}</time>
              {memory.metadata.superseded !== true && <span class="tag">{entryTexts.strip.holds}</span>}
            </span>
            {memory.id === id ? (
              <b aria-current="true">{titleOf(memory, TITLE_CHARS)}</b>
            ) : (
              <OpenEntry id={memory.id} title={titleOf(memory, TITLE_CHARS)} />
            )}
          </li>
        ))}
      </ol>
    </DetailSection>
  );
}
