import { useState } from 'preact/hooks';
import { count } from '../parts/formats.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { CountedNote } from './facets.tsx';
import { filterTexts } from './texts.ts';

/** From this number of options on, there is a search field. */
const MANY = 8;
const SHOWN = 50;

interface Option {
  readonly value: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly entries?: number | undefined;
}

interface PickerProps {
  /** The label, such as `Namespace`. */
  readonly label: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  /** Whether values other than the options can be typed. */
  readonly free?: boolean;
  /** Whether the options have numbers. */
  readonly counted?: boolean;
  readonly onPick: (value: string) => void;
}

/** Arrow keys, Home and End move through the field and the options. */
function stepped(event: KeyboardEvent): void {
  const box = event.currentTarget as HTMLElement;
  const stops = [...box.querySelectorAll<HTMLElement>('input, button')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const inField = document.activeElement instanceof HTMLInputElement;
  const targets: Readonly<Record<string, HTMLElement | undefined>> = {
    ArrowDown: stops[Math.min(at + 1, stops.length - 1)],
    ArrowUp: stops[Math.max(at - 1, 0)],
    ...(!inField && { Home: stops[0], End: stops.at(-1) }),
  };
  const target = targets[event.key];
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
}

/** A list of options, with a search field if there are many. */
export function Picker({ label, options, chosen, free = false, counted = true, onPick }: PickerProps) {
  const [text, setText] = useState('');
  const wanted = text.trim();
  const found = options.filter((option) => option.label.toLowerCase().includes(wanted.toLowerCase()));
  const isNew = free && wanted !== '' && !options.some(({ value }) => value === wanted);
  const shown: readonly Option[] = [...found.slice(0, SHOWN), ...(isNew ? [{ value: wanted, label: filterTexts.exactly(wanted) }] : [])];
  const entered = (event: KeyboardEvent): void => {
    const first = options.find(({ value }) => value === wanted) ?? shown[0];
    if (event.key !== 'Enter' || event.isComposing || first === undefined) return;
    event.preventDefault();
    onPick(first.value);
  };
  return (
    <div class="picker" onKeyDown={stepped}>
      {(free || options.length > MANY) && (
        <input
          class="input"
          aria-label={filterTexts.find(label)}
          placeholder={filterTexts.find(label)}
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={entered}
        />
      )}
      <ul class="options" aria-label={label}>
        {shown.map((option) => (
          <li key={option.value}>
            <OptionButton option={option} pressed={chosen.includes(option.value)} onPick={() => onPick(option.value)} />
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="hint">{wanted === '' ? filterTexts.noneThere : filterTexts.noneFound}</p>}
      {found.length > SHOWN && <p class="hint">{filterTexts.moreThan(found.length - SHOWN)}</p>}
      {counted && <CountedNote />}
    </div>
  );
}

function OptionButton({ option: { label, icon, entries }, pressed, onPick }: { option: Option; pressed: boolean; onPick: () => void }) {
  return (
    <button type="button" class="option" aria-pressed={pressed} onClick={onPick}>
      {icon !== undefined && <Icon name={icon} size="sm" />}
      <span class="clip grow">{label}</span>
      {entries !== undefined && <span class="num hint">{count(entries)}</span>}
      {pressed && <Icon name="check" size="sm" />}
    </button>
  );
}
