/** The entry in responses. */
import { z } from 'zod';
import { ENTRY_FIELDS, type EntryField } from '../memory/entry-fields.ts';
import { entryFrom, type EntryForm } from '../memory/entry-form.ts';
import type { Entry } from '../memory/entry.ts';
import { passageLocation } from '../memory/passage-location.ts';
import { writerOf, writtenSchema } from './wire.ts';

/** A member of an entry in a response: a field, or a value derived from several. */
interface Member {
  readonly schema: z.ZodType;
  readonly of: (entry: Entry) => unknown;
}
type Members = Readonly<Record<string, Member>>;

/** `src/app.ts:3-10` for a passage of a file. */
const place: Member = {
  schema: z.string().optional().meta({ description: 'Only for a passage of a file: its path and lines, such as `src/app.ts:3-10`.' }),
  of: passageLocation,
};

function memberOf(name: string, { schema, optional }: EntryField): Member {
  const write = writerOf(schema);
  const of = (entry: Entry): unknown => {
    const value = entry[name as keyof Entry];
    return value === undefined ? undefined : write(value);
  };
  return { schema: writtenSchema(optional ? schema.optional() : schema), of };
}

/** The members of a kind, by the names of the reference form and in its order. */
function membersFor(are: (field: EntryField) => boolean): Members {
  const fields: [string, EntryField][] = Object.entries(ENTRY_FIELDS);
  return Object.fromEntries(
    fields.flatMap(([name, field]) => [
      ...(name === 'sourceRef' ? [['place', place] as const] : []),
      ...(are(field) ? [[field.wire ?? name, memberOf(name, field)] as const] : []),
    ]),
  );
}

/** Optional members of an entry in the guide form. */
export const guideMembers = membersFor(({ optional, guide }) => optional === true && guide !== false);
const { id: _id, content: _content, ...metadata } = membersFor(() => true);

export function shapeOf(members: Members): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema]));
}

/** Returns a function that copies the members an entry has. Loops over names, because a spread of so many fields is slow. */
export function memberCopier(members: Members): (entry: Entry, told: Record<string, unknown>) => void {
  const all = Object.entries(members);
  return (entry, told) => {
    for (const [name, { of }] of all) {
      const value = of(entry);
      if (value !== undefined) told[name] = value;
    }
  };
}
const copyMetadata = memberCopier(metadata);

type Metadata = EntryForm['metadata'];

/** In the reference form. */
const ReferenceEntry = z
  .object({
    id: z.uuid(),
    content: z.string(),
    metadata: z.object(shapeOf(metadata)) as z.ZodType as z.ZodType<Metadata, Metadata>,
  })
  .meta({ id: 'Entry' });

/** Codec of an entry: the type in code, and the reference form on the wire. */
export const EntryResult = z.codec(ReferenceEntry, z.custom<Entry>(), {
  decode: entryFrom,
  encode: (entry) => {
    const told: Record<string, unknown> = {};
    copyMetadata(entry, told);
    return { id: entry.id, content: entry.content, metadata: told as Metadata };
  },
});
