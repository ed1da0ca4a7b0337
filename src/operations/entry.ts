/** The entry of an answer. */
import { z } from 'zod';
import { entryFrom, type EntryForm } from '../memory/entry-form.ts';
import { PRIORITIES, SOURCES, type Entry } from '../memory/entry.ts';
import { placeOf } from '../memory/place.ts';
import { Timestamp } from './wire.ts';

const count = z.int().min(0);

/** `src/app.ts:3-10` of a passage of a file. */
export const PlaceSchema = z
  .string()
  .meta({ description: 'Only of a passage of a file: its path with its lines, such as `src/app.ts:3-10`.' });
/** When an entry came from elsewhere. */
export const arrivalFields = {
  arrivedAt: Timestamp.optional().meta({ description: 'When an import or a sync brought it here; absent for what was saved here.' }),
};
/** How often an entry was recalled, where one entry is asked for. */
export const usageFields = {
  recalls: count
    .optional()
    .meta({ description: 'How often recalls and searches returned it; only of one entry that was asked for, once one did.' }),
  lastRecalledAt: Timestamp.optional(),
};
export const EntitiesSchema = z.array(z.string()).readonly().meta({
  description: 'Paths, names of code, packages, addresses, error codes and people that the content names; absent where it names none.',
});
export const SupersededSchema = z
  .literal(true)
  .meta({ description: 'A newer entry takes its place: searches leave it out unless `includeSuperseded`.' });

/** In the reference form. */
export const ReferenceEntry = z
  .object({
    id: z.uuid(),
    content: z.string(),
    metadata: z.object({
      namespace: z.string(),
      tags: z.array(z.string()).readonly(),
      timestamp: Timestamp,
      summary: z.string().optional().meta({ description: 'Only of long content.' }),
      entities: EntitiesSchema.optional(),
      container: z.string(),
      priority: z.enum(PRIORITIES),
      importance: z.number().min(0).max(1),
      source: z.enum(SOURCES),
      place: PlaceSchema.optional(),
      sourceRef: z.record(z.string(), z.unknown()).readonly().optional().meta({ description: 'Where the text came from.' }),
      updatedAt: Timestamp,
      contentHash: z.string().meta({ description: 'SHA-256 of the NFC form of the content, hexadecimal.' }),
      superseded: SupersededSchema.optional(),
      ...arrivalFields,
      ...usageFields,
    }),
  })
  .meta({ id: 'Entry' });

/** An entry as code has it, written in the reference form. */
export const EntryResult = z.codec(ReferenceEntry, z.custom<Entry>(), {
  decode: (form) => entryFrom(form as EntryForm),
  encode: (entry) => entryForm(entry) as z.output<typeof ReferenceEntry>,
});

function entryForm(entry: Entry): EntryForm {
  const { id, content, namespace, container, tags, priority, importance, source, sourceRef, summary, contentHash } = entry;
  const { entities, superseded, arrivedAt, recalls, lastRecalledAt } = entry;
  const place = placeOf(entry);
  return {
    id,
    content,
    metadata: {
      namespace,
      tags,
      timestamp: isoTime(entry.createdAt),
      ...(summary !== undefined && { summary }),
      ...(entities && { entities }),
      container,
      priority,
      importance,
      source,
      ...(place !== undefined && { place }),
      ...(sourceRef && { sourceRef }),
      updatedAt: isoTime(entry.updatedAt),
      contentHash,
      ...(superseded && { superseded }),
      ...(arrivedAt !== undefined && { arrivedAt: isoTime(arrivedAt) }),
      ...(recalls !== undefined && { recalls }),
      ...(lastRecalledAt !== undefined && { lastRecalledAt: isoTime(lastRecalledAt) }),
    },
  };
}

const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();
