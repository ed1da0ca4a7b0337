import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { currentAddress, go, useAddress } from '../address.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { Icon } from '../parts/icon.tsx';
import { SearchOptions } from './search-options.tsx';
import { searchTexts } from './texts.ts';
import { IconButton } from '../parts/button.tsx';

/** Keys closer together than this are searched once. People type more slowly, so a longer wait would only delay the results. */
const DEBOUNCE_MS = 20;
const SEARCH_FIELD = 'search-field';

/** Focuses the search field if it exists, and selects its text. */
export function focusSearch(): void {
  const field = document.getElementById(SEARCH_FIELD);
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
}

/** Keyboard actions of the view below the field, while it is shown. */
export interface Body {
  down?: () => void;
  enter?: () => void;
}

interface SearchBarProps {
  /** Number of results, shown at the end of the filter line and announced to screen readers. */
  readonly found: string;
  readonly body: { readonly current: Body };
  /** Controls at the end of the filter line. */
  readonly children: ComponentChildren;
}

/** The text of the field, written to the address shortly after the last key. */
function useTyping(): [string, (text: string) => void, () => void] {
  const { q } = useAddress();
  const [text, setText] = useState(q);
  const written = useRef(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const { q: now } = currentAddress();
    if (now === written.current) return;
    // The address changed from outside: back button or link.
    clearTimeout(timer.current);
    written.current = now;
    setText(now);
  }, [q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const write = (next: string): void => {
    clearTimeout(timer.current);
    // Going from the list to a query adds a history step; changing the query does not.
    const isFirst = written.current.trim() === '' && next.trim() !== '';
    written.current = next;
    go({ q: next }, { replace: !isFirst });
  };
  const type = (next: string): void => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // The text belongs to a query that was left by the back button or a link.
      if (currentAddress().q === written.current) write(next);
    }, DEBOUNCE_MS);
  };
  return [text, type, () => write(text)];
}

/** The search field with options and filters. Searches while typing. */
export function SearchBar({ found, body, children }: SearchBarProps) {
  const { q } = useAddress();
  const [text, type, write] = useTyping();
  const pressed = (event: KeyboardEvent): void => {
    if (event.isComposing || (event.key !== 'ArrowDown' && event.key !== 'Escape')) return;
    event.preventDefault();
    if (event.key === 'ArrowDown') body.current.down?.();
    else if (text !== '') clear();
    else document.getElementById(SEARCH_FIELD)?.blur();
  };
  const clear = (): void => {
    type('');
    focusSearch();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    // The shown results belong to an older text.
    if (text === q) body.current.enter?.();
    else write();
  };
  return (
    <form class="searchbar" role="search" aria-label={searchTexts.form} onSubmit={submit}>
      <div class="row searchline">
        <Icon name="search" />
        <label class="sr" for={SEARCH_FIELD}>
          {searchTexts.label}
        </label>
        <input
          id={SEARCH_FIELD}
          type="search"
          value={text}
          placeholder={searchTexts.placeholder}
          autocomplete="off"
          spellcheck={false}
          enterkeyhint="search"
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={pressed}
        />
        {text !== '' && <IconButton icon="x" label={searchTexts.clear} size="sm" onClick={clear} />}
        <kbd>/</kbd>
        <SearchOptions />
      </div>
      <div class="filterline">
        <FilterBar />
        <p class="count" role="status">
          {found}
        </p>
        {children}
      </div>
    </form>
  );
}
