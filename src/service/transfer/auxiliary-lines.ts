import { z } from 'zod';
import { Container, Content, EntryId, Namespace, PRIORITIES, SOURCES, Tags } from '../../memory/entry.ts';
import { givenShape, optionalShape } from '../../memory/entry-fields.ts';
import { ARCHIVE_REASONS } from '../../memory/lifecycle.ts';
import type { AuxiliaryLine } from '../../memory/operations/operations.ts';
import { SyncRelation } from '../../memory/operations/sync-operations.ts';
import { lineFault } from './line-fault.ts';

const Ratio = z.number().min(0).max(1);
/** Epoch milliseconds. */
const When = z.number().min(0).max(8.64e15);

const RelationLine = z.object(SyncRelation.shape);

const { sourceRef, ...carried } = optionalShape({ carried: true });
const State = {
  content: Content,
  tags: Tags,
  priority: z.enum(PRIORITIES),
  namespace: Namespace,
  container: Container,
  importance: Ratio,
  ...givenShape,
};

const ArchivedLine = z.object({
  at: When,
  reason: z.enum(ARCHIVE_REASONS),
  run: z.string().min(1).max(64),
  survivor: EntryId.optional(),
  similarity: Ratio.optional(),
  entry: z.object({
    id: EntryId,
    ...State,
    source: z.enum(SOURCES),
    sourceRef,
    summary: z.string().optional(),
    createdAt: When,
    updatedAt: When,
    contentHash: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal'),
    superseded: z.literal(true).optional(),
    ...carried,
  }),
  relations: z.array(RelationLine),
});

const VersionLine = z.object({
  entryId: EntryId,
  writtenAt: When,
  replacedAt: When,
  replacedBy: z.enum(SOURCES),
  state: z.object(State),
});

const LINES = { relation: RelationLine, archived: ArchivedLine, version: VersionLine } as const;

/** The content of an export line other than an entry, or a description of its fault; undefined for other lines. */
export function readAuxiliaryLine(value: unknown): AuxiliaryLine | string | undefined {
  if (typeof value !== 'object' || value === null || 'content' in value) return undefined;
  const [kind, ...more] = Object.keys(value);
  if (kind === undefined || more.length > 0 || !Object.hasOwn(LINES, kind)) return undefined;
  const given = (value as Record<string, unknown>)[kind];
  const { success, data, error } = LINES[kind as keyof typeof LINES].safeParse(given);
  return success ? ({ [kind]: data } as AuxiliaryLine) : lineFault(error.issues, given, [kind]);
}
