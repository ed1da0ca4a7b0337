import { LoreError } from '../../memory/errors.ts';
import { readExportHeader } from '../../memory/operations/export-header.ts';
import type { SourcePassage } from '../../memory/operations/source-operations.ts';
import { Findings } from './findings.ts';
import { hasText, recordPassage } from './json-records.ts';
import { jsonValue } from './json-text.ts';
import { MEGABYTE, type Reader } from './reader.ts';
import { decodeText, plainText } from './text-decoding.ts';

/** Reads JSON Lines: one entry per line, with tags and date if present; a line without a text field is stored as it is. */
export const jsonLinesReader: Reader = {
  name: 'jsonl',
  maxBytes: 32 * MEGABYTE,
  isolatedFrom: Number.POSITIVE_INFINITY,
  read: ({ bytes, name }) => {
    const { text, note } = decodeText(bytes, name);
    const findings = new Findings();
    const passages = text.split('\n').flatMap((line, at) => linePassage(line, { name, number: at + 1, findings }));
    return {
      format: 'jsonl',
      documents: [{ passages }],
      found: findings.found,
      leftOut: findings.leftOut,
      notes: note === undefined ? [] : [note],
    };
  },
};

interface LinePlace {
  readonly name: string;
  /** Line number from 1. */
  readonly number: number;
  readonly findings: Findings;
}

function linePassage(line: string, { name, number, findings }: LinePlace): SourcePassage[] {
  if (line.trim() === '') return [];
  const value = jsonValue(line);
  if (value === undefined) throw new LoreError('invalid_input', `${name}:${number} is not valid JSON.`);
  if (readExportHeader(value) !== undefined) {
    throw new LoreError('unsupported_media_type', `${name} is an export of Lore.`, { hint: '`lore import` reads it, with ids and dates.' });
  }
  findings.count('lines');
  const text = typeof value === 'string' ? plainText(value).trim() : undefined;
  const passage = hasText(value) ? recordPassage(value, findings) : { content: text ?? line.trim() };
  if (passage === undefined || passage.content === '' || value === null) {
    findings.leaveOut('lines without text', `line ${number}`);
    return [];
  }
  return [{ ...passage, start: number, end: number }];
}
