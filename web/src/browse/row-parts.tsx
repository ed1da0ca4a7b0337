import { filterOf, useAddress, writeAddress } from '../address.ts';
import type { Memory } from '../api/forms.ts';
import { CheckBox } from '../parts/check.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { Link, plainClick } from '../parts/link.tsx';
import { titleOf } from '../parts/plain-text.ts';
import { texts } from '../texts.ts';
import { browseTexts } from './texts.ts';
import { LineText } from './line-text.tsx';
import { rowLink, type RowProps } from './rows.ts';

const SHOWN_TAGS = 3;
const LABEL_CHARS = 60;

/** A row of which something is there. */
export type LoadedRow = RowProps & { readonly memory: Memory };

/** The text of a row, which opens the memory. Its press fills the row. */
export function RowText({ memory, place, current, actions }: LoadedRow) {
  const address = useAddress();
  const follow = (event: MouseEvent): void => {
    if (!plainClick(event)) {
      // A range is selected as in a list of files; with another key the browser opens the link as any.
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
      <LineText memory={memory} />
    </a>
  );
}

/** Selects a row; with shift, everything from the last one. */
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

/** Tags of a row, each of which narrows the list down. */
export function RowTags({ memory, current }: LoadedRow) {
  const address = useAddress();
  const { tags } = memory.metadata;
  if (tags.length === 0) return <span />;
  return (
    <ul class="tags" aria-label={texts.tags.label}>
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <li key={tag}>
          <Link
            class="tag"
            title={texts.tags.filterBy(tag)}
            tabIndex={current ? 0 : -1}
            to={{ ...filterOf(address), view: 'browse', sort: address.sort, as: address.as, tags: [...new Set([...address.tags, tag])] }}
          >
            <span>{tag}</span>
          </Link>
        </li>
      ))}
      {tags.length > SHOWN_TAGS && <li class="tag tag--more">+{tags.length - SHOWN_TAGS}</li>}
    </ul>
  );
}

/** Opens what can be done with a row. */
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
