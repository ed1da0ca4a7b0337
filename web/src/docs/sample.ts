import { resolve, type Media, type OpenApi, type Schema } from './document.ts';

/** An example of a body: from the document, else generated from the schema. Undefined if the schema gives none. */
export function sampleOf(document: OpenApi, media: Media): unknown {
  if (media.example !== undefined) return media.example;
  const named = Object.values(media.examples ?? {}).find(({ value }) => value !== undefined);
  if (named !== undefined) return named.value;
  return media.schema === undefined ? undefined : fromSchema(document, media.schema, []);
}

function own(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.example !== undefined) return schema.example;
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  return schema.default ?? schema.enum?.[0];
}

/** `above`: references on the path to here; a repeated one would recurse forever. */
function fromSchema(document: OpenApi, reference: Schema, above: readonly string[]): unknown {
  const schema = resolve(document, reference);
  const given = own(schema);
  if (given !== undefined) return given;
  if (reference.$ref !== undefined && above.includes(reference.$ref)) return undefined;
  const path = reference.$ref === undefined ? above : [...above, reference.$ref];
  if (schema.allOf !== undefined) return merged(schema.allOf.map((part) => fromSchema(document, part, path)));
  const choice = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (choice !== undefined) return fromSchema(document, choice, path);
  return byType(document, schema, path);
}

const merged = (parts: readonly unknown[]): unknown => {
  const objects = parts.filter((part) => typeof part === 'object' && part !== null);
  return objects.length > 0 ? Object.assign({}, ...objects) : parts[0];
};

function byType(document: OpenApi, schema: Schema, above: readonly string[]): unknown {
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.find((one) => one !== 'null');
  if (type === 'object' || schema.properties !== undefined) return properties(document, schema, above);
  if (type === 'array') {
    const item = schema.items === undefined ? undefined : fromSchema(document, schema.items, above);
    return item === undefined ? [] : [item];
  }
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  if (type === 'boolean') return false;
  if (type === 'string') return schema.format === 'date-time' ? '2026-01-31T12:00:00Z' : 'text';
  return undefined;
}

function properties(document: OpenApi, schema: Schema, above: readonly string[]): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = fromSchema(document, property, above);
    if (value !== undefined) made[name] = value;
  }
  return made;
}

/** The required part of a sample: enough for a first request. The whole sample if nothing is required. */
export function requiredSample(document: OpenApi, media: Media): unknown {
  const sample = sampleOf(document, media);
  const required = media.schema === undefined ? [] : (resolve(document, media.schema).required ?? []);
  if (media.example !== undefined || media.examples !== undefined || required.length === 0) return sample;
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) return sample;
  return Object.fromEntries(Object.entries(sample).filter(([name]) => required.includes(name)));
}
