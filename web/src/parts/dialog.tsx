import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Toasts } from './toasts.tsx';

interface DialogProps {
  readonly class: string;
  /** Id of the heading that labels it. */
  readonly labelledBy: string;
  readonly onClose: () => void;
  readonly onKey?: (event: KeyboardEvent) => void;
  readonly children: ComponentChildren;
}

/** A modal dialog, open while it is rendered. The browser makes the rest of the page inert, traps the focus and restores it afterwards. */
export function Dialog({ class: className, labelledBy, onClose, onKey, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    onClose();
  };
  // A press on the dialog element itself is a press on the backdrop.
  const leave = (event: MouseEvent): void => {
    if (event.target === element.current) onClose();
  };
  return (
    <dialog ref={element} class={className} aria-labelledby={labelledBy} onCancel={cancel} onMouseDown={leave} onKeyDown={onKey}>
      {children}
      <Toasts />
    </dialog>
  );
}
