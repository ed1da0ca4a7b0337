import type { ForgetRequest } from '../../../src/memory/operations/lifecycle-operations.ts';
import type { z } from 'zod';
import type { lifecycle } from '../../../src/operations/lifecycle.ts';
import { call, lore } from './client.ts';

export interface Forgotten {
  readonly forgotten: number;
  readonly run: string;
}

/** Entries by ids (at most 1,000) or by conditions. */
export type Selected = Omit<ForgetRequest, 'permanent' | 'confirm'>;

type ForgetResponse = z.input<(typeof lifecycle)['forgetMany']['result']>;

/** Preview of forgetting, with the token for `confirmForget`. Changes nothing. */
export function previewForget(selected: Selected, signal?: AbortSignal): Promise<ForgetResponse> {
  return call('forget', { method: 'POST', body: selected, signal });
}

/** Archives the entries of the preview. Rejects if the matching entries have changed. */
export async function confirmForget(selected: Selected, token: string): Promise<Forgotten> {
  const { matches, run = '' } = await lore.lifecycle.forgetMany({ ...selected, confirm: token });
  return { forgotten: matches, run };
}

/** Archives up to 1,000 entries and skips missing ones. Rejects with status 404 if all are missing. */
export async function forget(ids: readonly string[]): Promise<Forgotten> {
  const selected = { ids: [...ids] };
  const { token = '' } = await previewForget(selected);
  return await confirmForget(selected, token);
}

/** Restores the entries of a run. Resolves with their number; an entry whose text was saved again stays archived. */
export async function restoreRun(run: string): Promise<number> {
  return (await lore.lifecycle.restore({ run })).restored.length;
}
