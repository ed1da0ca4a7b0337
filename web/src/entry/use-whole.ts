import { isWhole, whole } from '../api/client.ts';
import type { Memory } from '../api/forms.ts';
import { useLoaded } from '../parts/use-loaded.ts';

/** The whole memory; its beginning while it loads. */
export function useWhole(memory: Memory): Memory {
  const isAll = isWhole(memory);
  const { value } = useLoaded((signal) => whole(memory, signal), { about: `${memory.id} ${memory.metadata.updatedAt} ${isAll}` });
  return isAll ? memory : (value ?? memory);
}
