import { Findings, type LeftOut } from '../../../src/sources/readers/findings.ts';
import { noteItems } from '../../../src/sources/readers/markdown-note.ts';
import { MAX_FILES, type ChosenFile } from './chosen-files.ts';

/** A longer text is no note. The server refuses it anyway. */
const MAX_BYTES = 4 * 1024 * 1024;
const MARKDOWN = /\.(?:md|markdown)$/i;

export const isNote = ({ path }: ChosenFile): boolean => MARKDOWN.test(path);

/** Files of another kind as lines for the import. */
export interface ConvertedLines {
  readonly from: 'notes' | 'rows';
  readonly lines: Blob;
  /** File of each line, or row of the table. */
  readonly places: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/** Reads the Markdown files as `lore import` does: each becomes one memory, with the fields of its front matter. */
export async function notesOf(files: readonly ChosenFile[], signal: AbortSignal): Promise<ConvertedLines> {
  const findings = new Findings();
  const [lines, places]: [string[], string[]] = [[], []];
  if (files.length >= MAX_FILES) findings.leaveOut(`files after the first ${MAX_FILES.toLocaleString('en')}`);
  for (const { path, file } of files) {
    signal.throwIfAborted();
    if (!MARKDOWN.test(path)) {
      findings.leaveOut('files that are not Markdown', path);
      continue;
    }
    const text = file.size > MAX_BYTES ? undefined : await textOf(file);
    if (text === undefined) {
      findings.leaveOut('files that are not readable text, or too long', path);
      continue;
    }
    for await (const item of noteItems({ path, text, place: path, modifiedMs: file.lastModified }, { findings })) {
      if ('problem' in item) findings.leaveOut('files that cannot be read', `${path} ${item.problem}`);
      else {
        lines.push(`${JSON.stringify(item.entry)}\n`);
        places.push(item.place);
      }
    }
  }
  return { from: 'notes', lines: new Blob(lines), places, leftOut: findings.leftOut };
}

/** The text of a file in UTF-8; undefined if it is something else, or gone. */
export async function textOf(file: File): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}
