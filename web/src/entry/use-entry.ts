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

/** The current memory with this id; until it is loaded, the list's version if that is complete. */
export function useEntry(id: string, known: Memory | undefined): LoadedEntry {
  const { value, error, again } = useLoaded((signal) => about(id, signal), { about: id });
  // The beginning alone can be neither read nor edited.
  const listed = known !== undefined && isWhole(known) ? known : undefined;
  const isGone = error?.status === 404;
  const memory = isGone ? undefined : (value?.entry ?? listed);
  return useMemo(() => ({ memory, relations: value?.relations ?? NONE, error, again }), [memory, value, error]);
}
