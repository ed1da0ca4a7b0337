import { Flags, type Interfaces } from '@oclif/core';
import { z } from 'zod';
import { number } from './flags.ts';
import { fieldFor, type FieldOf } from './request.ts';

type Properties = Interfaces.BooleanFlag<boolean>;
/** What the schema does not say: the text of the flag, its letter, other names and relations to other flags. */
interface Look extends Partial<Pick<Properties, 'char' | 'aliases' | 'exclusive' | 'dependsOn' | 'hidden'>> {
  readonly description: string;
  readonly helpValue?: string;
  /** Of a switch: what it is without the flag, and whether `--no-` turns it off. */
  readonly on?: { readonly default: true; readonly allowNo: true };
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
export function fieldFlags<S extends z.ZodObject, const L extends Readonly<Record<string, string | Look>>>(
  schema: S,
  looks: L,
): { [Name in keyof L]: FlagFor<ValueOf<S, Name>> } {
  const flags = Object.entries(looks).map(([name, look]) => {
    const given = typeof look === 'string' ? { description: look } : look;
    return [name, flagFor(fieldFor(schema, name), given)] as const;
  });
  return Object.fromEntries(flags) as { [Name in keyof L]: FlagFor<ValueOf<S, Name>> };
}

function flagFor(field: z.core.$ZodType, { on, ...look }: Look): unknown {
  const bare = withoutWrappers(field);
  if (bare instanceof z.ZodBoolean) return Flags.boolean({ ...look, ...on });
  if (bare instanceof z.ZodNumber) return number(look);
  if (bare instanceof z.ZodArray) return Flags.string({ ...look, multiple: true, multipleNonGreedy: true });
  if (bare instanceof z.ZodEnum) return Flags.string({ ...look, options: bare.options as string[] });
  return Flags.string(look);
}

/** The schema inside of optional, default and codec. */
function withoutWrappers(field: z.core.$ZodType): z.core.$ZodType {
  const { innerType, in: from } = field._zod.def as { readonly innerType?: z.core.$ZodType; readonly in?: z.core.$ZodType };
  const inner = innerType ?? from;
  return inner === undefined ? field : withoutWrappers(inner);
}
