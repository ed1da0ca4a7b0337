import type { Memory } from '../api/responses.ts';

/** Actions of a row. The same object while the view is open. */
export interface RowActions {
  /** With shift, selects the range from the previous one. */
  readonly onToggle: (memory: Memory, place: number, isRange: boolean) => void;
  /** The row at this index got the focus. */
  readonly onFocus: (place: number) => void;
  readonly onOpen: (memory: Memory) => void;
  readonly onMenu: (memory: Memory, place: number, button: HTMLElement) => void;
}

export interface RowProps {
  /** Undefined while it is not loaded. */
  readonly memory: Memory | undefined;
  readonly place: number;
  readonly total: number;
  /** Offset from the top of its section, in pixels. */
  readonly top: number;
  /** Whether this is the keyboard position: only this row is a tab stop. */
  readonly current: boolean;
  readonly selected: boolean;
  readonly actions: RowActions;
}

export const rowLink = (place: number): string => `row-${place}`;
