import { useEffect, useMemo, useState } from 'preact/hooks';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';
import { count } from './formats.ts';
import { Marked, piecesOf, type Marker } from './marked.tsx';

const SHOWN = 8;

interface TagInputProps {
  readonly id: string;
  readonly chosen: readonly string[];
  readonly onAdd: (tag: string) => void;
  /** Backspace in the empty field. */
  readonly onBack?: () => void;
  readonly placeholder?: string;
  readonly describedBy?: string | undefined;
  readonly invalid?: boolean;
  /** Whether new tags are suggested, and added on blur or submit. */
  readonly creates: boolean;
  /** Whether suggestions wait for input or an arrow key. Default false. */
  readonly waits?: boolean;
}

interface Option {
  readonly tag: string;
  readonly entries: number | undefined;
}

function useOptions(text: string, { chosen, creates }: Pick<TagInputProps, 'chosen' | 'creates'>): readonly Option[] {
  const { tags, needTags } = useServer();
  useEffect(needTags, []);
  return useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const known = tags.filter(({ tag }) => !chosen.includes(tag) && tag.toLowerCase().includes(wanted));
    const options: Option[] = known.slice(0, SHOWN);
    const exact = text.trim() === '' || chosen.includes(text.trim()) || known.some(({ tag }) => tag === text.trim());
    return exact || !creates ? options : [...options, { tag: text.trim(), entries: undefined }];
  }, [tags, text, chosen, creates]);
}

/** Marks the typed letters in a known tag. */
const typed =
  (letters: string): Marker =>
  (tag) => {
    const at = letters === '' ? -1 : tag.toLowerCase().indexOf(letters.toLowerCase());
    return piecesOf(tag, at < 0 ? [] : [[at, at + letters.length]]);
  };

function usePicking(props: TagInputProps) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [picked, setPicked] = useState(-1);
  const options = useOptions(text, props);
  const isAsked = props.waits !== true || text.trim() !== '' || picked >= 0;
  const shown = open && isAsked && options.length > 0;
  const type = (next: string): void => {
    setText(next);
    setPicked(-1);
    setOpen(true);
  };
  const add = (tag: string): void => {
    const clean = tag.trim();
    if (clean !== '' && !props.chosen.includes(clean)) props.onAdd(clean);
    type('');
  };
  const move = (by: number): void => {
    setOpen(true);
    // Up from no selection goes to the last one.
    const from = picked < 0 && by < 0 ? 0 : picked;
    setPicked(options.length === 0 ? -1 : (from + by + options.length) % options.length);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
    else if (event.key === 'Escape' && shown) setOpen(false);
    else if (event.key === 'Backspace' && text === '') return props.onBack?.();
    else if (isAdding(event)) add(options[picked]?.tag ?? text);
    else {
      // Submitting the form in another way must not lose the typed text.
      if (event.key === 'Enter' && props.creates) add(text);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const leave = (): void => {
    if (props.creates) add(text);
    setOpen(false);
  };
  return { text, options, picked, shown, type, add, pressed, leave, enter: () => setOpen(true) };
}

const isAdding = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key === ',' || (key === 'Enter' && !ctrlKey && !metaKey);

/** A field for a tag with suggestions. Enter or a comma adds the typed or selected tag. */
export function TagInput(props: TagInputProps) {
  const { id } = props;
  const { text, options, picked, shown, type, add, pressed, leave, enter } = usePicking(props);
  const list = `${id}-options`;
  return (
    <>
      <input
        id={id}
        value={text}
        role="combobox"
        aria-expanded={shown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={shown && picked >= 0 ? `${list}-${picked}` : undefined}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid}
        autocomplete="off"
        placeholder={props.placeholder}
        onFocus={enter}
        onBlur={leave}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={pressed}
      />
      <ul class="menu tagmenu" id={list} role="listbox" aria-label={texts.tags.known} hidden={!shown}>
        {options.map(({ tag, entries }, index) => (
          // The press must not blur the field, or the list closes before the click arrives.
          <li
            key={tag}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === picked}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => add(tag)}
          >
            <span class="clip">{entries === undefined ? texts.tags.create(tag) : <Marked text={tag} marker={typed(text.trim())} />}</span>
            {entries !== undefined && <span class="num hint hint--end">{count(entries)}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}
