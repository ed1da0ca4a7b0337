import { useState } from 'preact/hooks';
import { backUp } from '../api/administration.ts';
import { attempt } from '../parts/attempt.ts';
import { toast } from '../parts/toasts.tsx';
import { useServer } from '../shell/server.tsx';
import { dataTexts } from './data-texts.ts';

const words = dataTexts.backup;

/** Makes one backup at a time and reports the result. */
export function useBackingUp(): { readonly isBackingUp: boolean; readonly backUpNow: () => void } {
  const { changed } = useServer();
  const [isBackingUp, setIsBackingUp] = useState(false);
  const work = async (): Promise<void> => {
    setIsBackingUp(true);
    await attempt(async () => {
      const { entries } = await backUp();
      toast(words.done(entries), { icon: 'archive' });
      changed();
    }, words.failed);
    setIsBackingUp(false);
  };
  return { isBackingUp, backUpNow: () => void work() };
}
