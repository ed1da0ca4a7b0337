/** Schemas of results in code, and their form as JSON. */
import { z } from 'zod';
import { Time, Timestamp } from '../memory/timestamp.ts';

export { Time, Timestamp };

type Write = (value: never) => unknown;
const writers = new WeakMap<z.core.$ZodType, Write>();
const wires = new WeakMap<z.core.$ZodType, z.core.$ZodType>();
const asItIs = (value: unknown): unknown => value;

/**
 * Returns a writer for values of a schema: it drops members that the schema does not name and applies codecs. It does not validate,
 * because the value comes from our code. Cached per schema.
 */
export function writerOf<T extends z.core.$ZodType>(schema: T): (value: z.output<T>) => z.input<T> {
  const known = writers.get(schema);
  if (known !== undefined) return known as (value: z.output<T>) => z.input<T>;
  const made = makeWriter(schema);
  writers.set(schema, made);
  return made as (value: z.output<T>) => z.input<T>;
}

function makeWriter(schema: z.core.$ZodType): Write {
  if (schema instanceof z.ZodCodec) {
    const { reverseTransform } = schema._zod.def;
    return (value: never) => reverseTransform(value, { value, issues: [] });
  }
  if (schema instanceof z.ZodArray) {
    const item = writerOf(schema._zod.def.element);
    return item === asItIs ? asItIs : (items: readonly unknown[]) => items.map((each) => item(each));
  }
  if (isWrapped(schema)) {
    const inner = writerOf(schema._zod.def.innerType);
    return inner === asItIs ? asItIs : (value: unknown) => (value === undefined ? undefined : inner(value));
  }
  if (schema instanceof z.ZodObject) {
    const members = Object.entries<z.core.$ZodType>(schema.shape).map(([name, member]) => [name, writerOf(member)] as const);
    return (value: Readonly<Record<string, unknown>>) => {
      const written: Record<string, unknown> = {};
      for (const [name, write] of members) if (value[name] !== undefined) written[name] = write(value[name]);
      return written;
    };
  }
  return asItIs;
}

type Written<T> =
  T extends z.ZodCodec<infer Form>
    ? Form
    : T extends z.ZodExactOptional<infer Inner>
      ? z.ZodOptional<Written<Inner> & z.core.$ZodType>
      : T extends z.ZodObject<infer Shape>
        ? z.ZodObject<{ -readonly [Name in keyof Shape]: Written<Shape[Name]> & z.core.$ZodType }>
        : T;

/** The schema of the written form: each codec is replaced by its output schema. */
export function writtenSchema<T extends z.core.$ZodType>(schema: T): Written<T> {
  const known = wires.get(schema) ?? makeWritten(schema);
  wires.set(schema, known);
  return known as Written<T>;
}

function makeWritten(schema: z.core.$ZodType): z.core.$ZodType {
  // A schema with another description refers to the same schema of the document.
  const { parent } = schema._zod;
  if (parent !== undefined) {
    const written = writtenSchema(parent);
    return written === parent ? schema : described(written as z.ZodType, schema as z.ZodType);
  }
  if (schema instanceof z.ZodCodec) return described(schema._zod.def.in as z.ZodType, schema);
  if (schema instanceof z.ZodArray) {
    const element = writtenSchema(schema._zod.def.element);
    return element === schema._zod.def.element ? schema : described(z.array(element), schema);
  }
  if (isWrapped(schema)) {
    const inner = writtenSchema(schema._zod.def.innerType);
    if (inner === schema._zod.def.innerType) return schema;
    return described(schema instanceof z.ZodReadonly ? z.readonly(inner) : z.optional(inner), schema);
  }
  if (schema instanceof z.ZodObject) {
    const members = Object.entries<z.core.$ZodType>(schema.shape).map(([name, member]) => [name, writtenSchema(member)] as const);
    if (members.every(([name, member]) => member === schema.shape[name])) return schema;
    return described(z.object(Object.fromEntries(members)), schema);
  }
  return schema;
}

function described<T extends z.ZodType>(schema: T, like: z.ZodType): T {
  const meta = like.meta();
  return meta === undefined ? schema : schema.meta(meta);
}

/** Paths of codec values in the written form: names joined by dots; items of a list have the path of the list. */
export function codecPaths(schema: z.core.$ZodType, codec: z.core.$ZodType, place = ''): string[] {
  if (schema instanceof z.ZodCodec) return schema._zod.def.in === (codec as z.ZodCodec)._zod.def.in ? [place] : [];
  if (schema instanceof z.ZodArray) return codecPaths(schema._zod.def.element, codec, place);
  if (isWrapped(schema)) return codecPaths(schema._zod.def.innerType, codec, place);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, member]) =>
    codecPaths(member, codec, place === '' ? name : `${place}.${name}`),
  );
}

const isWrapped = (schema: z.core.$ZodType): schema is z.ZodOptional | z.ZodExactOptional | z.ZodReadonly =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional || schema instanceof z.ZodReadonly;
