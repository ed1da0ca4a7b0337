import { LoreError } from '../../memory/errors.ts';
import { Findings } from './findings.ts';
import type { JsonRecord } from './json-record.ts';
import { parsedJson } from './json.ts';
import type { FormatName, ReaderInput, Reading, SourceDocument } from './reader.ts';
import { decodeText } from './text-decoding.ts';

interface ChatExport {
  readonly format: FormatName;
  readonly isConversation: (value: unknown) => value is JsonRecord;
  readonly documentOf: (conversation: JsonRecord, findings: Findings) => SourceDocument;
}

/** Reads one conversation or a list of them. Each is a separate document, so that a later export only adds new ones. */
export function chatReading({ bytes, name }: ReaderInput, { format, isConversation, documentOf }: ChatExport): Reading {
  const { text, note } = decodeText(bytes, name);
  const value = parsedJson(text, name);
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const findings = new Findings();
  const documents = new Map<string, SourceDocument>();
  for (const record of list) {
    if (!isConversation(record)) {
      findings.leaveOut('entries that are not conversations');
      continue;
    }
    const document = documentOf(record, findings);
    findings.count('conversations');
    if (document.passages.length === 0) findings.leaveOut('conversations without text');
    else documents.set(document.key?.path ?? '', document);
  }
  if (findings.found['conversations'] === undefined) throw new LoreError('invalid_input', `${name} contains no conversations.`);
  return {
    format,
    documents: [...documents.values()],
    found: findings.found,
    leftOut: findings.leftOut,
    notes: note === undefined ? [] : [note],
  };
}
