import type { Editor, PartOf } from './part.ts';

/** The words that every file of ours has in it somewhere. */
export const SIGNATURE = 'lore setup';

const plain = (text: string): string => text.replaceAll('\r\n', '\n');

/** A file that holds the part and nothing else. */
export function wholeEditor(part: PartOf<'whole'>): Editor {
  return {
    wanted: part.text,
    fault: () => undefined,
    find: (text) => (text === '' ? undefined : plain(text)),
    isOurs: (found) => found.includes(SIGNATURE),
    put: () => part.text,
    take: () => '',
    makes: () => [],
  };
}
