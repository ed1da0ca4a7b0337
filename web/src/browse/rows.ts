import type { Memory } from '../api/forms.ts';

/** What a row can be asked to do. The same object for as long as the view is open. */
export interface RowActions {
  /** With shift, everything from the one before to this one. */
  readonly onToggle: (memory: Memory, place: number, isRange: boolean) => void;
  /** The focus came to the row at this place. */
  readonly onFocus: (place: number) => void;
  readonly onOpen: (memory: Memory) => void;
  readonly onMenu: (memory: Memory, place: number, button: HTMLElement) => void;
}

export interface RowProps {
  /** Undefined while it is not loaded. */
  readonly memory: Memory | undefined;
  readonly place: number;
  readonly total: number;
  /** Below the top of its section, in pixels. */
  readonly top: number;
  /** Whether the keyboard is here: only then it can be reached by Tab. */
  readonly current: boolean;
  readonly selected: boolean;
  readonly actions: RowActions;
}

/** Id of the link of a row. */
export const rowLink = (place: number): string => `row-${place}`;
