import { entry, isWhole } from '../api/client.ts';
import type { Memory } from '../api/forms.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** All of a memory from a list; its beginning until the rest was fetched. */
export function useWhole(memory: Memory): Memory {
  const { id, metadata } = memory;
  const isCut = !isWhole(memory);
  const { value } = useLoaded((signal) => (isCut ? entry(id, signal) : Promise.resolve(memory)), {
    about: `${id} ${metadata.updatedAt} ${isCut}`,
  });
  return isCut ? (value ?? memory) : memory;
}
