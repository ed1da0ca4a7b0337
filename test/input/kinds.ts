/** Every kind of field that a request may have. */
import { z } from 'zod';
import type { Kind } from './kind.ts';
import { LIST_KINDS } from './list-kinds.ts';
import { NUMBER_KINDS } from './number-kinds.ts';
import { TEXT_KINDS } from './text-kinds.ts';
import { WORD_KINDS } from './word-kinds.ts';

const ALL = { ...TEXT_KINDS, ...NUMBER_KINDS, ...WORD_KINDS, ...LIST_KINDS };
export type KindName = keyof typeof ALL;
export const KINDS: Readonly<Record<KindName, Kind>> = ALL;

/** A value of a kind as a parameter, percent-encoded; undefined where a query cannot say it. */
export function asText({ schema }: Kind, value: unknown): string | undefined {
  const type = typeOf(schema);
  if (type === 'array') return Array.isArray(value) ? encodeURIComponent(JSON.stringify(value)) : undefined;
  if (type === 'object' || type === 'record') return undefined;
  if (typeof value === 'string') return value.isWellFormed() && !isMeant(value, type) ? encodeURIComponent(value) : undefined;
  return typeof value === type && isMeant(String(value), type) ? String(value) : undefined;
}

const typeOf = (schema: z.core.$ZodType): string => (schema instanceof z.ZodOptional ? typeOf(schema.unwrap()) : schema._zod.def.type);

/** Whether a text is a number, or true or false, where one is asked for. */
const isMeant = (text: string, type: string): boolean =>
  (type === 'boolean' && /^(?:true|false)$/.test(text)) || (type === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text));
