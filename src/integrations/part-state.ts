import type { Editor } from './part.ts';

/**
 * State of a part in a file: absent; current; written by another setup (other paths, an older text); written by setup and changed by the user; or
 * not ours, but with the same name.
 */
export type PartState = 'missing' | 'same' | 'outdated' | 'edited' | 'foreign';

/** The state of a part in a text. `recorded`: the content in the journal; undefined if it has none. */
export function partStateOf(editor: Editor, text: string, recorded: string | undefined): PartState {
  const found = editor.find(text);
  if (found === undefined) return 'missing';
  if (found === editor.wanted) return 'same';
  if (recorded !== undefined) return found === recorded ? 'outdated' : 'edited';
  return editor.isOurs(found) ? 'outdated' : 'foreign';
}
