import type { z } from 'zod';

type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: ReadOnly<T[Name]> }
    : T;

/** The type of a result: the output of its schema, read-only at every depth. */
export type Result<Schema extends z.ZodType> = ReadOnly<z.output<Schema>>;
