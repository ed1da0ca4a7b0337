import { definitionAt } from './definitions.ts';
import type { SplitOptions } from './splitting.ts';

/** A unit of code: lines `from` to `to` (from 0, `to` excluded). */
export interface Unit {
  readonly from: number;
  readonly to: number;
  /** Names of its definitions, outermost first; empty between definitions. */
  readonly path: readonly string[];
  /** How many of `path` enclose it. */
  readonly around: number;
}

/** A file of code, by line. */
export interface CodeLines extends SplitOptions {
  readonly lines: readonly string[];
  /** Indentation of each line; -1 for a blank line. */
  readonly indents: readonly number[];
  readonly language: string;
}

/** Width of a tab. */
export const TAB = 4;
/** Comments, decorators and attributes directly above a definition belong to it. */
const LEADING = /^\s*(?:\/\/|\/\*|\*|#|--|;;|%|@|\[[A-Z]|\{-|\(\*|"""|''')/;
/** A line that continues or ends a definition on the same level. */
export const CLOSER =
  /^\s*(?:[)\]}]|end\b|else\b|elif\b|elsif\b|except\b|catch\b|finally\b|rescue\b|ensure\b|then\b|do\b|begin\b|where\b|\{|=>|->|\||EOF\b|fi\b|done\b|esac\b)/;
/** A line that ends a definition. */
const ENDER = /^\s*(?:[)\]}]|end\b|EOF\b|fi\b|done\b|esac\b)/;
/** Languages in which a definition extends to the next one, whatever the indentation. */
const SECTIONED = new Set(['toml', 'ini', 'yaml', 'dockerfile', 'cmake', 'haskell', 'erlang', 'clojure']);
const WORD = /[\p{L}\p{N}]/u;
const OPENS = /(?:[{([:]|=>|->|=|,|\bdo|\bthen|\bbegin)\s*$/;
/** Units below this share of the size are joined with a neighbour. */
const SMALL = 1 / 3;
export const SEPARATOR = ' > ';

/** Splits code into lines. */
export function codeLines(text: string, language: string, options: SplitOptions): CodeLines {
  const lines = text.split('\n').map((line) => line.trimEnd());
  return { lines, indents: lines.map(indentOf), language, ...options };
}

/**
 * The definitions of a file in order and the code between them; long ones as their inner definitions. Small neighbours are joined. Lines
 * with only brackets may be left out.
 */
export function unitsOf(code: CodeLines): Unit[] {
  return merged(code, unitsIn(code, { from: 0, to: code.lines.length, path: [], inHolder: false }));
}

function indentOf(line: string): number {
  let indent = 0;
  for (const char of line) {
    if (char === ' ') indent += 1;
    else if (char === '\t') indent += TAB;
    else return indent;
  }
  return -1;
}

interface Region {
  readonly from: number;
  readonly to: number;
  readonly path: readonly string[];
  readonly inHolder: boolean;
}

interface Start {
  readonly line: number;
  readonly name: string;
  readonly holds: boolean;
}

/** The outermost definitions in a region and the code between them; long definitions are split recursively. */
function unitsIn(code: CodeLines, region: Region): Unit[] {
  const starts = startsIn(code, region);
  const units: Unit[] = [];
  const loose = (from: number, to: number): void => {
    if (hasWords(code, from, to)) units.push({ from, to, path: region.path, around: region.path.length });
  };
  let at = region.from;
  for (const [nth, start] of starts.entries()) {
    const limit = starts[nth + 1]?.line ?? region.to;
    const from = Math.max(at, withLeading(code, start.line, at));
    const next = nextFrom(code, limit, start.line, starts[nth + 1] !== undefined);
    const to = SECTIONED.has(code.language) ? next : Math.min(endOf(code, start.line, region.to), next);
    loose(at, from);
    units.push(...definitionUnits(code, { from, to, start, region }));
    at = to;
  }
  loose(at, region.to);
  return units;
}

/** Start of the comments above the next definition, so that the previous one does not take them. */
function nextFrom(code: CodeLines, limit: number, after: number, isStart: boolean): number {
  return isStart ? withLeading(code, limit, after + 1) : limit;
}

function definitionUnits(
  code: CodeLines,
  { from, to, start, region }: { readonly from: number; readonly to: number; readonly start: Start; readonly region: Region },
): Unit[] {
  const path = [...region.path, start.name];
  const whole: Unit = { from, to, path, around: region.path.length };
  if (lengthOf(code, from, to) <= code.size) return [whole];
  const inner = unitsIn(code, { from: start.line + 1, to, path, inHolder: start.holds });
  if (inner.length < 2 && inner[0]?.path.length === path.length) return [whole];
  const [first, ...others] = inner;
  // The head of a definition stays with the code up to its first inner definition.
  if (first !== undefined && first.path.length === path.length) return [{ ...whole, to: first.to }, ...others];
  return [{ ...whole, to: first?.from ?? to }, ...inner];
}

/** Lines of a region that begin a definition, at the least indentation. */
function startsIn({ lines, indents, language }: CodeLines, { from, to, inHolder }: Region): Start[] {
  const found: (Start & { indent: number })[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let line = from; line < to; line += 1) {
    const indent = indents[line] ?? -1;
    if (indent === -1 || indent > least) continue;
    const definition = definitionAt(lines[line] ?? '', language, inHolder);
    if (definition === undefined) continue;
    least = Math.min(least, indent);
    found.push({ line, indent, ...definition });
  }
  return found.filter(({ indent }) => indent === least);
}

function withLeading({ lines, indents }: CodeLines, line: number, floor: number): number {
  let from = line;
  while (
    from > floor &&
    indents[from - 1] !== -1 &&
    (indents[from - 1] ?? 0) >= (indents[line] ?? 0) &&
    LEADING.test(lines[from - 1] ?? '')
  )
    from -= 1;
  return from;
}

/** The first line after a definition: the first that is not deeper and neither continues nor ends it. */
function endOf({ lines, indents }: CodeLines, start: number, limit: number): number {
  const depth = indents[start] ?? 0;
  let end = start + 1;
  let isOpen = OPENS.test(lines[start] ?? '');
  for (let line = start + 1; line < limit; line += 1) {
    const indent = indents[line] ?? -1;
    if (indent === -1) continue;
    const text = lines[line] ?? '';
    const closes = CLOSER.test(text);
    if (indent <= depth && !closes && !(isOpen && end === line)) return end;
    end = line + 1;
    if (indent <= depth) {
      isOpen = OPENS.test(text);
      if (ENDER.test(text) && !isOpen) return end;
    } else isOpen = false;
  }
  return end;
}

/** Whether lines contain words; brackets and `end` alone are not worth a passage. */
function hasWords({ lines }: CodeLines, from: number, to: number): boolean {
  for (let line = from; line < to; line += 1) if (WORD.test(lines[line] ?? '')) return true;
  return false;
}

/** Number of characters of these lines, including line ends. */
export function lengthOf({ lines }: CodeLines, from: number, to: number): number {
  let length = 0;
  for (let line = from; line < to; line += 1) length += (lines[line]?.length ?? 0) + 1;
  return length;
}

/** Joins neighbours of the same level if one is small and both fit. */
function merged(code: CodeLines, units: readonly Unit[]): Unit[] {
  const result: Unit[] = [];
  for (const unit of units) {
    const last = result.at(-1);
    const both = last === undefined ? undefined : joined(code, last, unit);
    if (both === undefined) result.push(unit);
    else result[result.length - 1] = both;
  }
  return result;
}

function joined(code: CodeLines, a: Unit, b: Unit): Unit | undefined {
  const [ofA, ofB] = [a, b].map(({ path, around }) => path.slice(0, around).join(SEPARATOR));
  if (ofA !== ofB || lengthOf(code, a.from, b.to) > code.size) return undefined;
  const small = code.size * SMALL;
  if (lengthOf(code, a.from, a.to) > small && lengthOf(code, b.from, b.to) > small) return undefined;
  const around = a.path.slice(0, a.around);
  const names = [...new Set([...a.path.slice(a.around), ...b.path.slice(b.around)])];
  return { from: a.from, to: b.to, path: [...around, ...names], around: a.around };
}
