import { Facts, Importance } from '../parts/facts.tsx';
import { clockTime, fullMoment, shortDay } from '../parts/formats.ts';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts.ts';
import { RowCheck, RowMenuButton, RowTags, RowText, type LoadedRow } from './row-parts.tsx';
import type { RowProps } from './rows.ts';
import { browseTexts } from './texts.ts';

interface MemoryRowProps extends RowProps {
  /** Kind of row: a list line with time or day, or a memory at its moment in the timeline. */
  readonly as: 'time' | 'day' | 'moment';
}

/** A memory at its position; an empty row while it is not loaded. */
export function MemoryRow({ as, ...row }: MemoryRowProps) {
  const { memory, place, total, top, current, selected } = row;
  const name = as === 'moment' ? 'tl-item' : 'line';
  const marks = [
    memory === undefined && 'empty',
    memory?.metadata.priority === 'high' && 'high',
    memory !== undefined && selected && 'on',
    memory !== undefined && current && 'focus',
  ].map((mark) => (mark === false ? '' : ` ${name}--${mark}`));
  return (
    <li class={name + marks.join('')} style={{ transform: `translateY(${top}px)` }} aria-posinset={place + 1} aria-setsize={total}>
      {memory === undefined && <span class="sr">{browseTexts.loadingRow}</span>}
      {memory !== undefined && (as === 'moment' ? <ItemParts {...row} memory={memory} /> : <LineParts {...row} memory={memory} as={as} />)}
    </li>
  );
}

function LineParts({ as, ...row }: LoadedRow & { readonly as: 'time' | 'day' }) {
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
      <Moment of={timestamp} text={as === 'time' ? clockTime(timestamp) : shortDay(timestamp)} />
      <RowMenuButton {...row} />
    </>
  );
}

function ItemParts(row: LoadedRow) {
  const { timestamp } = row.memory.metadata;
  return (
    <>
      <RowCheck {...row} />
      <Moment of={timestamp} text={clockTime(timestamp)} />
      <div class="tl-text">
        <p>
          <RowText {...row} />
        </p>
        <Facts memory={row.memory} day={false} />
      </div>
      <RowTags {...row} />
      <RowMenuButton {...row} />
    </>
  );
}

const Moment = ({ of, text }: { of: string; text: string }) => (
  <time dateTime={of} title={fullMoment(of)}>
    {text}
  </time>
);
