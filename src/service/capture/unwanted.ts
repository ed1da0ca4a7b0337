import { comparedWith } from '../../memory/same-fact/likeness.ts';
import type { Store } from '../../store/store.ts';

/** Similarity of the words from which a text counts as one that was marked never to be captured again. */
const UNWANTED_FROM = 0.85;

/** Whether this text, or nearly the same in this namespace, was marked never to be captured again. */
export async function isUnwanted(
  store: Pick<Store, 'auxiliary'>,
  { content, namespace }: { readonly content: string; readonly namespace: string },
): Promise<boolean> {
  const unwanted = await store.auxiliary.archive.find('reason', 'unwanted');
  const compare = comparedWith(content, UNWANTED_FROM);
  return unwanted.some(({ entry }) => {
    if (entry.namespace !== namespace) return false;
    const likeness = compare(entry.content);
    return likeness !== undefined && likeness.telling === undefined;
  });
}
