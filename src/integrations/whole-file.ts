import type { Editor, PartOf } from './part.ts';
import { isOurServer } from './server-entry.ts';

/** Text that every file of ours contains. */
export const SIGNATURE = 'lore setup';

const plain = (text: string): string => text.replaceAll('\r\n', '\n');

/** Whether a JSON file, which has no place for the signature, contains our server or hooks. */
function namesOurServer(text: string): boolean {
  try {
    return isOurServer(JSON.parse(text)) || /(?:\blore|run\.js(?:\\?["'])?) hook \w+ --client \w+/.test(text);
  } catch {
    return false;
  }
}

/** Edits a file that contains only the part. */
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
