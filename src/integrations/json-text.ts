import { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode, visit, type Node, type ParseError } from 'jsonc-parser';
import { LoreError } from '../memory/errors.ts';

// jsonc-parser locates the nodes. The edits are made here, because its `modify` drops a comment between two members when the second is
// removed, and inserts a new member before the comment of the last one.

/** A JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue };
/** Names and positions from the root of a document. */
export type JsonPath = readonly (string | number)[];

const OPTIONS = { allowTrailingComma: true } as const;

/** Why a text is not one JSON object, with line and column from 1; undefined if it is one. Comments and trailing commas are allowed. */
export function jsonFault(text: string): string | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, OPTIONS);
  const [error] = errors;
  if (error === undefined) return root?.type === 'object' ? undefined : 'it does not hold one JSON object';
  const before = text.slice(0, error.offset).split('\n');
  const what = printParseErrorCode(error.error)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `it is not valid JSON: ${what} at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

/** The value at a path; undefined if there is none. */
export function valueAt(text: string, path: JsonPath): unknown {
  const node = findNodeAtLocation(treeOf(text), [...path]);
  if (node === undefined) return undefined;
  const value: unknown = getNodeValue(node);
  return value;
}

/** The missing objects and arrays on a path, outermost first. */
export function missingContainers(text: string, path: JsonPath): JsonPath[] {
  return path
    .slice(0, -1)
    .map((_, at) => path.slice(0, at + 1))
    .filter((prefix) => valueAt(text, prefix) === undefined);
}

/** Sets the value at a path: replaces the old value or adds a last member. Creates missing objects on the path. */
export function setValue(text: string, path: JsonPath, value: JsonValue): string {
  const tree = treeOf(text);
  const present = findNodeAtLocation(tree, [...path]);
  if (present !== undefined) {
    const written = serialised(value, { layout: layoutOf(text), indent: indentAt(text, present.offset) });
    return text.slice(0, present.offset) + written + text.slice(endOf(present));
  }
  let depth = path.length - 1;
  while (depth > 0 && findNodeAtLocation(tree, path.slice(0, depth)) === undefined) depth -= 1;
  const container = (depth === 0 ? tree : findNodeAtLocation(tree, path.slice(0, depth))) ?? tree;
  const nested = path.slice(depth + 1).reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);
  return insertLast(text, container, { name: String(path[depth]), value: nested });
}

/** Appends an element to an array. Creates the array if it is missing. */
export function appendValue(text: string, path: JsonPath, value: JsonValue): string {
  const array = findNodeAtLocation(treeOf(text), [...path]);
  return array === undefined ? setValue(text, path, [value]) : insertLast(text, array, { value });
}

/** Removes the member or element at a path with its line and comma. Comments next to it stay. */
export function removeValue(text: string, path: JsonPath): string {
  const node = findNodeAtLocation(treeOf(text), [...path]);
  const child = node?.parent?.type === 'property' ? node.parent : node;
  const container = child?.parent;
  if (child === undefined || container?.children === undefined) return text;
  const at = container.children.indexOf(child);
  const close = endOf(container) - 1;
  const commas = commasIn(text);
  const comma = commas.find((offset) => offset >= endOf(child) && offset < (container.children?.[at + 1]?.offset ?? close));
  const previous = container.children[at - 1];
  const commaBefore = previous && commas.find((offset) => offset >= endOf(previous) && offset < child.offset);
  const cuts = [withItsLine(text, [child.offset, endOf(child)], comma)];
  if (comma === undefined && commaBefore !== undefined) cuts.unshift([commaBefore, commaBefore + 1]);
  if (comma !== undefined && comma >= (cuts.at(-1)?.[1] ?? 0)) cuts.push([comma, comma + 1]);
  return tidied(without(text, cuts), container.offset);
}

type Range = readonly [start: number, end: number];

function without(text: string, cuts: readonly Range[]): string {
  return [...cuts].sort(([a], [b]) => b - a).reduce((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), text);
}

/** Extends a range by the comma after it, and by the line break and blanks before it if nothing else is on its lines. */
function withItsLine(text: string, [start, end]: Range, comma: number | undefined): Range {
  const isNear = comma !== undefined && text.slice(end, comma).trim() === '';
  const last = isNear ? comma + 1 : end;
  const blanks = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, start))?.[0] ?? '';
  const ownsLine = blanks.includes('\n') && /^[ \t]*(?:\r?\n|$)/.test(text.slice(last));
  const isLastInLine = /^[ \t]*[}\]]/.test(text.slice(last));
  return [ownsLine || isLastInLine ? start - blanks.length : start, last];
}

/** Writes an empty container as `{}` or `[]`. */
function tidied(text: string, open: number): string {
  const rest = text.slice(open + 1);
  const inside = /^\s*(?=[}\]])/.exec(rest)?.[0];
  return inside === undefined ? text : text.slice(0, open + 1) + rest.slice(inside.length);
}

interface Child {
  /** Missing for an element of an array. */
  readonly name?: string;
  readonly value: JsonValue;
}

/** Inserts a child after the last one and its comment; on the same line if the container is on one line. */
function insertLast(text: string, container: Node, { name, value }: Child): string {
  const layout = layoutOf(text);
  const close = endOf(container) - 1;
  const last = container.children?.at(-1);
  const outer = indentAt(text, container.offset);
  const indent = last !== undefined && isFirstInLine(text, last.offset) ? indentAt(text, last.offset) : outer + layout.unit;
  const end = Math.max(container.offset + 1, text.slice(0, close).trimEnd().length);
  const hasTrailingComma = last !== undefined && commasIn(text).some((offset) => offset >= endOf(last) && offset < close);
  const needsComma = last !== undefined && !hasTrailingComma;
  const head = needsComma ? `${text.slice(0, endOf(last))},${text.slice(endOf(last), end)}` : text.slice(0, end);
  const label = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const tail = hasTrailingComma ? ',' : '';
  const isOnOneLine = last !== undefined && !text.slice(container.offset, close).includes('\n');
  if (isOnOneLine) return `${head} ${label}${JSON.stringify(value)}${tail}${text.slice(end)}`;
  const space = text.slice(end, close);
  const closing = space.includes('\n') ? space : layout.eol + outer;
  return `${head}${layout.eol}${indent}${label}${serialised(value, { layout, indent })}${tail}${closing}${text.slice(close)}`;
}

interface Layout {
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
}

function layoutOf(text: string): Layout {
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: /^([ \t]+)"/m.exec(text)?.[1] ?? '  ' };
}

function serialised(value: JsonValue, { layout, indent }: { layout: Layout; indent: string }): string {
  return JSON.stringify(value, undefined, layout.unit)
    .split('\n')
    .join(layout.eol + indent);
}

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

function isFirstInLine(text: string, offset: number): boolean {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '';
}

const endOf = (node: Node): number => node.offset + node.length;

function commasIn(text: string): number[] {
  const commas: number[] = [];
  visit(text, { onSeparator: (character, offset) => void (character === ',' && commas.push(offset)) }, OPTIONS);
  return commas;
}

function treeOf(text: string): Node {
  const tree = parseTree(text, [], OPTIONS);
  if (tree === undefined) throw new LoreError('invalid_input', 'There is no JSON to edit.');
  return tree;
}
