import { basename } from 'node:path';
import { appendValue, jsonFault, missingContainers, removeValue, setValue, valueAt, type JsonPath, type JsonValue } from './json-text.ts';
import { hookIn } from './launcher.ts';
import type { Editor, PartOf } from './part.ts';

const isBlank = (text: string): boolean => text.trim() === '';
const object = (text: string): string => (isBlank(text) ? '{}\n' : text);
const at = (text: string, path: JsonPath): unknown => (isBlank(text) ? undefined : valueAt(text, path));

/** A member of an object: a server by its name. */
export function memberEditor({ path, value }: PartOf<'member'>): Editor {
  return {
    wanted: canonical(value),
    fault: (text) => fault(text, path),
    find: (text) => optional(at(text, path)),
    isOurs: (found) => isOurServer(JSON.parse(found)),
    put: (text) => setValue(object(text), path, value),
    take: (text) => (at(text, path) === undefined ? text : removeValue(text, path)),
    makes: (text) => missingContainers(object(text), path),
  };
}

/** A member that is only there because the client wants it; it goes when nothing else is left. */
export function presetEditor({ path, value }: PartOf<'preset'>): Editor {
  const wanted = canonical(value);
  return {
    wanted,
    fault: (text) => fault(text, path),
    find: (text) => (at(text, path) === undefined ? undefined : wanted),
    isOurs: () => true,
    put: (text) => (at(text, path) === undefined ? setValue(object(text), path, value) : text),
    take: (text) => (isAloneAt(text, path) ? removeValue(text, path) : text),
    makes: (text) => missingContainers(object(text), path),
  };
}

/** An element of an array of hooks. Only the object with our command counts: what a user adds beside it in the same element is theirs. */
export function hookEditor(part: PartOf<'hook'>): Editor {
  const find = (text: string): JsonPath | undefined => placeOf(at(text, part.path), part);
  const own = innerOf(part.value);
  return {
    wanted: canonical(own),
    fault: (text) => {
      const array = isBlank(text) || jsonFault(text) !== undefined ? undefined : at(text, part.path);
      if (array !== undefined && !Array.isArray(array)) return `${shown(part.path)} in it is not a list`;
      return fault(text, part.path);
    },
    find: (text) => {
      const place = find(text);
      return place && optional(at(text, place));
    },
    isOurs: () => true,
    put: (text) => {
      const place = find(text);
      return place === undefined ? appendValue(object(text), part.path, part.value) : setValue(text, place, own);
    },
    take: (text) => {
      const place = find(text);
      return place === undefined ? text : takeHook(text, place, part.path);
    },
    makes: (text) => missingContainers(object(text), [...part.path, 0]),
  };
}

/** The text without those of the members and arrays that are empty. */
export function withoutEmpty(text: string, made: readonly JsonPath[]): string {
  return [...made]
    .sort((a, b) => b.length - a.length)
    .reduce((rest, path) => {
      const value = at(rest, path);
      return typeof value === 'object' && value !== null && Object.keys(value).length === 0 ? removeValue(rest, path) : rest;
    }, text);
}

/** Whether a member of the root is the only one. */
function isAloneAt(text: string, path: JsonPath): boolean {
  const root = at(text, []);
  return isObject(root) && at(text, path) !== undefined && Object.keys(root).length === 1;
}

/** Without the command, and without the element around it where that held nothing else that does anything. */
function takeHook(text: string, place: JsonPath, array: JsonPath): string {
  const rest = removeValue(text, place);
  const isNested = place.length > array.length + 1;
  const siblings = isNested ? valueAt(rest, place.slice(0, -1)) : undefined;
  return Array.isArray(siblings) && siblings.length === 0 ? removeValue(rest, place.slice(0, array.length + 1)) : rest;
}

/** Where the command for this event and client stands: an element, or one of the `hooks` of an element. */
function placeOf(array: unknown, { path, event, client }: PartOf<'hook'>): JsonPath | undefined {
  const isIt = (candidate: unknown): boolean => {
    const hook = isObject(candidate) && typeof candidate['command'] === 'string' ? hookIn(candidate['command']) : undefined;
    return hook?.event === event && hook.client === client;
  };
  for (const [nth, element] of (Array.isArray(array) ? (array as unknown[]) : []).entries()) {
    if (isIt(element)) return [...path, nth];
    const inner = isObject(element) && Array.isArray(element['hooks']) ? element['hooks'].findIndex(isIt) : -1;
    if (inner !== -1) return [...path, nth, 'hooks', inner];
  }
  return undefined;
}

/** The object with the command in an element of ours. */
function innerOf(element: JsonValue): JsonValue {
  const hooks = isObject(element) ? element['hooks'] : undefined;
  return Array.isArray(hooks) ? ((hooks as JsonValue[])[0] ?? element) : element;
}

/** Why a path cannot be reached: the text is no JSON object, or something else stands where an object has to be. */
function fault(text: string, path: JsonPath): string | undefined {
  if (isBlank(text)) return undefined;
  const broken = jsonFault(text);
  if (broken !== undefined) return broken;
  const obstacle = path
    .slice(0, -1)
    .map((_, nth) => path.slice(0, nth + 1))
    .find((prefix) => {
      const value = valueAt(text, prefix);
      return value !== undefined && !isObject(value);
    });
  return obstacle && `${shown(obstacle)} in it is not an object`;
}

const shown = (path: JsonPath): string => JSON.stringify(path.join('.'));

/** Whether an entry of any client starts `lore mcp`. */
function isOurServer(entry: unknown): boolean {
  const words = stringsIn(entry);
  return (
    words.includes('mcp') && words.some((word) => /[\\/]bin[\\/]run\.js$/.test(word) || /^lore(?:\.cmd|\.exe)?$/i.test(basename(word)))
  );
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const optional = (value: unknown): string | undefined => (value === undefined ? undefined : canonical(value));

/** The value as JSON whose members are in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
