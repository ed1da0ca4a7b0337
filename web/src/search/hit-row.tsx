import { useMemo } from 'preact/hooks';
import { writeAddress, type Address } from '../address.ts';
import type { Hit } from '../api/responses.ts';
import { Facts } from '../parts/facts.tsx';
import { ratio } from '../parts/formats.ts';
import { Moment } from '../parts/moment.tsx';
import { plainClick } from '../parts/link.tsx';
import { Tags } from '../parts/tags.tsx';
import { RowLine, type Marker } from '../parts/marked.tsx';
import { bestPart } from './marker.ts';
import { ArchivedMark } from './archived-bar.tsx';
import { Score } from './score.tsx';
import { scoredOf, partsOf, type Scored } from './scored.ts';
import { resultTexts } from './result-texts.ts';
import { MatchedWords, partName, signed } from './breakdown.tsx';

const SHOWN_TAGS = 3;

interface HitRowProps {
  readonly hit: Hit;
  readonly selected: boolean;
  readonly address: Address;
  readonly marker: Marker;
  readonly onSelect: () => void;
  readonly onOpen: () => void;
}

/** Id of the link in a row: the keyboard moves the focus between links. */
export const hitLink = (id: string): string => `hit-${id}`;

/** Whether the preview is next to the list; the same width as in the style sheet. */
const hasPreview = (): boolean => matchMedia('(min-width: 60.01rem)').matches;

/** One result: the score, or the day without a query, is in the margin; the text comes first. */
export function HitRow({ hit, selected, address, marker, onSelect, onOpen }: HitRowProps) {
  const { entry } = hit;
  const scored = scoredOf(hit);
  const shown = useMemo(() => bestPart(hit, marker), [hit, marker]);
  const follow = (event: MouseEvent): void => {
    if (!plainClick(event)) return;
    event.preventDefault();
    // Enter arrives as a click without a pointer and opens. A pointer click selects if the preview shows the text.
    if (event.detail > 0 && hasPreview()) onSelect();
    else onOpen();
  };
  return (
    <li class={selected ? 'hit hit--on' : 'hit'} aria-current={selected ? 'true' : undefined}>
      {scored === undefined ? <Moment class="when" of={entry.metadata.timestamp} /> : <Score hit={scored} id={`why-${entry.id}`} />}
      <div>
        <p class="hit-text">
          <a
            id={hitLink(entry.id)}
            href={writeAddress({ ...address, id: entry.id })}
            onFocus={onSelect}
            onClick={follow}
            onDblClick={onOpen}
          >
            <RowLine text={shown} marker={marker} />
          </a>
        </p>
        <div class="row row--wrap hit-meta">
          <Facts memory={entry} day={scored !== undefined} />
          <Tags tags={entry.metadata.tags} limit={SHOWN_TAGS} marker={marker} />
          <ArchivedMark hit={hit} />
        </div>
        {address.explain && scored !== undefined && <RowWhy hit={scored} text={`${address.q} ${entry.content}`} />}
      </div>
    </li>
  );
}

/** The explanation under a result: found words and score breakdown. */
function RowWhy({ hit, text }: { readonly hit: Scored; readonly text: string }) {
  return (
    <div class="hit-why">
      {hit.explanation !== undefined && <MatchedWords explanation={hit.explanation} text={text} />}
      <p>
        <span class="dim">{resultTexts.score.label} </span>
        <span class="num">{ratio(hit.score)}</span>
        <span class="dim"> = </span>
        {partsOf(hit).map((part, at) => (
          <span key={part.name}>
            {at > 0 && part.hundredths > 0 && <span class="dim"> + </span>}
            {at > 0 && part.hundredths < 0 && ' '}
            {partName(part)} <span class="num">{signed(part)}</span>
          </span>
        ))}
      </p>
    </div>
  );
}
