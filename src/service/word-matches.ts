import { isExpansion, readQuery } from '../memory/words/query-words.ts';
import type { Store } from '../store/store.ts';

/**
 * Ids of the entries in these namespaces (default all) that contain a word of a query in any form: as typed, by another name, or corrected.
 * Words that the search itself passes over, because most entries contain them, do not count. Does not depend on other conditions, so what
 * one of them leaves can be counted.
 */
export async function idsWithWords(
  store: Pick<Store, 'words' | 'whenCounted' | 'entriesWith'>,
  query: string,
  namespaces?: readonly string[],
): Promise<ReadonlySet<string>> {
  await store.whenCounted();
  const { terms, tokens } = readQuery(query, store.words);
  const asked = new Set(tokens);
  const forms = terms.flatMap(({ alternatives }) => alternatives.filter(({ kind }) => !isExpansion(kind)));
  const lists = forms.map((form) => form.tokens).filter((form) => form.some((token) => asked.has(token)));
  return await store.entriesWith(lists, namespaces);
}
