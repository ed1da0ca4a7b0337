import { ApiError } from '../api/client.ts';
import { restoreRun, forget } from '../api/forgetting.ts';
import { toast, attempt } from '../parts/toasts.tsx';
import { actionTexts } from './action-texts.ts';

interface Forgetting {
  /** Called when it is archived. */
  readonly onGone: () => void;
  readonly changed: () => void;
}

/** Archives a memory at once and offers undo. */
export async function forgetEntry(id: string, { onGone, changed }: Forgetting): Promise<void> {
  try {
    const { run } = await forget([id]);
    const undo = (): void => void restore(run, changed);
    toast(actionTexts.forget.done, { icon: 'forget', undo });
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    if (failure.status !== 404) {
      return toast(actionTexts.forget.failed(failure.message), { bad: true });
    }
    // It was already removed: the result is the same.
    toast(actionTexts.forget.gone);
  }
  onGone();
  changed();
}

async function restore(run: string, changed: () => void): Promise<void> {
  await attempt(async () => {
    toast(actionTexts.forget.back(await restoreRun(run)), { icon: 'restore' });
    changed();
  }, actionTexts.forget.notBack);
}
