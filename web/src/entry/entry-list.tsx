import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Hit } from '../api/responses.ts';
import { unmarked, type Marker } from '../parts/marked.tsx';

/** The list that the open memory was chosen from: its neighbours, and the words to mark. */
export interface EntryList {
  readonly hits: readonly Hit[];
  /** Total number including entries that are not loaded; undefined if unknown. */
  readonly total?: number | undefined;
  /** Index of each hit in the whole list, if not all earlier ones are loaded. */
  readonly places?: readonly number[] | undefined;
  /** Whether the list ends at the search limit: more may match. */
  readonly isCut?: boolean;
  /** Loads more entries next to the loaded ones, if there are any. */
  readonly more?: (() => void) | undefined;
  readonly marker: Marker;
  /** Focuses the row after a forgotten memory. */
  readonly leave: (id: string) => void;
}

const NOTHING: EntryList = { hits: [], marker: unmarked, leave: () => undefined };
const EntryListContext = createContext<{ list: EntryList; put: (list: EntryList) => void }>({ list: NOTHING, put: () => undefined });

export function EntryListProvider({ children }: { children: ComponentChildren }) {
  const [list, put] = useState(NOTHING);
  const value = useMemo(() => ({ list, put }), [list]);
  return <EntryListContext.Provider value={value}>{children}</EntryListContext.Provider>;
}

export const useEntryList = (): EntryList => useContext(EntryListContext).list;

/** Registers the list of a view while the view is mounted. */
export function useRegisterEntryList({
  hits,
  total,
  places,
  isCut = false,
  more,
  marker = unmarked,
  leave,
}: Omit<EntryList, 'marker'> & Partial<EntryList>): void {
  const { put } = useContext(EntryListContext);
  useEffect(() => {
    put({ hits, total, places, isCut, more, marker, leave });
    return () => put(NOTHING);
  }, [hits, total, isCut, more, marker]);
}
