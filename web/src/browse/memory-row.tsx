import { Facts, Importance } from '../parts/facts.tsx';
import { clockTime, shortDay } from '../parts/formats.ts';
import { Moment } from '../parts/moment.tsx';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts.ts';
import { type RowProps, rowLink } from './rows.ts';
import { browseTexts } from './texts.ts';
import { useAddress, writeAddress } from '../address.ts';
import type { Memory } from '../api/responses.ts';
import { CheckBox } from '../parts/check.tsx';
import { plainClick } from '../parts/link.tsx';
import { RowLine, unmarked } from '../parts/marked.tsx';
import { oneLine, titleOf } from '../parts/plain-text.ts';
import { Tags } from '../parts/tags.tsx';
import { IconButton } from '../parts/button.tsx';

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
      <span class="prio" style={{ color: `var(--prio-${priority})` }} title={browseTexts.priority(texts.priorities[priority])}>
        <Icon name={`prio-${priority}`} size="sm" />
        <span class="sr">{browseTexts.priority(texts.priorities[priority])}</span>
      </span>
      <RowText {...row} />
      <RowTags {...row} />
      <span class="ns-c clip hint" title={namespace}>
        {namespace}
      </span>
      <span class="imp">
        <Importance value={importance} />
      </span>
      <Moment class="hint" of={timestamp}>
        {as === 'time' ? clockTime(timestamp) : shortDay(timestamp)}
      </Moment>
      <RowMenuButton {...row} />
    </>
  );
}

function ItemParts(row: LoadedRow) {
  const { timestamp } = row.memory.metadata;
  return (
    <>
      <RowCheck {...row} />
      <Moment class="hint" of={timestamp}>
        {clockTime(timestamp)}
      </Moment>
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

const SHOWN_TAGS = 3;
const LABEL_CHARS = 60;
const SHOWN_CHARS = 240;

type LoadedRow = RowProps & { readonly memory: Memory };

/** The text of a row, a link that opens the memory and fills the row. */
function RowText({ memory, place, current, actions }: LoadedRow) {
  const address = useAddress();
  const follow = (event: MouseEvent): void => {
    if (!plainClick(event)) {
      // Shift selects a range; other modifiers keep the browser's link behaviour.
      if (event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        actions.onToggle(memory, place, true);
      }
      return;
    }
    event.preventDefault();
    actions.onOpen(memory);
  };
  return (
    <a
      id={rowLink(place)}
      class="line-text clip"
      href={writeAddress({ ...address, id: memory.id })}
      tabIndex={current ? 0 : -1}
      onFocus={() => actions.onFocus(place)}
      onClick={follow}
    >
      <RowLine text={oneLine(memory.content, SHOWN_CHARS)} marker={unmarked} />
    </a>
  );
}

/** Selects a row; with shift, the range from the last one. */
function RowCheck({ memory, place, current, selected, actions }: LoadedRow) {
  return (
    <CheckBox
      aria-label={browseTexts.select(titleOf(memory, LABEL_CHARS))}
      checked={selected}
      tabIndex={current ? 0 : -1}
      onFocus={() => actions.onFocus(place)}
      onClick={(event) => actions.onToggle(memory, place, event.shiftKey)}
    />
  );
}

function RowTags({ memory, current }: LoadedRow) {
  const { tags } = memory.metadata;
  if (tags.length === 0) return <span />;
  return <Tags tags={tags} limit={SHOWN_TAGS} marker={unmarked} tabIndex={current ? 0 : -1} />;
}

function RowMenuButton({ memory, place, current, actions }: LoadedRow) {
  return (
    <IconButton
      icon="dots"
      label={browseTexts.actionsFor(titleOf(memory, LABEL_CHARS))}
      size="sm"
      class="icon-btn icon-btn--sm row-menu"
      aria-haspopup="menu"
      tabIndex={current ? 0 : -1}
      onFocus={() => actions.onFocus(place)}
      onClick={(event) => actions.onMenu(memory, place, event.currentTarget)}
    />
  );
}
