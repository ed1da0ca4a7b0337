import { linkTo } from '../address.ts';
import { fetchWhole } from '../api/client.ts';
import type { Memory } from '../api/responses.ts';
import { copy } from '../parts/toasts.tsx';
import { actionTexts } from './action-texts.ts';

export const copyId = ({ id }: Pick<Memory, 'id'>): void => void copy(id, actionTexts.idCopied);
export const copyLink = ({ id }: Memory): void => void copy(linkTo(id), actionTexts.linkCopied);
export const copyText = (memory: Memory): void =>
  void copy(
    fetchWhole(memory).then(({ content }) => content),
    actionTexts.textCopied,
  );

/** Copies the memories as the server returns them, for people and programs. */
export function copyJson(memories: readonly Memory[]): void {
  const json = Promise.all(memories.map((memory) => fetchWhole(memory))).then((all) =>
    JSON.stringify(all.length === 1 ? all[0] : all, undefined, 2),
  );
  void copy(json, actionTexts.jsonCopied(memories.length));
}
