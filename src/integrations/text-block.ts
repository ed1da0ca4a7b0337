import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import type { Editor, PartOf } from './part.ts';

interface Marks {
  readonly start: string;
  readonly end: string;
}

const MARKDOWN: Marks = { start: '<!-- lore:start -->', end: '<!-- lore:end -->' };
const TOML: Marks = { start: '# lore:start', end: '# lore:end' };

/** Markdown between two comments. */
export function markdownEditor(part: PartOf<'markdown'>): Editor {
  return { ...blockEditor(part.text, MARKDOWN), fault: (text) => markFault(text, MARKDOWN) };
}

/** A TOML table between two comments, at the end of the file; what is there must be valid TOML before and afterwards. */
export function tomlEditor(part: PartOf<'toml'>): Editor {
  const block = blockEditor(part.text, TOML);
  const name = part.path.join('.');
  const fault = (text: string): string | undefined => {
    const before = markFault(text, TOML) ?? tomlFault(text);
    if (before !== undefined) return before;
    if (tomlAt(block.take(text), part.path) !== undefined) return `it has a table ${name} that Lore did not write`;
    const after = block.put(text);
    if (tomlFault(after) === undefined && isDeepStrictEqual(structuredClone(tomlAt(after, part.path)), part.value)) return undefined;
    return `a table ${name} cannot be added at its end`;
  };
  return { ...block, fault };
}

function blockEditor(content: string, marks: Marks): Omit<Editor, 'fault'> {
  const find = (text: string): string | undefined => {
    const place = placeOf(text, marks);
    return (
      place &&
      text
        .slice(place.start + marks.start.length, place.end - marks.end.length)
        .replaceAll('\r\n', '\n')
        .trim()
    );
  };
  const take = (text: string): string => {
    const place = placeOf(text, marks);
    if (place === undefined) return text;
    // With the line break behind it and the empty line before it, which came with it.
    const before = text.slice(0, place.start).replace(/(^|\n)\r?\n$/, '$1');
    return before + text.slice(place.end).replace(/^\r?\n/, '');
  };
  const put = (text: string): string => {
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const block = [marks.start, content, marks.end].join('\n').replaceAll('\n', eol);
    const place = placeOf(text, marks);
    if (place !== undefined) return text.slice(0, place.start) + block + text.slice(place.end);
    if (text.trim() === '') return block + eol;
    return `${text}${text.endsWith('\n') ? '' : eol}${eol}${block}${eol}`;
  };
  return { wanted: content.trim(), find, isOurs: () => true, put, take, makes: () => [] };
}

function placeOf(text: string, marks: Marks): { start: number; end: number } | undefined {
  const start = text.indexOf(marks.start);
  const end = text.indexOf(marks.end, start);
  return start === -1 || end === -1 ? undefined : { start, end: end + marks.end.length };
}

function markFault(text: string, marks: Marks): string | undefined {
  const isBroken = (text.includes(marks.start) || text.includes(marks.end)) && placeOf(text, marks) === undefined;
  return isBroken ? `it has only one of the marks ${marks.start} and ${marks.end}` : undefined;
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

function tomlAt(text: string, path: readonly (string | number)[]): unknown {
  let at: unknown = parse(text);
  for (const name of path) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined;
  return at;
}
