import { Facts } from '../parts/facts.tsx';
import { clockTime, fullMoment } from '../parts/formats.ts';
import { browseTexts } from './texts.ts';
import { RowCheck, RowMenuButton, RowTags, RowText, type LoadedRow } from './row-parts.tsx';
import type { RowProps } from './rows.ts';

/** A memory at its moment in the timeline. */
export function TimelineItem(row: RowProps) {
  const { memory, place, total, top, current, selected } = row;
  const high = memory?.metadata.priority === 'high' ? ' tl-item--high' : '';
  const marks = `tl-item${high}${selected ? ' tl-item--on' : ''}${current ? ' tl-item--focus' : ''}`;
  return (
    <li
      class={memory === undefined ? 'tl-item tl-item--empty' : marks}
      style={{ transform: `translateY(${top}px)` }}
      aria-posinset={place + 1}
      aria-setsize={total}
    >
      {memory === undefined ? <span class="sr">{browseTexts.loadingRow}</span> : <ItemParts {...row} memory={memory} />}
    </li>
  );
}

function ItemParts(row: LoadedRow) {
  const { memory } = row;
  const { timestamp } = memory.metadata;
  return (
    <>
      <RowCheck {...row} />
      <time dateTime={timestamp} title={fullMoment(timestamp)}>
        {clockTime(timestamp)}
      </time>
      <div class="tl-text">
        <p>
          <RowText {...row} />
        </p>
        <Facts memory={memory} day={false} />
      </div>
      <RowTags {...row} />
      <RowMenuButton {...row} />
    </>
  );
}
