import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Share of the window from which down a box opens upwards. */
const LOWER_PART = 0.55;

/** Where the small box of a score opens, and that Escape closes it wherever the focus is. They lie in one element. */
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
    /** For the button. */
    on: { onFocus: enter, onBlur: leave },
    /** For what holds the button and the box. */
    over: { onMouseEnter: enter, onMouseLeave: leave },
    class: `score-box score-box--${at}${isClosed ? ' score-box--closed' : ''}`,
  };
}
