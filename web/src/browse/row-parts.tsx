import { useAddress, writeAddress } from '../address.ts';
import type { Memory } from '../api/forms.ts';
import { CheckBox } from '../parts/check.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { plainClick } from '../parts/link.tsx';
import { RowLine, unmarked } from '../parts/marked.tsx';
import { oneLine, titleOf } from '../parts/plain-text.ts';
import { Tags } from '../parts/tags.tsx';
import { browseTexts } from './texts.ts';
import { rowLink, type RowProps } from './rows.ts';

const SHOWN_TAGS = 3;
const LABEL_CHARS = 60;
const SHOWN_CHARS = 240;

/** A loaded row. */
export type LoadedRow = RowProps & { readonly memory: Memory };

/** The text of a row, a link that opens the memory and fills the row. */
export function RowText({ memory, place, current, actions }: LoadedRow) {
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
export function RowCheck({ memory, place, current, selected, actions }: LoadedRow) {
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

/** Tags of a row; each adds a filter. */
export function RowTags({ memory, current }: LoadedRow) {
  const { tags } = memory.metadata;
  if (tags.length === 0) return <span />;
  return <Tags tags={tags} limit={SHOWN_TAGS} marker={unmarked} tabIndex={current ? 0 : -1} />;
}

/** Opens the row menu. */
export function RowMenuButton({ memory, place, current, actions }: LoadedRow) {
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
