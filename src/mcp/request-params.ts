/** Validates names and arguments of a request. Errors are Lore's own messages, not those of a validator. */
import { z } from 'zod';
import { LoreError } from '../memory/errors.ts';
import { nearestName } from '../memory/nearest-name.ts';
import { parseRequest, quotedName } from '../memory/validation.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parameters with a name and arguments. Accepts any value: for a refused value the SDK would answer with the validator's message. */
export const NamedParams = z.unknown().transform((params) => {
  const { name, arguments: given } = isRecord(params) ? params : {};
  return { name: typeof name === 'string' ? name : '', given };
});

/** Parameters of `resources/read`. Accepts any value, for the same reason. */
export const ResourceParams = z
  .unknown()
  .transform((params) => ({ uri: isRecord(params) && typeof params['uri'] === 'string' ? params['uri'] : '' }));

/** Parses the arguments by their schema; missing arguments are an empty object. Throws `invalid_input`. */
export function parseArguments<T extends z.ZodObject>(schema: T, given: unknown): z.output<T> {
  if (given === undefined || given === null) return parseRequest(schema, {}, 'argument');
  if (!isRecord(given)) throw new LoreError('invalid_input', 'The arguments must be an object of names and values');
  return parseRequest(schema, given, 'argument');
}

/** The message for an unknown name, with the nearest name and all known ones. */
export function unknownNameMessage(kind: 'tool' | 'prompt', name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  const suggestion = near === undefined ? '' : ` Did you mean ${quotedName(near)}?`;
  return `There is no ${kind} ${quotedName(name)}.${suggestion} The ${kind}s are ${known.map(quotedName).join(', ')}.`;
}
