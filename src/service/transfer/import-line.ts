import { z } from 'zod';
import { MAX_ENTITIES, MAX_ENTITY_CHARS } from '../../memory/entities/entity-kinds.ts';
import { optionalShape, type Carried } from '../../memory/entry-fields.ts';
import {
  Container,
  Content,
  MAX_TAGS,
  Namespace,
  parseEntryId,
  PriorityInput,
  SOURCES,
  Tag,
  Tags,
  type Entry,
} from '../../memory/entry.ts';
import { storedName } from '../../memory/names.ts';
import { readExportHeader, type ReadHeader } from '../../memory/operations/export-header.ts';
import type { Tombstone } from '../../memory/tombstone.ts';
import type { AuxiliaryLine } from '../../memory/operations/operations.ts';
import { readAuxiliaryLine } from './auxiliary-lines.ts';
import { lineFault } from './line-fault.ts';
import { normalizeNames } from './line-names.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const When = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .refine((ms) => Number.isFinite(ms), 'must be a date');
const Ratio = z.number().min(0).max(1);

const { sourceRef: _anything, entities: _lenient, ...carried } = optionalShape({ carried: true });
const nullish = Object.fromEntries(Object.entries<z.ZodType>(carried).map(([name, schema]) => [name, schema.nullish()]));
const Facts = z.object({
  namespace: Namespace.nullish(),
  container: Container.nullish(),
  tags: Tags.nullish(),
  priority: PriorityInput.nullish(),
  importance: Ratio.nullish(),
  /** Other stores put the program or the machine here: an unknown source becomes a tag. */
  source: z.string().nullish(),
  sourceRef: z.record(z.string(), z.unknown()).nullish(),
  /** Other stores use these fields differently: if it is not a list of names, names are read from the content. */
  entities: z.array(z.string().min(1).max(MAX_ENTITY_CHARS)).min(1).max(MAX_ENTITIES).nullish().catch(undefined),
  /** Reference form. */
  timestamp: When.nullish(),
  /** Guide form. */
  createdAt: When.nullish(),
  updatedAt: When.nullish(),
  ...nullish,
});

/** The numbers of a vector in base64 of 32-bit floats, little-endian like all supported machines. */
function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !BASE64.test(value)) return value;
  const bytes = Buffer.from(value, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, nth) => bytes.readFloatLE(nth * 4));
}

const BASE64 = /^[A-Za-z0-9+/]+=*$/;

/** An entry in either form, or as exported: values in `metadata` take precedence over those next to it. */
const ImportLineSchema = Facts.extend({
  /** An id that is no UUID, from another store, is kept in `sourceRef` and replaced. */
  id: z.string().max(200).or(z.number()).nullish(),
  content: Content,
  metadata: Facts.nullish(),
  /** Base64, as in a backup. */
  embedding: z.preprocess(unpacked, z.array(z.number()).nullish()).optional(),
  embedder: z.string().nullish(),
});

/** An entry read from a line; fields missing in the line are absent. */
export interface ImportedEntry extends Pick<Entry, Carried> {
  readonly id?: string;
  readonly content: string;
  readonly namespace?: string;
  readonly container?: string;
  readonly tags?: readonly string[];
  readonly priority?: z.output<typeof PriorityInput>;
  readonly importance?: number;
  readonly source?: (typeof SOURCES)[number];
  readonly createdAt?: number;
  readonly updatedAt?: number;
  /** Vector of the whole text; used only if `embedder` names its model. */
  readonly embedding?: Float32Array;
  readonly embedder?: string;
}

/** A tombstone from a backup. */
const TombstoneLine = z.strictObject({
  tombstone: z.strictObject({ id: z.string().min(1).max(1000), namespace: Namespace, at: z.number().min(0).max(8.64e15) }),
});

/** The parts of a line that were left out or replaced, as a sentence; absent if there are none. */
interface Noted {
  readonly notes?: readonly string[];
}
type ReadLine =
  | { readonly header: ReadHeader }
  | { readonly tombstone: Tombstone }
  | ({ readonly auxiliary: AuxiliaryLine } & Noted)
  | ({ readonly entry: ImportedEntry } & Noted)
  | { readonly error: string };

/** The entry of one line, or its fault as a sentence; or another part of an export: its header, or additional data. */
export function parseImportLine(text: string): ReadLine {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return { error: 'is not valid JSON' };
  }
  const header = readExportHeader(given);
  if (header !== undefined) return { header };
  const deleted = TombstoneLine.safeParse(given);
  if (deleted.success) return deleted.data;
  const { value, notes } = normalizeNames(given);
  const noted = notes.length > 0 ? { notes } : {};
  const other = readAuxiliaryLine(value);
  if (other !== undefined) return typeof other === 'string' ? { error: other } : { auxiliary: other, ...noted };
  const parsed = ImportLineSchema.safeParse(value);
  if (!parsed.success) return { error: lineFault(parsed.error.issues, value) };
  const { entry, foreign } = withOwnSource(importedEntry(parsed.data));
  const all = foreign === undefined ? notes : [...notes, `source: ${foreign} is not a source of Lore, and became a tag`];
  return { entry, ...(all.length > 0 ? { notes: all } : {}) };
}

/** An entry as in its line, whose source may be unknown here. */
type ReadEntry = Omit<ImportedEntry, 'source'> & { readonly source?: string };

function withOwnSource({ source, ...entry }: ReadEntry): { readonly entry: ImportedEntry; readonly foreign?: string } {
  if (source === undefined || source === '') return { entry };
  const own = SOURCES.find((name) => name === source);
  if (own !== undefined) return { entry: { ...entry, source: own } };
  const tag = Tag.safeParse(storedName(`source:${source}`));
  const tags = entry.tags ?? [];
  const hasRoom = tag.success && tags.length < MAX_TAGS && !tags.includes(tag.data);
  return { entry: { ...entry, ...(hasRoom ? { tags: [...tags, tag.data] } : {}) }, foreign: source };
}

function importedEntry(read: z.output<typeof ImportLineSchema>): ReadEntry {
  const { id, content, metadata, embedding, embedder, ...beside } = read;
  const facts = { ...given(beside), ...given(metadata ?? {}) };
  const { timestamp, createdAt, ...rest } = facts;
  const created = timestamp ?? createdAt;
  const ownId = parseEntryId(String(id ?? ''));
  const foreign = id !== undefined && id !== null && ownId === undefined ? { sourceRef: { ...rest.sourceRef, importedId: id } } : {};
  return {
    content,
    ...rest,
    ...foreign,
    ...withoutUndefined({ id: ownId, createdAt: created }),
    ...(embedding ? { embedding: Float32Array.from(embedding) } : {}),
    ...(embedder ? { embedder } : {}),
  };
}

type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };

function given<T extends object>(facts: T): Given<T> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined)) as Given<T>;
}
