import { z } from 'zod';
import { ConfigSchema, type KeyMeta } from './schema.ts';

/** A setting, derived from the schema. */
export interface ConfigKey {
  /** Dotted path, such as `search.vectorWeight`. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly schema: z.ZodType;
  readonly meta: KeyMeta;
  /** Name of its environment variable; undefined if it can only be set in a file. */
  readonly environment: string | undefined;
  /** Kind of its value. */
  readonly kind: 'string' | 'number' | 'boolean' | 'list' | 'record' | 'mixed';
  /** Type and range in words, such as `a whole number from 1 to 100`. */
  readonly allowed: string;
  /** All values, if there are few. */
  readonly choices: readonly string[] | undefined;
}

export const ENVIRONMENT_PREFIX = 'SERVICE_';

/** `search.vectorWeight` -> `SERVICE_SEARCH_VECTOR_WEIGHT`. */
export function environmentName(path: string): string {
  return (
    ENVIRONMENT_PREFIX +
    path
      .replaceAll('.', '_')
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toUpperCase()
  );
}

/** The inner zod type, without default, optional and transform. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return bare(schema.def.innerType);
  if (schema instanceof z.ZodPipe) return bare(schema.def.in);
  return schema;
}

function kindOf(type: z.core.$ZodType): ConfigKey['kind'] {
  if (type instanceof z.ZodNumber) return 'number';
  if (type instanceof z.ZodBoolean) return 'boolean';
  if (type instanceof z.ZodArray) return 'list';
  if (type instanceof z.ZodRecord) return 'record';
  if (type instanceof z.ZodUnion) return 'mixed';
  return 'string';
}

function allowedValues(type: z.core.$ZodType): string {
  if (type instanceof z.ZodEnum) return orList(type.options.map(String));
  if (type instanceof z.ZodBoolean) return 'true or false';
  if (type instanceof z.ZodArray) return `a list of texts`;
  if (type instanceof z.ZodNumber) {
    const name = type.format === 'safeint' ? 'a whole number' : 'a number';
    return `${name} from ${type.minValue} to ${type.maxValue}`;
  }
  return 'a text';
}

function choicesOf(type: z.core.$ZodType): readonly string[] | undefined {
  if (type instanceof z.ZodEnum) return type.options.map(String);
  return type instanceof z.ZodBoolean ? ['true', 'false'] : undefined;
}

/** `a`, `a or b`, `a, b or c`. */
function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function collect(type: z.core.$ZodType, segments: readonly string[]): ConfigKey[] {
  const object = bare(type);
  if (object instanceof z.ZodObject) {
    return Object.entries(object.shape).flatMap(([name, inner]) => collect(inner as z.ZodType, [...segments, name]));
  }
  const schema = type as z.ZodType;
  const meta = schema.meta() as KeyMeta;
  const path = segments.join('.');
  const environment = meta.environment === false ? undefined : environmentName(path);
  const allowed = meta.allowed ?? allowedValues(object);
  return [{ path, segments, schema, meta, environment, kind: kindOf(object), allowed, choices: choicesOf(object) }];
}

/** All keys in the order of the schema. */
export const CONFIG_KEYS: readonly ConfigKey[] = collect(ConfigSchema, []);

const byPath = new Map(CONFIG_KEYS.map((key) => [key.path, key]));
const byEnvironment = new Map(CONFIG_KEYS.map((key) => [key.environment, key]));

export function keyAt(path: string): ConfigKey | undefined {
  return byPath.get(path);
}
export function keyOfVariable(name: string): ConfigKey | undefined {
  return byEnvironment.get(name);
}
/** Whether a path is a section with keys, such as `server.auth`. */
export function isSection(path: string): boolean {
  return path === '' || CONFIG_KEYS.some((key) => key.path.startsWith(`${path}.`));
}

const TRUE_WORDS = new Set(['true', '1', 'yes', 'on']);
const FALSE_WORDS = new Set(['false', '0', 'no', 'off']);

function booleanOr(text: string): unknown {
  const word = text.toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  return FALSE_WORDS.has(word) ? false : text;
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Parses `name=value` pairs or a JSON object. Other text is returned for the schema to reject. */
function recordOr(text: string): unknown {
  if (text.trimStart().startsWith('{')) return jsonOr(text);
  const pairs = listOf(text).map((part): [string, string] | undefined => {
    const at = part.indexOf('=');
    return at < 1 ? undefined : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  return pairs.every((pair) => pair !== undefined) ? Object.fromEntries(pairs) : text;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Parses the text of a variable or flag to the type of its key; invalid text is returned for the schema to reject. */
export function valueFromText(key: ConfigKey, text: string): unknown {
  switch (key.kind) {
    case 'number':
      return Number.isNaN(Number(text)) || text.trim() === '' ? text : Number(text);
    case 'boolean':
    case 'mixed':
      return booleanOr(text.trim());
    case 'list':
      return listOf(text);
    case 'record':
      return recordOr(text);
    case 'string':
      return text;
  }
}
