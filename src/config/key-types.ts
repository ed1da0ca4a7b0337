import { z } from 'zod';

/** Metadata of a key in addition to its zod type. */
export interface KeyMeta {
  readonly description: string;
  readonly unit?: string;
  /** Its value is never printed. */
  readonly secret?: boolean;
  /** A file path: `~` is expanded, and a relative path is resolved against the folder of its file, or the working directory. */
  readonly path?: boolean;
  /** Allowed values in words, if the zod type does not show them. */
  readonly allowed?: string;
  /** The default in words, if it depends on something else. */
  readonly defaultText?: string;
  /** Advice after an invalid value. */
  readonly advice?: string;
  /** Read at each use, so that a change applies at once. */
  readonly live?: boolean;
  /** False: can only be set in a file. */
  readonly environment?: boolean;
}

/** Attaches metadata to the schema of a key. */
export function key<T extends z.ZodType>(schema: T, description: string, more: Omit<KeyMeta, 'description'> = {}): T {
  return schema.meta({ description, ...more });
}
export const integer = (min: number, max: number, value: number) => z.int().min(min).max(max).default(value);
export const fraction = (value: number) => z.number().min(0).max(1).default(value);
export const flag = (value: boolean) => z.boolean().default(value);
export const nonEmpty = z.string().min(1);
