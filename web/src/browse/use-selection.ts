import { useMemo, useState } from 'preact/hooks';
import type { Memory } from '../api/responses.ts';

/** Maximum number of entries in one range selection. */
export const MOST_IN_RANGE = 2000;

interface Chosen {
  /** Selected entries by id, including invisible ones. Empty while `all` is set. */
  readonly memories: ReadonlyMap<string, Memory>;
  /** All matching entries, including those not loaded. */
  readonly all: boolean;
  /** Ids that were excluded from all. */
  readonly except: ReadonlySet<string>;
  /** Start of a range selection. */
  readonly anchor: number;
}

const NONE: Chosen = { memories: new Map(), all: false, except: new Set(), anchor: -1 };

export interface Selection extends Chosen {
  readonly number: number;
  /** With its index, the start of the next range. */
  readonly toggle: (memory: Memory, place: number) => void;
  readonly add: (memories: readonly Memory[]) => void;
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

/** The selection among `total` matching entries; cleared when the query changes. */
export function useSelection(identity: string, total: number): Selection {
  const [state, setState] = useState({ of: identity, chosen: NONE });
  const chosen = state.of === identity ? state.chosen : NONE;
  return useMemo(() => {
    const change = (how: (before: Chosen) => Chosen): void =>
      setState((before) => {
        const next = how(before.of === identity ? before.chosen : NONE);
        // "All" without any entry is cleared, so that later entries are not selected.
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
