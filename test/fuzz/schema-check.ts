/** Whether a value is what a schema of the OpenAPI document says. Knows the keywords that the document uses and no others. */
import { resolved, type Schema, type SchemaType } from '../helpers/operations.ts';

const KNOWN = new Set(
  ['$ref', 'anyOf', 'type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'propertyNames', 'items', 'minItems'].concat(
    ['maxItems', 'minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum'],
    // Words for people.
    ['title', 'description', 'examples', 'example', 'default', 'readOnly', 'id', '$schema', 'deprecated'],
  ),
);
const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/,
  binary: /(?:)/,
};

/** The first thing that is wrong with it, with its place; undefined where nothing is. Throws for a keyword it does not know. */
export function faultOf(given: Schema, value: unknown, place = '$'): string | undefined {
  for (const keyword of Object.keys(given)) {
    if (!KNOWN.has(keyword)) throw new Error(`The document uses ${keyword}, which schema-check.ts does not know.`);
  }
  const schema = resolved(given);
  if (schema !== given) return faultOf(schema, value, place);
  if (schema.anyOf !== undefined) {
    const faults = schema.anyOf.map((one) => faultOf(one, value, place));
    if (!faults.includes(undefined)) return faults.join(' and ');
  }
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOf(type, value))) return `${place} is ${kindOf(value)} and not ${types.join(' or ')}`;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `${place} is none of ${JSON.stringify(schema.enum)}`;
  if ('const' in schema && schema.const !== value) return `${place} is not ${JSON.stringify(schema.const)}`;
  if (typeof value === 'string') return textFault(schema, value, place);
  if (typeof value === 'number') return numberFault(schema, value, place);
  if (Array.isArray(value)) return listFault(schema, value, place);
  if (typeof value === 'object' && value !== null) return objectFault(schema, value as Record<string, unknown>, place);
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isOf(type: SchemaType, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return kindOf(value) === type;
}

function textFault({ minLength = 0, maxLength = Infinity, pattern, format }: Schema, value: string, place: string): string | undefined {
  const { length } = value;
  if (length < minLength || length > maxLength) return `${place} has ${length} characters`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return `${place} does not match ${pattern}`;
  const form = format === undefined ? undefined : FORMATS[format];
  if (format !== undefined && form === undefined) throw new Error(`schema-check.ts does not know the format ${format}.`);
  return form?.test(value) === false ? `${place} is no ${format}` : undefined;
}

function numberFault({ minimum = -Infinity, maximum = Infinity }: Schema, value: number, place: string): string | undefined {
  return value < minimum || value > maximum ? `${place} is ${value}` : undefined;
}

function listFault({ items, minItems = 0, maxItems = Infinity }: Schema, value: readonly unknown[], place: string): string | undefined {
  if (value.length < minItems || value.length > maxItems) return `${place} has ${value.length} items`;
  if (items === undefined) return undefined;
  return firstOf(value.entries(), ([at, item]) => faultOf(items, item, `${place}[${at}]`));
}

function objectFault(schema: Schema, value: Readonly<Record<string, unknown>>, place: string): string | undefined {
  const { properties = {}, required = [], additionalProperties = true, propertyNames } = schema;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${place}.${missing} is missing`;
  return firstOf(Object.entries(value), ([name, field]) => {
    const at = `${place}.${name}`;
    if (propertyNames !== undefined) {
      const fault = faultOf(propertyNames, name, `the name of ${at}`);
      if (fault !== undefined) return fault;
    }
    if (Object.hasOwn(properties, name)) return faultOf(properties[name]!, field, at);
    if (additionalProperties === false) return `${at} is not in the document`;
    return additionalProperties === true ? undefined : faultOf(additionalProperties, field, at);
  });
}

function firstOf<T>(values: Iterable<T>, fault: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = fault(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
