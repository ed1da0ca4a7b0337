import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Memory } from '../api/responses.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { browseTexts } from './texts.ts';
import { copyId, copyJson, copyLink, copyText } from '../entry/copying.ts';
import { actionTexts } from '../entry/action-texts.ts';

const GAP = 4;
const EDGE = 8;

/** A row with an open menu, and the button that opened it. */
export interface OpenMenu {
  readonly memory: Memory;
  readonly place: number;
  readonly button: HTMLElement;
}

interface MenuProps extends OpenMenu {
  readonly selected: boolean;
  readonly onOpen: () => void;
  readonly onSelect: () => void;
  /** Undefined if the key has no write access. */
  readonly onForget: (() => void) | undefined;
  readonly onClose: () => void;
}

interface Item {
  readonly icon: IconName;
  readonly text: string;
  readonly act: () => void;
  readonly danger?: boolean;
}

function itemsOf({ memory, selected, onOpen, onSelect, onForget }: MenuProps): readonly Item[] {
  const words = browseTexts.menu;
  return [
    { icon: 'enter', text: words.open, act: onOpen },
    { icon: 'check', text: selected ? words.deselect : words.select, act: onSelect },
    { icon: 'copy', text: actionTexts.copyText, act: () => copyText(memory) },
    { icon: 'code', text: actionTexts.copyJson, act: () => copyJson([memory]) },
    { icon: 'info', text: actionTexts.copyId, act: () => copyId(memory) },
    { icon: 'link', text: actionTexts.copyLink, act: () => copyLink(memory) },
    ...(onForget === undefined ? [] : [{ icon: 'forget', text: actionTexts.forget.action, act: onForget, danger: true } as const]),
  ];
}

function place(menu: HTMLElement, button: HTMLElement): void {
  const from = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const isAbove = from.bottom + GAP + height > innerHeight - EDGE;
  menu.style.left = `${Math.max(EDGE, Math.min(from.right - width, innerWidth - width - EDGE))}px`;
  menu.style.top = `${Math.max(EDGE, isAbove ? from.top - GAP - height : from.bottom + GAP)}px`;
}

/** The menu of one row. Arrow keys move, Escape or a press elsewhere closes. */
export function RowMenu(props: MenuProps) {
  const { button, onClose } = props;
  const menu = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    element.showPopover();
    place(element, button);
    element.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  }, []);
  const leave = (): void => {
    onClose();
    button.focus();
  };
  const pressed = (event: KeyboardEvent): void => {
    const items = [...(menu.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const at = items.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    event.stopPropagation();
    if (to !== undefined) items[(to + items.length) % items.length]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') leave();
    else return;
    event.preventDefault();
  };
  return (
    <ul
      ref={menu}
      class="popover row-actions"
      role="menu"
      popover="auto"
      aria-label={browseTexts.menu.label}
      onKeyDown={pressed}
      onToggle={(event) => (event as unknown as ToggleEvent).newState === 'closed' && onClose()}
    >
      {itemsOf(props).map(({ icon, text, act, danger = false }) => (
        <li key={icon} role="none">
          <button
            type="button"
            class={danger ? 'option option--danger' : 'option'}
            role="menuitem"
            tabIndex={-1}
            onClick={() => {
              leave();
              act();
            }}
          >
            <Icon name={icon} size="sm" />
            <span class="clip grow">{text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
