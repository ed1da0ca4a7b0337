import { z } from 'zod';

/** What a key says about itself beyond its zod type. */
export interface KeyMeta {
  readonly description: string;
  readonly unit?: string;
  /** Never printed. */
  readonly secret?: boolean;
  /** A file path: `~` is expanded, and a relative one counts from the folder of its file (or the working directory). */
  readonly path?: boolean;
  /** What is allowed, where the zod type alone does not tell. */
  readonly allowed?: string;
  /** The default in words, where it depends on something else. */
  readonly defaultText?: string;
  /** What to do after a refused value. */
  readonly advice?: string;
  /** False for a key that only a file may hold. */
  readonly environment?: boolean;
}

/** A key with what it says about itself. */
export function key<T extends z.ZodType>(schema: T, description: string, more: Omit<KeyMeta, 'description'> = {}): T {
  return schema.meta({ description, ...more });
}
export const whole = (min: number, max: number, value: number) => z.int().min(min).max(max).default(value);
export const share = (value: number) => z.number().min(0).max(1).default(value);
export const flag = (value: boolean) => z.boolean().default(value);
export const words = z.string().min(1);
export const DAY_MS = 86_400_000;
