import { isRecord, type JsonRecord } from './json-record.ts';

/** Maximum length of front matter; anything longer is text. */
const MAX_CHARS = 64 * 1024;
const OPENING = /^---[ \t]*\r?\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*$/m;

/** A Markdown text split into front matter fields and body. */
interface Parted {
  readonly fields: JsonRecord;
  readonly body: string;
  /** Line of the file on which the body begins, from 1. */
  readonly line: number;
}

/** Whether the beginning of a text contains complete front matter. */
export function hasFrontMatter(start: string): boolean {
  return spanOf(start) !== undefined;
}

/** Offsets of the fields between the opening and closing line. */
function spanOf(text: string, maxChars = MAX_CHARS): { readonly from: number; readonly to: number } | undefined {
  const from = OPENING.exec(text)?.[0].length;
  if (from === undefined) return undefined;
  const closing = CLOSING.exec(text.slice(from, from + maxChars));
  return closing === null ? undefined : { from, to: from + closing.index };
}

/** Splits YAML front matter from a text; without it, there are no fields. Returns the reason in plain words if it is invalid. */
export async function splitFrontMatter(text: string, maxChars = MAX_CHARS): Promise<Parted | string> {
  const span = spanOf(text, maxChars);
  if (span === undefined) return { fields: {}, body: text, line: 1 };
  const after = text.indexOf('\n', span.to);
  const fields = await yamlFields(text.slice(span.from, span.to));
  if (typeof fields === 'string') return fields;
  const body = after === -1 ? '' : text.slice(after + 1);
  return { fields, body, line: text.slice(0, text.length - body.length).split('\n').length };
}

async function yamlFields(yaml: string): Promise<JsonRecord | string> {
  const { parseDocument } = await import('yaml');
  // The core schema keeps times as text and `no` as a word; repeated keys are harmless.
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
    // Nested aliases that expand exponentially.
    return 'has front matter with too many YAML aliases';
  }
}
