/** What a client asks for by name, with arguments: both may be anything, and what is wrong with them is said in Lore's own words. */
import { z } from 'zod';
import { LoreError } from '../memory/errors.ts';
import { nearestName } from '../memory/nearest-name.ts';
import { parseRequest, shownName } from '../memory/validation.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The parameters of a request that names something and has arguments for it. Takes whatever comes, as what it refuses is answered in the words of a validator. */
export const NamedParams = z.unknown().transform((params) => {
  const { name, arguments: given } = isRecord(params) ? params : {};
  return { name: typeof name === 'string' ? name : '', given };
});

/** Those of the reading of a resource. Takes whatever comes, for the same reason. */
export const ResourceParams = z
  .unknown()
  .transform((params) => ({ uri: isRecord(params) && typeof params['uri'] === 'string' ? params['uri'] : '' }));

/** The arguments by their schema; none are the same as an empty object. Throws `invalid_input`. */
export function parseArguments<T extends z.ZodObject>(schema: T, given: unknown): z.output<T> {
  if (given === undefined || given === null) return parseRequest(schema, {}, 'argument');
  if (!isRecord(given)) throw new LoreError('invalid_input', 'The arguments must be an object of names and values');
  return parseRequest(schema, given, 'argument');
}

/** Two or three sentences about a name that names nothing. */
export function noneNamed(kind: 'tool' | 'prompt', name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  const suggestion = near === undefined ? '' : ` Did you mean ${shownName(near)}?`;
  return `There is no ${kind} ${shownName(name)}.${suggestion} The ${kind}s are ${known.map(shownName).join(', ')}.`;
}
