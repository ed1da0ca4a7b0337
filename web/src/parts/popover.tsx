import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const GAP = 6;
const EDGE = 8;
/** The same width as in the style sheet: below it the popover is at the bottom of the screen. */
const isNarrow = (): boolean => matchMedia('(max-width: 46rem)').matches;

interface PopoverProps {
  /** Id of the popover, unique on the page; its button has the suffix `-button`. */
  readonly id: string;
  readonly label: string;
  readonly class: string;
  readonly button: ComponentChildren;
  /** Label of the button, if its content is not enough. */
  readonly title?: string;
  /** Content of the popover, rendered while it is open. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** Positions it below the button, or above if there is more room, aligned with the end nearer to the window edge. */
function place(box: HTMLElement): void {
  const button = document.getElementById(`${box.id}-button`);
  if (button === null) return;
  const { style } = box;
  for (const side of ['left', 'right', 'top']) style.removeProperty(side);
  if (isNarrow()) return;
  const from = button.getBoundingClientRect();
  const { height } = box.getBoundingClientRect();
  const below = from.bottom + GAP;
  const isAbove = below + height > innerHeight - EDGE && from.top > innerHeight - from.bottom;
  const isAtEnd = from.left > innerWidth / 2;
  style.setProperty(isAtEnd ? 'right' : 'left', `${Math.max(EDGE, isAtEnd ? innerWidth - from.right : from.left)}px`);
  style.top = `${Math.max(EDGE, isAbove ? from.top - GAP - height : below)}px`;
}

const firstControl = (box: HTMLElement): HTMLElement | null =>
  box.querySelector<HTMLElement>('[aria-pressed="true"], input:checked') ?? box.querySelector<HTMLElement>('input, button, select');

/** Positions an open popover and focuses its first control. */
function enter(box: HTMLElement): void {
  place(box);
  if (!matchMedia('(hover: none)').matches) firstControl(box)?.focus({ preventScroll: true });
}

/** For content that came after the popover was opened. */
export function enterOpen(): void {
  const box = document.querySelector<HTMLElement>('.popover:popover-open');
  if (box !== null) enter(box);
}

/** A button with a popover. Escape or a press elsewhere closes it and restores the focus. */
export function Popover({ id, label, class: style, button, title, children }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const close = (): void => box.current?.hidePopover();
  const placed = (): void => {
    if (box.current !== null) place(box.current);
  };
  // Both in the toggle event. If the content were removed earlier, it could not return the focus. And a popover opened again while it closes
  // reports only "open": this event is the only sign that it must get the focus.
  const toggled = ({ newState }: Pick<ToggleEvent, 'newState'>): void => {
    if (newState === 'closed') setOpen(false);
    // It had no height before it was shown.
    else if (box.current !== null) enter(box.current);
  };
  useLayoutEffect(() => {
    if (open) placed();
  });
  useEffect(() => {
    if (!open) return;
    addEventListener('resize', placed);
    return () => removeEventListener('resize', placed);
  }, [open]);
  return (
    <>
      <button type="button" id={`${id}-button`} class={style} popovertarget={id} aria-haspopup="dialog" aria-expanded={open} title={title}>
        {button}
      </button>
      <div
        ref={box}
        id={id}
        class="popover"
        popover="auto"
        role="dialog"
        aria-label={label}
        onBeforeToggle={(event) => event.newState === 'open' && setOpen(true)}
        onToggle={toggled}
      >
        {open && children(close)}
      </div>
    </>
  );
}
