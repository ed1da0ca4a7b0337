import { LoreError } from '../../memory/errors.ts';
import type { SourcePassage } from '../../memory/operations/source-operations.ts';
import { Findings } from './findings.ts';
import { hasText, recordList, recordPassage } from './json-records.ts';
import { MEGABYTE, type Reader, type ReadOptions } from './reader.ts';
import { decodeText } from './text-decoding.ts';
import { textPassages } from './text-passages.ts';

/** Reads JSON: each object with a text field is an entry; any other document is read as text. */
export const jsonReader: Reader = {
  name: 'json',
  maxBytes: 32 * MEGABYTE,
  isolatedFrom: Number.POSITIVE_INFINITY,
  read: ({ bytes, name }, options) => {
    const { text, note } = decodeText(bytes, name);
    const findings = new Findings();
    const document = parsedJson(text, name);
    const records = hasText(document) ? [document] : recordList(document);
    const passages = records === undefined ? jsonText(text, document, options) : recordPassages(records, findings);
    return {
      format: 'json',
      documents: [{ passages }],
      found: findings.found,
      leftOut: findings.leftOut,
      notes: note === undefined ? [] : [note],
    };
  },
};

/** Parses JSON. Throws `invalid_input` with the line, if the parser reports the position. */
export function parsedJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const position = /at position (\d+)/.exec(cause instanceof Error ? cause.message : '')?.[1];
    const line = position === undefined ? '' : `:${text.slice(0, Number(position)).split('\n').length}`;
    throw new LoreError('invalid_input', `${name}${line} is not valid JSON.`, { cause });
  }
}

function recordPassages(records: readonly unknown[], findings: Findings): SourcePassage[] {
  return records.flatMap((record, at) => {
    const passage = hasText(record) ? recordPassage(record, findings) : undefined;
    findings.count('records');
    if (passage === undefined) findings.leaveOut('records without text', `record ${at + 1}`);
    return passage === undefined ? [] : [{ ...passage, details: { record: at + 1 } }];
  });
}

/** Reads a document as text; single-line JSON is indented first, so that it can be split. */
function jsonText(text: string, document: unknown, options: ReadOptions): SourcePassage[] {
  const isLaidOut = text.trim().includes('\n');
  const shown = isLaidOut ? undefined : laidOut(document);
  return textPassages(shown ?? text, options, { line: shown === undefined ? 1 : undefined });
}

/** Indented JSON; undefined if it is nested too deeply. */
function laidOut(document: unknown): string | undefined {
  try {
    return JSON.stringify(document, undefined, 2);
  } catch {
    return undefined;
  }
}
