import { useMemo } from 'preact/hooks';
import { about, type Relation } from '../api/entries.ts';
import type { Memory } from '../api/forms.ts';
import { useLoaded, type Loaded } from '../parts/use-loaded.ts';

const NONE: readonly Relation[] = [];

interface LoadedEntry extends Pick<Loaded<unknown>, 'error' | 'again'> {
  readonly memory: Memory | undefined;
  readonly relations: readonly Relation[];
}

/** The memory with this id as it is now; until it was fetched, as the list behind it has it. */
export function useEntry(id: string, known: Memory | undefined): LoadedEntry {
  const { value, error, again } = useLoaded((signal) => about(id, signal), { about: id });
  const isGone = error?.status === 404;
  const memory = isGone ? undefined : (value?.entry ?? known);
  return useMemo(() => ({ memory, relations: value?.relations ?? NONE, error, again }), [memory, value, error]);
}
