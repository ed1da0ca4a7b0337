import { ApiError } from '../api/client.ts';
import { toast } from './toasts.tsx';

/** Runs an action and shows a failure in a toast. Resolves with whether it succeeded. */
export async function attempt(work: () => Promise<unknown>, refused: (message: string) => string): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    toast(refused(error.message), { bad: true });
    return false;
  }
}
