import { useMemo } from 'preact/hooks';
import { about, type Relation } from '../api/entries.ts';
import { isWhole } from '../api/client.ts';
import type { Memory } from '../api/forms.ts';
import { useLoaded, type Loaded } from '../parts/use-loaded.ts';

const NONE: readonly Relation[] = [];

interface LoadedEntry extends Pick<Loaded<unknown>, 'error' | 'again'> {
  readonly memory: Memory | undefined;
  readonly relations: readonly Relation[];
}

/** The memory with this id as it is now; until it was fetched, as the list behind it has it, if that has all of it. */
export function useEntry(id: string, known: Memory | undefined): LoadedEntry {
  const { value, error, again } = useLoaded((signal) => about(id, signal), { about: id });
  // The beginning alone is nothing to read whole, and nothing to edit.
  const listed = known !== undefined && isWhole(known) ? known : undefined;
  const isGone = error?.status === 404;
  const memory = isGone ? undefined : (value?.entry ?? listed);
  return useMemo(() => ({ memory, relations: value?.relations ?? NONE, error, again }), [memory, value, error]);
}
