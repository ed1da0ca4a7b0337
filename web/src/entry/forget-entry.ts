import { ApiError } from '../api/client.ts';
import { bringBack, forget } from '../api/forgetting.ts';
import { toast, attempt } from '../parts/toasts.tsx';
import { entryTexts } from './texts.ts';

interface Forgetting {
  /** Called when it is archived. */
  readonly onGone: () => void;
  /** Called when the store changed: archived or restored. */
  readonly changed: () => void;
}

/** Archives a memory at once and offers undo. */
export async function forgetEntry(id: string, { onGone, changed }: Forgetting): Promise<void> {
  try {
    const { run } = await forget([id]);
    const undo = (): void => void restore(run, changed);
    toast(entryTexts.forget.done, { icon: 'forget', undo });
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    if (failure.status !== 404) {
      return toast(entryTexts.forget.failed(failure.message), { bad: true });
    }
    // It was already removed: the result is the same.
    toast(entryTexts.forget.gone);
  }
  onGone();
  changed();
}

async function restore(run: string, changed: () => void): Promise<void> {
  await attempt(async () => {
    toast(entryTexts.forget.back(await bringBack(run)), { icon: 'restore' });
    changed();
  }, entryTexts.forget.notBack);
}
