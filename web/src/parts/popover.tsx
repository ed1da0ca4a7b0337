import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const GAP = 6;
const EDGE = 8;
/** The same width as in the style sheet: below it the box lies at the bottom of the screen. */
const isNarrow = (): boolean => matchMedia('(max-width: 46rem)').matches;

interface PopoverProps {
  /** Unique on the page: that of the box; its button has `-button` behind it. */
  readonly id: string;
  /** What the box is for, to a screen reader. */
  readonly label: string;
  /** Of the button. */
  readonly class: string;
  /** What stands in the button. */
  readonly button: ComponentChildren;
  /** What the button is called where its words do not say it. */
  readonly title?: string;
  /** What stands in the box, while it is open. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** Below its button, or above where there is more room; in line with that end of it which is nearer to the edge of the window. */
function place(box: HTMLElement, button: HTMLElement): void {
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

/** A button and the box that it opens. Escape or a press elsewhere closes the box, and the focus is back where it was. */
export function Popover({ id, label, class: style, button, title, children }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = (): void => box.current?.hidePopover();
  const placed = (): void => {
    if (box.current !== null && opener.current !== null) place(box.current, opener.current);
  };
  // Both only now. What went with the focus in it could not give the focus back. And a box that is opened in the moment in which it closes
  // is said to be open once more, never to be closed: nothing but this event tells that the focus belongs into it.
  const toggled = ({ newState }: Pick<ToggleEvent, 'newState'>): void => {
    if (newState === 'closed') setOpen(false);
    else if (box.current !== null) {
      // Before it was shown it had no height.
      placed();
      if (!matchMedia('(hover: none)').matches) firstControl(box.current)?.focus({ preventScroll: true });
    }
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
      <button
        ref={opener}
        type="button"
        id={`${id}-button`}
        class={style}
        popovertarget={id}
        aria-haspopup="dialog"
        aria-expanded={open}
        title={title}
      >
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
