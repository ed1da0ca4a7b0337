import type { RestoreReport } from '../api/administration.ts';
import { lore } from '../api/client.ts';
import { toast, useBusy } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { texts } from '../texts.ts';

const words = texts.archive;

/**
 * Restores memories from the archive and reports how many. Offers no undo: archiving them again would change their reason, run and day.
 */
export function useRestoring() {
  const { changed } = useServer();
  const { isBusy, during } = useBusy();
  const tell = ({ restored, skipped }: RestoreReport): void => {
    if (restored.length > 0) toast(words.restored(restored.length), { icon: 'restore' });
    const [first] = skipped;
    if (first !== undefined) toast(words.skipped(skipped.length, first.reason), { bad: true });
  };
  const run = (which: Parameters<typeof lore.lifecycle.restore>[0]): Promise<boolean> =>
    during(async () => {
      tell(await lore.lifecycle.restore(which));
      changed();
    }, words.notRestored);
  return {
    isRestoring: isBusy,
    restoreIds: (ids: readonly string[]) => void run({ ids: [...ids] }),
    restoreRun: (name: string) => void run({ run: name }),
  };
}
