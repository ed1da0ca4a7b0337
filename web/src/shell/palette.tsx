import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Marked, piecesOf } from '../parts/marked.tsx';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts.ts';
import { paletteTexts } from './palette-texts.ts';
import '../styles/palette.css';
import { KeySigns } from './key-signs.tsx';
import type { Group } from './palette-items.ts';
import { usePalette, type FoundItem } from './use-palette.ts';

const LIST_ID = 'palette-list';
const optionId = (id: string): string => `palette-${encodeURIComponent(id)}`;

/** The option that Enter runs: the first one, until another is chosen. */
function useChosen(items: readonly FoundItem[], typed: string) {
  const [id, setId] = useState<string>();
  useEffect(() => setId(undefined), [typed]);
  const at = Math.max(
    0,
    items.findIndex((item) => item.id === id),
  );
  const move = (steps: number): void => setId(items[(at + steps + items.length) % items.length]?.id);
  return { chosen: items[at], choose: setId, move };
}

export function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [only, setOnly] = useState<Group>();
  const groups = usePalette(typed, only);
  const items = groups.flatMap((group) => group.items);
  const { chosen, choose, move } = useChosen(items, typed);
  const run = (item: FoundItem | undefined): void => {
    if (item === undefined) return;
    onClose();
    // The focus can move only after the dialog has returned it.
    requestAnimationFrame(() => setTimeout(item.run));
  };
  const narrow = (): void => setOnly(only === undefined ? chosen?.group : undefined);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => run(chosen),
    Tab: narrow,
    ...(only !== undefined && typed === '' && { Backspace: () => setOnly(undefined) }),
  };
  const pressed = (event: KeyboardEvent): void => {
    const act = event.isComposing || event.shiftKey ? undefined : keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <Dialog class="modal palette" labelledBy="palette-title" onClose={onClose}>
      <h2 class="sr" id="palette-title">
        {paletteTexts.title}
      </h2>
      <Field
        typed={typed}
        chosen={chosen}
        only={only}
        onType={setTyped}
        onWiden={() => setOnly(undefined)}
        onKey={pressed}
        onClose={onClose}
      />
      <Options groups={groups} chosen={chosen} onChoose={choose} onRun={run} />
      <p class="sr" role="status">
        {paletteTexts.found(items.length)}
      </p>
      <Foot />
    </Dialog>
  );
}

interface FieldProps {
  readonly typed: string;
  readonly chosen: FoundItem | undefined;
  readonly only: Group | undefined;
  readonly onType: (text: string) => void;
  readonly onWiden: () => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onClose: () => void;
}

function Field({ typed, chosen, only, onType, onWiden, onKey, onClose }: FieldProps) {
  return (
    <div class="row pal-in">
      <Icon name="term" />
      {only !== undefined && <Narrowed group={only} onWiden={onWiden} />}
      <input
        role="combobox"
        aria-label={paletteTexts.label}
        aria-expanded="true"
        aria-controls={LIST_ID}
        aria-autocomplete="list"
        aria-activedescendant={chosen === undefined ? undefined : optionId(chosen.id)}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        placeholder={paletteTexts.placeholder}
        value={typed}
        onInput={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <button type="button" class="pal-close" onClick={onClose}>
        <span class="sr">{texts.close}</span>
        <KeySigns name="close" />
        <Icon name="x" />
      </button>
    </div>
  );
}

function Narrowed({ group, onWiden }: { group: Group; onWiden: () => void }) {
  const name = paletteTexts.groups[group];
  return (
    <button type="button" class="chip chip--on" aria-label={paletteTexts.widen(name)} onClick={onWiden}>
      {name}
      <Icon name="x" size="sm" />
    </button>
  );
}

interface OptionsProps {
  readonly groups: readonly { readonly group: Group; readonly items: readonly FoundItem[] }[];
  readonly chosen: FoundItem | undefined;
  readonly onChoose: (id: string) => void;
  readonly onRun: (item: FoundItem) => void;
}

function Options({ groups, chosen, onChoose, onRun }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }), [chosen?.id]);
  return (
    <div class="pal" id={LIST_ID} role="listbox" aria-label={paletteTexts.options} tabIndex={-1} ref={list}>
      {groups.map(({ group, items }) => (
        <div key={group} role="group" aria-labelledby={`palette-group-${group}`}>
          <p class="label pal-g" id={`palette-group-${group}`} role="presentation">
            {paletteTexts.groups[group]}
          </p>
          {items.map((item) => (
            <Option
              key={item.id}
              item={item}
              isChosen={item.id === chosen?.id}
              onChoose={() => onChoose(item.id)}
              onRun={() => onRun(item)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  readonly item: FoundItem;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onRun: () => void;
}

function Option({ item, isChosen, onChoose, onRun }: OptionProps) {
  const keepFocus = (event: MouseEvent): void => event.preventDefault();
  return (
    <div
      class="row pal-i"
      id={optionId(item.id)}
      role="option"
      aria-selected={isChosen}
      onMouseMove={isChosen ? undefined : onChoose}
      onMouseDown={keepFocus}
      onClick={onRun}
    >
      <Icon name={item.icon} />
      <span class="clip grow">
        <Marked text={item.text} marker={(text) => piecesOf(text, item.ranges)} />
      </span>
      {item.key !== undefined && <KeySigns name={item.key} only="first" />}
      {item.end !== undefined && <span class="end clip hint">{item.end}</span>}
    </div>
  );
}

function Foot() {
  const palette = paletteTexts;
  return (
    <p class="pal-f">
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd> {palette.choose}
      </span>
      <span>
        <kbd>↵</kbd> {palette.run}
      </span>
      <span>
        <kbd>Tab</kbd> {palette.narrow}
      </span>
    </p>
  );
}
