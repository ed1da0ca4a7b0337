import { isRecord, type JsonRecord } from './records.ts';

/** Front matter is a few lines; what begins like it and goes on for longer is text. */
const MAX_CHARS = 64 * 1024;
const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*$/m;

/** A Markdown text in two: the fields above it, and what follows. */
export interface Parted {
  readonly fields: JsonRecord;
  readonly body: string;
  /** Line of the file on which the body begins, from 1. */
  readonly line: number;
}

/** Parts YAML front matter from a text; a text without it has no fields. Returns the reason, in plain words, where it cannot be read. */
export async function partFrontMatter(text: string): Promise<Parted | string> {
  const opening = OPENING.exec(text)?.[0];
  const closing = opening === undefined ? null : CLOSING.exec(text.slice(opening.length, opening.length + MAX_CHARS));
  if (opening === undefined || closing === null) return { fields: {}, body: text, line: 1 };
  const yaml = text.slice(opening.length, opening.length + closing.index);
  const after = text.indexOf('\n', opening.length + closing.index);
  const fields = await yamlFields(yaml);
  if (typeof fields === 'string') return fields;
  const body = after === -1 ? '' : text.slice(after + 1);
  return { fields, body, line: text.slice(0, text.length - body.length).split('\n').length };
}

async function yamlFields(yaml: string): Promise<JsonRecord | string> {
  const { parseDocument } = await import('yaml');
  // Times stay texts and `no` a word in the core schema; a repeated key is a fault of the note that costs nothing.
  const document = parseDocument(yaml, { schema: 'core', logLevel: 'error', uniqueKeys: false });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const line = fault.linePos?.[0].line;
    const message = fault.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? '';
    return `has front matter that is not valid YAML${line === undefined ? '' : ` (line ${line + 1})`}: ${message}`;
  }
  try {
    const value: unknown = document.toJS();
    if (value === null || value === undefined) return {};
    return isRecord(value) ? value : 'has front matter that is not a list of fields';
  } catch {
    // Aliases of aliases, made to grow without end.
    return 'has front matter with too many YAML aliases';
  }
}
