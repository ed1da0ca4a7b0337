import { call } from './client.ts';
import type { Hit } from './responses.ts';

interface NearInput {
  readonly content: string;
  /** Empty for the server's default. */
  readonly namespace: string;
  readonly global: boolean;
}

/** Up to five near duplicates or conflicting memories, as a receipt would list them. Stores nothing; never asks for a key. */
export async function nearTo({ content, namespace, global }: NearInput, signal?: AbortSignal): Promise<readonly Hit[]> {
  const body = { content, ...(global ? { global: true } : namespace !== '' && { namespace }) };
  const { results } = await call<{ results: readonly Hit[] }>('near', { method: 'POST', body, signal, askForKey: false });
  return results;
}
