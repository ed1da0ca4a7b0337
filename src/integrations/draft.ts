import { editorOf } from './editor.ts';
import { digest, readState, type FileState } from './files.ts';
import type { EditedFile, Journal } from './journal.ts';
import type { JsonPath } from './json-text.ts';
import type { Part } from './part.ts';

/** A file as it is and as it is going to be. */
export interface Draft {
  readonly state: FileState;
  /** What the journal knows of it; undefined also where nothing of that is in the file any more. */
  readonly record: EditedFile | undefined;
  /** The file is, byte for byte, what setup left behind. */
  readonly isUntouched: boolean;
  /** Without byte order mark. */
  text: string;
  /** What was made on the way in this run. */
  made: JsonPath[];
}

/** Files by their real paths, each read once. */
export class Drafts {
  readonly #journal: Journal;
  readonly #drafts = new Map<string, Draft>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The draft of a file, the same for every path that leads to it. Errors: those of `readState`. */
  async open(path: string): Promise<Draft> {
    const state = await readState(path);
    const known = this.#drafts.get(state.real);
    if (known !== undefined) return known;
    const record = this.#journal.get(state.real);
    const isUntouched = record !== undefined && state.bytes !== undefined && digest(state.bytes) === record.after;
    const isThere = isUntouched || record?.parts.some(({ part }) => mayHold(state.text, part)) === true;
    const draft: Draft = { state, record: isThere ? record : undefined, isUntouched, text: state.text, made: [] };
    this.#drafts.set(state.real, draft);
    return draft;
  }

  /** All that were opened. */
  all(): Draft[] {
    return [...this.#drafts.values()];
  }
}

/** Also where the text is broken and nobody can tell. */
function mayHold(text: string, part: Part): boolean {
  const editor = editorOf(part);
  return editor.fault(text) !== undefined || editor.find(text) !== undefined;
}

/** Whether the draft differs from the file. */
export function isChanged({ state, text }: Draft): boolean {
  return state.bytes === undefined ? text !== '' : text !== state.text;
}

/** The bytes that the draft is written as. */
export function bytesOf({ state, text }: Draft): Buffer {
  return Buffer.from(state.mark + text);
}
