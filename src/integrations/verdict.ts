import type { Editor } from './part.ts';

/**
 * What stands in the place of a part: nothing; the part as it should be; one that some setup wrote otherwise (another path, an older text);
 * one that setup wrote and the user changed; or something of that name that is not ours.
 */
export type Verdict = 'missing' | 'same' | 'outdated' | 'edited' | 'foreign';

/** Judges a text. `recorded` is what the journal says was written; undefined where it knows nothing. */
export function judge(editor: Editor, text: string, recorded: string | undefined): Verdict {
  const found = editor.find(text);
  if (found === undefined) return 'missing';
  if (found === editor.wanted) return 'same';
  if (recorded !== undefined) return found === recorded ? 'outdated' : 'edited';
  return editor.isOurs(found) ? 'outdated' : 'foreign';
}
