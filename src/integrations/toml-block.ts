import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import type { JsonPath } from './json-text.ts';
import type { Editor, PartOf } from './part.ts';
import { isOurServer } from './server-entry.ts';
import { blockEditor, markFault, type Marks } from './text-block.ts';

const TOML: Marks = { start: '# lore:start', end: '# lore:end' };

/**
 * Edits a TOML table between two comments at the end of the file. The file must be valid TOML before and afterwards. A table of the same name
 * elsewhere in the file is found too, and replaced with `--force`.
 */
export function tomlEditor(part: PartOf<'toml'>): Editor {
  const block = blockEditor(part.text, TOML);
  const name = part.path.join('.');
  const outside = (text: string): unknown => (tomlFault(text) === undefined ? tomlAt(block.take(text), part.path) : undefined);
  const put = (text: string): string => block.put(outside(text) === undefined ? text : withoutTable(text, part.path));
  return {
    ...block,
    fault: (text) => {
      const before = markFault(text, TOML) ?? tomlFault(text);
      if (before !== undefined || isDeepStrictEqual(membersOf(tomlAt(text, part.path), part, true), part.value)) return before;
      const after = put(text);
      if (tomlFault(after) === undefined && isDeepStrictEqual(structuredClone(tomlAt(after, part.path)), part.value)) return undefined;
      return outside(text) === undefined
        ? `a table ${name} cannot be added at its end`
        : `it has ${name} in a form that cannot be replaced`;
    },
    find: (text) => {
      const there = tomlFault(text) === undefined ? tomlAt(text, part.path) : undefined;
      if (isDeepStrictEqual(membersOf(there, part, true), part.value)) return block.wanted;
      return block.find(text) ?? (there === undefined ? undefined : JSON.stringify(there));
    },
    added: (text) => Object.keys(membersOf(tomlFault(text) === undefined ? tomlAt(text, part.path) : undefined, part, false)),
    isOurs: (found) => !found.startsWith('{') || isOurServer(JSON.parse(found)),
    byHand: (text) => (isInline(text, part.path) ? inlineText(part) : undefined),
    put,
    take: (text) => (outside(text) === undefined ? block.take(text) : withoutTable(block.take(text), part.path)),
  };
}

/** The members of a table that the part also has, or with `wantOurs` false the others. */
function membersOf(table: unknown, { value }: PartOf<'toml'>, wantOurs: boolean): Record<string, unknown> {
  if (typeof table !== 'object' || table === null || typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(structuredClone(table)).filter(([name]) => Object.hasOwn(value, name) === wantOurs));
}

/** The text without the table at a path and its subtables, each from its header to the next header. */
function withoutTable(text: string, path: JsonPath): string {
  const header = new RegExp(
    String.raw`^\s*\[\s*${path.map((name) => `["']?${name}["']?`).join(String.raw`\s*\.\s*`)}\s*(?:\.[^\]]*)?\]\s*(?:#.*)?$`,
  );
  let isIn = false;
  const lines = text.split(/(?<=\n)/).filter((line) => {
    const bare = line.trimEnd();
    if (/^\s*\[/.test(bare)) isIn = header.test(bare);
    return !isIn;
  });
  return lines.join('');
}

/** Whether the parent is an inline table, which no later line can extend. */
function isInline(text: string, path: JsonPath): boolean {
  return tomlFault(text) === undefined && new RegExp(String.raw`^\s*["']?${path[0]}["']?\s*=\s*\{`, 'm').test(text);
}

/** The part as a member of an inline table. */
function inlineText({ path, value }: PartOf<'toml'>): string {
  const members = Object.entries(value as Record<string, unknown>).map(([key, inner]) => `${key} = ${JSON.stringify(inner)}`);
  return `${path[0]} = { ${path.slice(1).join('.')} = { ${members.join(', ')} } }`;
}

function tomlFault(text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    const place = error instanceof TomlError ? ` at line ${error.line}, column ${error.column}` : '';
    return `it is not valid TOML${place}`;
  }
}

function tomlAt(text: string, path: JsonPath): unknown {
  let at: unknown = parse(text);
  for (const name of path) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined;
  return at;
}
