import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Below this share of the window height a popover opens upwards. */
const LOWER_PART = 0.55;

/** Position of a score's popover. Escape closes it wherever the focus is. Button and popover are in one element. */
export function usePop() {
  const button = useRef<HTMLButtonElement>(null);
  const [at, setAt] = useState<'down' | 'up'>('down');
  const [isOver, setOver] = useState(false);
  const [isClosed, setClosed] = useState(false);
  const enter = (): void => {
    setAt((button.current?.getBoundingClientRect().top ?? 0) > innerHeight * LOWER_PART ? 'up' : 'down');
    setClosed(false);
    setOver(true);
  };
  const leave = (): void => {
    setOver(button.current?.parentElement?.matches(':hover, :focus-within') === true);
    setClosed(false);
  };
  useLayoutEffect(() => {
    if (!isOver || isClosed) return;
    const pressed = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setClosed(true);
    };
    document.addEventListener('keydown', pressed, { capture: true });
    return () => document.removeEventListener('keydown', pressed, { capture: true });
  }, [isOver, isClosed]);
  return {
    button,
    /** Props of the button. */
    on: { onFocus: enter, onBlur: leave },
    /** Props of the element that contains the button and the popover. */
    over: { onMouseEnter: enter, onMouseLeave: leave },
    class: `score-box score-box--${at}${isClosed ? ' score-box--closed' : ''}`,
  };
}
