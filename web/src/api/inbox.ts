import type { CaptureReviewReport, CaptureReviewRequest } from '../../../src/memory/operations/capture-operations.ts';
import { call } from './client.ts';
import type { ListAnswer } from './forms.ts';

const SHOWN = 20;

export type Verdict = CaptureReviewRequest['verdict'];

/** Unconfirmed captured memories, newest first; of one namespace if the key is bound to it. */
export function inbox(namespace: string | undefined, signal: AbortSignal): Promise<ListAnswer> {
  const query = new URLSearchParams({ pending: 'true', limit: String(SHOWN) });
  if (namespace === undefined) query.set('allNamespaces', 'true');
  else query.set('namespace', namespace);
  return call('list', { query, signal });
}

/** Confirms or archives captured memories. */
export const review = (ids: readonly string[], verdict: Verdict): Promise<CaptureReviewReport> =>
  call('capture/review', { method: 'POST', body: { ids, verdict }, unlimited: true });
