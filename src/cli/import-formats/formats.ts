import { LoreError } from '../../memory/errors.ts';
import { claudeMem } from './claude-mem.ts';
import { csv } from './csv.ts';
import { FORMAT_NAMES, type Format, type FormatName } from './format.ts';
import type { Input } from './input.ts';
import { jsonLines } from './json-lines.ts';
import { jsonStore } from './json-store.ts';
import { markdown } from './markdown.ts';
import { mcpMemory } from './mcp-memory.ts';
import { mem0 } from './mem0.ts';

const FORMATS = {
  jsonl: jsonLines,
  json: jsonStore,
  csv,
  markdown,
  'mcp-memory': mcpMemory,
  mem0,
  'claude-mem': claudeMem,
} as const satisfies Record<FormatName, Format>;

/** The special before the general: what three stores write is JSON of a particular kind. */
const ORDER = ['mcp-memory', 'claude-mem', 'mem0', 'json', 'jsonl', 'csv', 'markdown'] as const satisfies readonly FormatName[];

/** A format and, as a clause, why it is that one. */
export interface Choice {
  readonly format: Format;
  readonly why: string;
  /** False where nothing spoke for the format. */
  readonly isSure: boolean;
}

/** The format of an input, by its content and then its name, or the one that was named. Throws `invalid_input` where that cannot be. */
export function chooseFormat(input: Input, named: FormatName | 'auto'): Choice {
  if (named !== 'auto') return { format: namedFormat(input, named), why: 'named by --format', isSure: true };
  for (const name of ORDER) {
    const format: Format = FORMATS[name];
    const why = format.recognise(input);
    if (why !== undefined) return { format, why, isSure: true };
  }
  const format = input.shape === 'document' ? jsonStore : jsonLines;
  return { format, why: 'it is like no other format', isSure: false };
}

function namedFormat(input: Input, named: FormatName): Format {
  if (input.shape === 'folder' && named !== 'markdown') {
    throw new LoreError('invalid_input', `${input.name} is a folder, and only Markdown is read from folders.`, {
      hint: 'Name the file, or leave --format out.',
    });
  }
  return FORMATS[named];
}

export const FORMAT_CHOICES = ['auto', ...FORMAT_NAMES] as const;
