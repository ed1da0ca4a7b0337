import { call } from './client.ts';
import type { Hit } from './forms.ts';

interface NearWish {
  readonly content: string;
  /** Empty for the server's own. */
  readonly namespace: string;
  readonly global: boolean;
}

/** The memories that say nearly the same, or something else of the same subject, at most five: those that the receipt would name. Stores nothing; asks for no key. */
export async function nearTo({ content, namespace, global }: NearWish, signal?: AbortSignal): Promise<readonly Hit[]> {
  const body = { content, ...(global ? { global: true } : namespace !== '' && { namespace }) };
  const { results } = await call<{ results: readonly Hit[] }>('near', { method: 'POST', body, signal, askForKey: false });
  return results;
}
