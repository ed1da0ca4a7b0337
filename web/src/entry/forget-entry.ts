import { ApiError } from '../api/client.ts';
import { bringBack, forget } from '../api/forgetting.ts';
import { toast } from '../parts/toasts.tsx';
import { texts } from '../texts.ts';

/** Forgets a memory at once, and offers to bring it back. Resolves with whether it is gone. */
export async function forgetEntry(id: string, changed: () => void): Promise<boolean> {
  try {
    const { run } = await forget([id]);
    const undo = (): void => void restore(run, changed);
    toast(texts.forget.done, { icon: 'forget', undo });
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    if (failure.status !== 404) {
      toast(texts.forget.failed(failure.message), { bad: true });
      return false;
    }
    // Someone else was faster: what was wanted is so.
    toast(texts.forget.gone);
  }
  changed();
  return true;
}

async function restore(run: string, changed: () => void): Promise<void> {
  try {
    toast(texts.forget.back(await bringBack(run)), { icon: 'restore' });
    changed();
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    toast(texts.forget.notBack(failure.message), { bad: true });
  }
}
