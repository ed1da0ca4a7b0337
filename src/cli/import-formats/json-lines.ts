import { readExportHeader, type ReadHeader } from '../../memory/operations/export-header.ts';
import { isRecord } from '../../sources/readers/json-record.ts';
import type { Format } from './format.ts';

/** The lines of `lore export`, passed unchanged. */
export const jsonLines: Format = {
  name: 'jsonl',
  unit: ['line', 'lines'],
  recognise: ({ shape, first }) => {
    if (shape !== 'lines') return undefined;
    const header = readExportHeader(first);
    if (header !== undefined) return described(header);
    return isRecord(first) && 'content' in first ? 'its first line is a JSON object with "content"' : undefined;
  },
  read: (input) => ({
    chunks: input.chunks(),
    total: input.bytes,
    weigh: (chunk) => chunk.length,
    place: (line) => `${input.name}:${line}`,
    problem: () => undefined,
    settle: () => {},
    header: readExportHeader(input.first),
  }),
};

function described({ exportedAt, entries, embedder }: ReadHeader): string {
  const facts = [
    exportedAt === undefined ? undefined : `of ${exportedAt}`,
    entries === undefined ? undefined : `with ${entries.toLocaleString('en-US')} ${entries === 1 ? 'entry' : 'entries'}`,
    embedder === undefined ? undefined : `made with the model ${embedder.fingerprint}`,
  ];
  return ['it is an export of Lore', ...facts.filter((fact) => fact !== undefined)].join(' ');
}
