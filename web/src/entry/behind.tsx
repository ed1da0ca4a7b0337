import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Hit } from '../api/forms.ts';
import { unmarked, type Marker } from '../parts/marked.tsx';

/** The list over which the details of a memory open: its neighbours are a step away, and its words are marked as they are there. */
export interface Behind {
  readonly hits: readonly Hit[];
  /** How many there are with those that are not loaded; undefined where nobody knows. */
  readonly total?: number | undefined;
  /** Where each hit stands in the whole list, where not all before them are loaded. */
  readonly places?: readonly number[] | undefined;
  /** Whether it ends at the most that a search gives: more may match. */
  readonly isCut?: boolean;
  /** Loads what lies beside what is loaded, where anything does. */
  readonly more?: (() => void) | undefined;
  readonly marker: Marker;
  /** Brings the focus to what follows a memory that was forgotten. */
  readonly leave: (id: string) => void;
}

const NOTHING: Behind = { hits: [], marker: unmarked, leave: () => undefined };
const BehindContext = createContext<{ behind: Behind; put: (behind: Behind) => void }>({ behind: NOTHING, put: () => undefined });

export function BehindProvider({ children }: { children: ComponentChildren }) {
  const [behind, put] = useState(NOTHING);
  const value = useMemo(() => ({ behind, put }), [behind]);
  return <BehindContext.Provider value={value}>{children}</BehindContext.Provider>;
}

/** What lies behind the details now. */
export const useBehind = (): Behind => useContext(BehindContext).behind;

/** Says, from a view, what it shows; with the view it is gone. */
export function usePutBehind({
  hits,
  total,
  places,
  isCut = false,
  more,
  marker = unmarked,
  leave,
}: Omit<Behind, 'marker'> & Partial<Behind>): void {
  const { put } = useContext(BehindContext);
  useEffect(() => {
    put({ hits, total, places, isCut, more, marker, leave });
    return () => put(NOTHING);
  }, [hits, total, isCut, more, marker]);
}
