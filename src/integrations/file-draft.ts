import { editorOf } from './part-editor.ts';
import { digest, readState, type FileState } from './atomic-files.ts';
import type { EditedFile, Journal } from './journal.ts';
import type { JsonPath } from './json-text.ts';
import type { Part } from './part.ts';

/** A file with its planned new text. */
export interface Draft {
  readonly state: FileState;
  /** The journal's record of the file; undefined if there is none or none of our parts is left in the file. */
  readonly record: EditedFile | undefined;
  /** The file is byte for byte what setup wrote. */
  readonly isUntouched: boolean;
  /** Without byte order mark. */
  text: string;
  /** Containers that this run created for the parts. */
  made: JsonPath[];
}

/** Drafts by the real path of the file. Each file is read once. */
export class Drafts {
  readonly #journal: Journal;
  readonly #drafts = new Map<string, Draft>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** The draft of a file; every path to the same file gives the same draft. Errors: those of `readState`. */
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

  /** All open drafts. */
  all(): Draft[] {
    return [...this.#drafts.values()];
  }
}

/** Whether a text contains the part, or is broken so that this cannot be determined. */
function mayHold(text: string, part: Part): boolean {
  const editor = editorOf(part);
  return editor.fault(text) !== undefined || editor.find(text) !== undefined;
}

/** Whether the draft differs from the file. */
export function isChanged({ state, text }: Draft): boolean {
  return state.bytes === undefined ? text !== '' : text !== state.text;
}

/** The bytes to write. */
export function bytesOf({ state, text }: Draft): Buffer {
  return Buffer.from(state.mark + text);
}
