import { Flags, type Interfaces } from '@oclif/core';
import { z } from 'zod';
import { number } from './flags.ts';
import { fieldFor, type FieldOf } from './request.ts';

type Properties = Interfaces.BooleanFlag<boolean>;
/** Additions to the schema: description of the flag, its letter, aliases and relations to other flags. */
interface FlagOptions extends Partial<Pick<Properties, 'char' | 'aliases' | 'exclusive' | 'dependsOn' | 'hidden'>> {
  readonly description: string;
  readonly helpValue?: string;
  /** A switch that is on unless `--no-` turns it off. */
  readonly isOn?: true;
}

type Fields<S extends z.ZodObject> = Required<z.input<S>>;
type Conditions<S extends z.ZodObject> = Fields<S> extends { filter: infer F } ? Required<NonNullable<F>> : object;
type At<T, Path> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof T
    ? At<Required<NonNullable<T[Head]>>, Rest>
    : never
  : Path extends keyof T
    ? T[Path]
    : never;
type ValueOf<S extends z.ZodObject, Name> = At<Fields<S> & Conditions<S>, FieldOf<Name>>;
/** Of a flag of oclif: a switch is false or undefined if it is not given. */
type FlagFor<V> = [NonNullable<V>] extends [boolean]
  ? Interfaces.BooleanFlag<boolean>
  : Interfaces.OptionFlag<(NonNullable<V> extends readonly unknown[] ? string[] : NonNullable<V>) | undefined>;

/**
 * Flags that set fields of a request, or of its `filter`. Their names are those of the fields in kebab case, or stand in `request.ts`. Kind,
 * choices and repeatability come from the schema. Throws for a name without a field.
 */
export function fieldFlags<S extends z.ZodObject, const L extends Readonly<Record<string, string | FlagOptions>>>(
  schema: S,
  options: L,
): { [Name in keyof L]: FlagFor<ValueOf<S, Name>> } {
  const flags = Object.entries(options).map(([name, option]) => {
    const given = typeof option === 'string' ? { description: option } : option;
    const field = fieldFor(schema, name);
    if (field === undefined) throw new TypeError(`No field of the request belongs to --${name}.`);
    return [name, flagFor(field, given)] as const;
  });
  return Object.fromEntries(flags) as { [Name in keyof L]: FlagFor<ValueOf<S, Name>> };
}

function flagFor(field: z.core.$ZodType, { isOn, ...option }: FlagOptions): unknown {
  if (field instanceof z.ZodBoolean) return Flags.boolean({ ...option, ...(isOn && { default: true, allowNo: true }) });
  if (field instanceof z.ZodNumber) return number(option);
  if (field instanceof z.ZodArray) return Flags.string({ ...option, multiple: true, multipleNonGreedy: true });
  if (field instanceof z.ZodEnum) return Flags.string({ ...option, options: field.options as string[] });
  return Flags.string(option);
}
