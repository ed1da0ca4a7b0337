import type { ForgetRequest } from '../../../src/memory/operations/lifecycle-operations.ts';
import type { z } from 'zod';
import type { lifecycle } from '../../../src/operations/lifecycle.ts';
import { call, lore } from './client.ts';

export interface Forgotten {
  readonly forgotten: number;
  /** To bring them back by. */
  readonly run: string;
}

/** Which entries: by their ids, at most 1,000, or by conditions. */
export type Selected = Omit<ForgetRequest, 'permanent' | 'confirm'>;

type ForgetAnswer = z.input<(typeof lifecycle)['forgetMany']['result']>;

/** What forgetting would take away, and the token with which `forgetFound` does just that. Changes nothing. */
export function lookBeforeForgetting(selected: Selected, signal?: AbortSignal): Promise<ForgetAnswer> {
  return call('forget', { method: 'POST', body: selected, signal });
}

/** Puts into the archive what the token was given for; rejects where something else matches by now. */
export async function forgetFound(selected: Selected, token: string): Promise<Forgotten> {
  const body = { ...selected, confirm: token };
  const { matches, run = '' } = await call<ForgetAnswer>('forget', { method: 'POST', body, unlimited: true });
  return { forgotten: matches, run };
}

/** Puts entries into the archive, at most 1,000; those that are gone already are left out. Rejects with status 404 where all of them are. */
export async function forget(ids: readonly string[]): Promise<Forgotten> {
  const selected = { ids: [...ids] };
  const { token = '' } = await lookBeforeForgetting(selected);
  return await forgetFound(selected, token);
}

/** Brings back what a run put away. Resolves with how many came back: one whose text was saved again meanwhile stays where it is. */
export async function bringBack(run: string): Promise<number> {
  return (await lore.lifecycle.restore({ run })).restored.length;
}
