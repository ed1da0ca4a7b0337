import { appendValue, jsonFault, missingContainers, removeValue, setValue, valueAt, type JsonPath, type JsonValue } from './json-text.ts';
import { hookIn } from './launcher.ts';
import type { Editor, PartOf } from './part.ts';
import { isOurServer } from './server-entry.ts';

const isBlank = (text: string): boolean => text.trim() === '';
const object = (text: string): string => (isBlank(text) ? '{}\n' : text);
const at = (text: string, path: JsonPath): unknown => (isBlank(text) ? undefined : valueAt(text, path));

/** Edits an object member: an MCP server by its name. Fields that the client or the user adds (`type`, `env`) are kept as long as ours is there. */
export function memberEditor({ path, value }: PartOf<'member'>): Editor {
  const names = new Set(isObject(value) ? Object.keys(value) : []);
  const split = (text: string, wantOurs: boolean): Record<string, JsonValue> => {
    const there = at(text, path);
    return isObject(there)
      ? (Object.fromEntries(Object.entries(there).filter(([name]) => names.has(name) === wantOurs)) as Record<string, JsonValue>)
      : {};
  };
  return {
    wanted: canonical(value),
    fault: (text) => fault(text, path),
    find: (text) => {
      const there = at(text, path);
      return optional(isObject(there) ? split(text, true) : there);
    },
    added: (text) => Object.keys(split(text, false)),
    isOurs: (found) => isOurServer(JSON.parse(found)),
    put: (text) => {
      const isAdded = isObject(value) && isOurServer(at(text, path));
      return setValue(object(text), path, isAdded ? { ...value, ...split(text, false) } : value);
    },
    take: (text) => (at(text, path) === undefined ? text : removeValue(text, path)),
    makes: (text) => missingContainers(object(text), path),
  };
}

/** Edits a member that the client requires, such as a version. It is removed when it is the last one left. */
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

/**
 * Edits an element of a hooks array. If the user added another command to the same element, the element is theirs, and only the object with our
 * command is ours.
 */
export function hookEditor(part: PartOf<'hook'>): Editor {
  const find = (text: string): JsonPath | undefined => {
    const place = placeOf(at(text, part.path), part);
    const isNested = place !== undefined && place.length > part.path.length + 1;
    const group: unknown = isNested ? at(text, place.slice(0, -1)) : undefined;
    return Array.isArray(group) && group.length === 1 ? place?.slice(0, part.path.length + 1) : place;
  };
  const own = innerOf(part.value);
  const isShared = (place: JsonPath): boolean => place.length > part.path.length + 1;
  return {
    wanted: canonical(part.value),
    fault: (text) => {
      const array = isBlank(text) || jsonFault(text) !== undefined ? undefined : at(text, part.path);
      if (array !== undefined && !Array.isArray(array)) return `${shown(part.path)} in it is not a list`;
      return fault(text, part.path);
    },
    find: (text) => {
      const place = find(text);
      if (place === undefined) return undefined;
      const there = at(text, place);
      return canonical(isShared(place) && isObject(part.value) ? { ...part.value, hooks: [there] } : there);
    },
    isOurs: () => true,
    put: (text) => {
      const place = find(text);
      if (place === undefined) return appendValue(object(text), part.path, part.value);
      return setValue(text, place, isShared(place) ? own : part.value);
    },
    take: (text) => {
      const place = find(text);
      return place === undefined ? text : removeValue(text, place);
    },
    makes: (text) => missingContainers(object(text), [...part.path, 0]),
  };
}

/** Removes the given members and arrays from the text if they are empty. */
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

/** Path of the command for this event and client: an array element, or an object in the `hooks` of an element. */
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

/** The object with the command in one of our elements. */
function innerOf(element: JsonValue): JsonValue {
  const hooks = isObject(element) ? element['hooks'] : undefined;
  return Array.isArray(hooks) ? ((hooks as JsonValue[])[0] ?? element) : element;
}

/** Why a path cannot be used: the text is not a JSON object, or a container on the path is not an object. */
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

const optional = (value: unknown): string | undefined => (value === undefined ? undefined : canonical(value));

/** JSON with sorted member names, for comparison. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
