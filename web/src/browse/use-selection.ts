import { useMemo, useState } from 'preact/hooks';
import type { Memory } from '../api/forms.ts';

/** The most entries that a range takes in at once. */
export const MOST_IN_RANGE = 2000;

interface Chosen {
  /** By id: also those that are no longer in view. Empty while `all` holds. */
  readonly memories: ReadonlyMap<string, Memory>;
  /** Everything that passes the filter, also what is not loaded. */
  readonly all: boolean;
  /** The ids that were taken out of all. */
  readonly except: ReadonlySet<string>;
  /** Where a range begins. */
  readonly anchor: number;
}

const NONE: Chosen = { memories: new Map(), all: false, except: new Set(), anchor: -1 };

export interface Selection extends Chosen {
  /** How many are selected. */
  readonly number: number;
  /** With its place, where the next range begins. */
  readonly toggle: (memory: Memory, place: number) => void;
  readonly add: (memories: readonly Memory[]) => void;
  /** Everything that passes. */
  readonly addAll: () => void;
  readonly clear: () => void;
  readonly has: (id: string) => boolean;
  readonly isEmpty: boolean;
}

function toggled(before: Chosen, memory: Memory, anchor: number): Chosen {
  if (before.all) {
    const except = new Set(before.except);
    if (!except.delete(memory.id)) except.add(memory.id);
    return { ...before, except, anchor };
  }
  const memories = new Map(before.memories);
  if (!memories.delete(memory.id)) memories.set(memory.id, memory);
  return { ...before, memories, anchor };
}

function added(before: Chosen, more: readonly Memory[]): Chosen {
  const ids = new Set(more.map(({ id }) => id));
  if (before.all) return { ...before, except: new Set([...before.except].filter((id) => !ids.has(id))) };
  return { ...before, memories: new Map([...before.memories, ...more.map((one) => [one.id, one] as const)]) };
}

/** What is selected of the `total` that pass; gone when another question is asked. */
export function useSelection(identity: string, total: number): Selection {
  const [state, setState] = useState({ of: identity, chosen: NONE });
  const chosen = state.of === identity ? state.chosen : NONE;
  return useMemo(() => {
    const change = (how: (before: Chosen) => Chosen): void =>
      setState((before) => {
        const next = how(before.of === identity ? before.chosen : NONE);
        // All without any is nothing: what comes later is not to be found selected.
        return { of: identity, chosen: next.all && next.except.size >= total ? { ...NONE, anchor: next.anchor } : next };
      });
    const number = chosen.all ? Math.max(0, total - chosen.except.size) : chosen.memories.size;
    return {
      ...chosen,
      number,
      isEmpty: number === 0,
      has: (id) => (chosen.all ? !chosen.except.has(id) : chosen.memories.has(id)),
      toggle: (memory, anchor) => change((before) => toggled(before, memory, anchor)),
      add: (more) => change((before) => added(before, more)),
      addAll: () => change(({ anchor }) => ({ ...NONE, all: true, anchor })),
      clear: () => change(() => NONE),
    };
  }, [identity, total, chosen]);
}
