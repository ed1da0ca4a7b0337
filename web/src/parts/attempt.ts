import { ApiError } from '../api/client.ts';
import { toast } from './toasts.tsx';

/** Does it. What the server refuses is said in a toast, in the words given; whether it was done. */
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
