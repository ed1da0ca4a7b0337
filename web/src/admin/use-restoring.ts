import { useState } from 'preact/hooks';
import { restore, type RestoreReport } from '../api/administration.ts';
import { ApiError } from '../api/client.ts';
import { forget } from '../api/forgetting.ts';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';

const words = texts.admin.archive;
/** As many as one request may name. */
const BATCH = 1000;

async function putBack(ids: readonly string[]): Promise<number> {
  let back = 0;
  for (let start = 0; start < ids.length; start += BATCH) back += (await forget(ids.slice(start, start + BATCH))).forgotten;
  return back;
}

/** Brings memories back from the archive, says how many came, and can take that back. */
export function useRestoring() {
  const { changed } = useServer();
  const [isRestoring, setIsRestoring] = useState(false);
  const undo = async (ids: readonly string[]): Promise<void> => {
    try {
      toast(words.putBack(await putBack(ids)), { icon: 'archive' });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(error.message, { bad: true });
    }
    changed();
  };
  const tell = ({ restored, skipped }: RestoreReport): void => {
    if (restored.length > 0) toast(words.restored(restored.length), { icon: 'restore', undo: () => void undo(restored) });
    const [first] = skipped;
    if (first !== undefined) toast(words.skipped(skipped.length, first.reason), { bad: true });
  };
  const run = async (which: Parameters<typeof restore>[0]): Promise<void> => {
    setIsRestoring(true);
    try {
      tell(await restore(which));
      changed();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      toast(words.notRestored(error.message), { bad: true });
    } finally {
      setIsRestoring(false);
    }
  };
  return {
    isRestoring,
    restoreIds: (ids: readonly string[]) => void run({ ids }),
    restoreRun: (name: string) => void run({ run: name }),
  };
}
