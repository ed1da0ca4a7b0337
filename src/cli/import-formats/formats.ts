import { LoreError } from '../../memory/errors.ts';
import { basicMemory } from './basic-memory.ts';
import { claudeCode } from './claude-code.ts';
import { claudeMem } from './claude-mem.ts';
import { csv } from './csv.ts';
import { cursor } from './cursor.ts';
import { FORMAT_NAMES, type Format, type FormatName } from './format.ts';
import type { Input } from './input.ts';
import { instructions } from './instructions.ts';
import { jsonLines } from './json-lines.ts';
import { jsonStore } from './json-store.ts';
import { loreMarkdown } from './lore-markdown.ts';
import { markdown } from './markdown.ts';
import { mcpMemory } from './mcp-memory.ts';
import { mcpMemoryService } from './mcp-memory-service.ts';
import { mem0 } from './mem0.ts';
import { zep } from './zep.ts';

const FORMATS = {
  jsonl: jsonLines,
  json: jsonStore,
  csv,
  markdown,
  'lore-markdown': loreMarkdown,
  'claude-code': claudeCode,
  instructions,
  cursor,
  'mcp-memory': mcpMemory,
  'mcp-memory-service': mcpMemoryService,
  mem0,
  zep,
  'basic-memory': basicMemory,
  'claude-mem': claudeMem,
} as const satisfies Record<FormatName, Format>;

/** Specific formats first: formats of other stores are special cases of JSON and Markdown. */
const ORDER = [
  'lore-markdown',
  'claude-code',
  'instructions',
  'cursor',
  'basic-memory',
  'mcp-memory',
  'claude-mem',
  'mcp-memory-service',
  'zep',
  'mem0',
  'json',
  'jsonl',
  'csv',
  'markdown',
] as const satisfies readonly FormatName[];

/** A format and, as a clause, why it was chosen. */
export interface Choice {
  readonly format: Format;
  readonly why: string;
  /** False if nothing indicated the format. */
  readonly isSure: boolean;
}

/** The format of an input: the given one, or detected by content, then by name. Throws `invalid_input` if the given one does not fit. */
export function chooseFormat(input: Input, named: FormatName | 'auto'): Choice {
  if (named !== 'auto') return { format: namedFormat(input, named), why: 'named by --format', isSure: true };
  for (const name of ORDER) {
    const format: Format = FORMATS[name];
    const why = format.recognise(input);
    if (why !== undefined) return { format, why, isSure: true };
  }
  const format = input.shape === 'document' ? jsonStore : jsonLines;
  return { format, why: 'no other format matches', isSure: false };
}

function namedFormat(input: Input, named: FormatName): Format {
  const format: Format = FORMATS[named];
  if (input.shape !== 'folder' || format.readsFolders === true) return format;
  throw new LoreError('invalid_input', `${input.name} is a folder, and ${named} is read from a file.`, {
    hint: 'Name the file, or leave --format out.',
  });
}

export const FORMAT_CHOICES = ['auto', ...FORMAT_NAMES] as const;
