import { useRef } from 'preact/hooks';
import { IconButton } from '../parts/icon-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { pressed } from '../shell/keys.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { texts } from './texts.ts';

interface RouteSearchProps {
  readonly text: string;
  readonly found: number;
  readonly all: number;
  readonly onType: (text: string) => void;
}

/** Filters the routes by the typed text. */
export function RouteSearch({ text, found, all, onType }: RouteSearchProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts(pressed({ search: () => field.current?.focus() }));
  const clear = (): void => {
    onType('');
    field.current?.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.preventDefault();
    if (text === '') field.current?.blur();
    else clear();
  };
  return (
    <form class="docs-search" role="search" aria-label={texts.search.form} onSubmit={(event) => event.preventDefault()}>
      <div class="searchline">
        <Icon name="search" />
        <input
          ref={field}
          type="search"
          aria-label={texts.search.label}
          placeholder={texts.search.placeholder}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => onType(event.currentTarget.value)}
          onKeyDown={onKey}
        />
        {text !== '' && <IconButton icon="x" label={texts.search.clear} size="sm" onClick={clear} />}
        <kbd>/</kbd>
      </div>
      <p class="count" role="status">
        {text.trim() === '' ? texts.search.all(all) : texts.search.found(found, all)}
      </p>
    </form>
  );
}
