import { useMemo, useState } from 'preact/hooks';
import type { Memory } from '../api/forms.ts';

/** The most entries that a range takes in at once. */
export const MOST_IN_RANGE = 2000;

interface Chosen {
  /** By id: also those that are no longer in view. */
  readonly memories: ReadonlyMap<string, Memory>;
  /** Everything that passes the filter, also what is not loaded. */
  readonly all: boolean;
  /** Where a range begins. */
  readonly anchor: number;
}

const NONE: Chosen = { memories: new Map(), all: false, anchor: -1 };

export interface Selection extends Chosen {
  /** With its place, where the next range begins. */
  readonly toggle: (memory: Memory, place: number) => void;
  readonly add: (memories: readonly Memory[]) => void;
  /** Everything that passes, of which these are loaded. */
  readonly addAll: (loaded: readonly Memory[]) => void;
  readonly clear: () => void;
  readonly has: (id: string) => boolean;
  readonly isEmpty: boolean;
}

/** What is selected; gone when another question is asked. */
export function useSelection(identity: string): Selection {
  const [state, setState] = useState({ of: identity, chosen: NONE });
  const chosen = state.of === identity ? state.chosen : NONE;
  return useMemo(() => {
    const change = (how: (before: Chosen) => Chosen): void =>
      setState((before) => ({ of: identity, chosen: how(before.of === identity ? before.chosen : NONE) }));
    return {
      ...chosen,
      isEmpty: !chosen.all && chosen.memories.size === 0,
      has: (id) => chosen.all || chosen.memories.has(id),
      toggle: (memory, anchor) =>
        change(({ memories: before }) => {
          const memories = new Map(before);
          if (!memories.delete(memory.id)) memories.set(memory.id, memory);
          return { memories, anchor, all: false };
        }),
      add: (more) =>
        change((before) => ({ ...before, memories: new Map([...before.memories, ...more.map((one) => [one.id, one] as const)]) })),
      addAll: (loaded) => change((before) => ({ ...before, all: true, memories: new Map(loaded.map((one) => [one.id, one])) })),
      clear: () => change(() => NONE),
    };
  }, [identity, chosen]);
}
