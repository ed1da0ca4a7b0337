import { lore } from '../api/client.ts';
import { useState } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { entryTexts } from './texts.ts';
import { DetailSection } from './detail-section.tsx';
import { titleOf } from '../parts/plain-text.ts';
import type { TextRange } from './text-range.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Button } from '../parts/button.tsx';

const SHOWN = 12;

interface PassageListProps {
  readonly id: string;
  /** The best match of a search. */
  readonly best: TextRange | undefined;
  readonly onShow: (passage: TextRange) => void;
}

/** The passages of a long text, each with a link to its position. A short text has only one and no list. */
export function PassageList({ id, best, onShow }: PassageListProps) {
  const { value, error, again } = useLoaded((signal) => lore.details.passages(id, { signal }), { about: id });
  const [all, setAll] = useState(false);
  const listed = value ?? [];
  if (error === undefined && listed.length < 2) return null;
  // The search trims the best passage around its match: it is the passage with the largest overlap.
  const nearest = best === undefined ? undefined : listed.toSorted((a, b) => shared(b, best) - shared(a, best))[0];
  const shown = all ? listed : listed.slice(0, SHOWN);
  return (
    <DetailSection
      id="details-passages"
      title={entryTexts.passages}
      note={entryTexts.passagesCount(listed.length)}
      error={value === undefined ? error : undefined}
      onRetry={again}
    >
      <ul class="lined rels">
        {shown.map((passage, at) => (
          <li key={passage.start}>
            <span class={passage === nearest ? 'rel' : 'rel dim'}>
              <Icon name="layers" size="sm" />
              {entryTexts.passage(at + 1, passage === nearest)}
            </span>
            <button type="button" class="clip open-entry under" title={entryTexts.showPassage(at + 1)} onClick={() => onShow(passage)}>
              {titleOf({ content: passage.preview })}
            </button>
            <span class="num hint">{entryTexts.passageChars(passage.chars)}</span>
          </li>
        ))}
      </ul>
      {listed.length > shown.length && (
        <Button look="sm" label={entryTexts.morePassages(listed.length - shown.length)} onClick={() => setAll(true)} />
      )}
    </DetailSection>
  );
}

const shared = (one: TextRange, other: TextRange): number => Math.min(one.end, other.end) - Math.max(one.start, other.start);
