import type { Editor, PartOf } from './part.ts';
import { isOurServer } from './server-entry.ts';

/** The words that every file of ours has in it somewhere. */
export const SIGNATURE = 'lore setup';

const plain = (text: string): string => text.replaceAll('\r\n', '\n');

/** JSON cannot say who wrote it. */
function namesOurServer(text: string): boolean {
  try {
    return isOurServer(JSON.parse(text)) || /(?:\blore|run\.js(?:\\?["'])?) hook \w+ --client \w+/.test(text);
  } catch {
    return false;
  }
}

/** A file that holds the part and nothing else. */
export function wholeEditor(part: PartOf<'whole'>): Editor {
  return {
    wanted: part.text,
    fault: () => undefined,
    find: (text) => (text === '' ? undefined : plain(text)),
    isOurs: (found) => found.includes(SIGNATURE) || namesOurServer(found),
    put: () => part.text,
    take: () => '',
    makes: () => [],
  };
}
