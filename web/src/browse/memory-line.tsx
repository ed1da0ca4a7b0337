import { Importance } from '../parts/facts.tsx';
import { clockTime, fullMoment, shortDay } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts.ts';
import { browseTexts } from './texts.ts';
import { RowCheck, RowMenuButton, RowTags, RowText, type LoadedRow } from './row-parts.tsx';
import type { RowProps } from './rows.ts';

/** A memory as one line of the list. */
export function MemoryLine({ byTime, ...row }: RowProps & { readonly byTime: boolean }) {
  const { memory, place, total, top, current, selected } = row;
  const position = { transform: `translateY(${top}px)` };
  const marks = `line${selected ? ' line--on' : ''}${current ? ' line--focus' : ''}`;
  return (
    <li class={memory === undefined ? 'line line--empty' : marks} style={position} aria-posinset={place + 1} aria-setsize={total}>
      {memory === undefined ? <span class="sr">{browseTexts.loadingRow}</span> : <LineParts {...row} memory={memory} byTime={byTime} />}
    </li>
  );
}

function LineParts({ byTime, ...row }: LoadedRow & { readonly byTime: boolean }) {
  const { namespace, priority, importance, timestamp } = row.memory.metadata;
  return (
    <>
      <RowCheck {...row} />
      <span class={`prio prio--${priority}`} title={browseTexts.priority(texts.priorities[priority])}>
        <Icon name={`prio-${priority}`} />
        <span class="sr">{browseTexts.priority(texts.priorities[priority])}</span>
      </span>
      <RowText {...row} />
      <RowTags {...row} />
      <span class="ns-c clip" title={namespace}>
        {namespace}
      </span>
      <span class="imp">
        <Importance value={importance} />
      </span>
      <time dateTime={timestamp} title={fullMoment(timestamp)}>
        {byTime ? clockTime(timestamp) : shortDay(timestamp)}
      </time>
      <RowMenuButton {...row} />
    </>
  );
}
