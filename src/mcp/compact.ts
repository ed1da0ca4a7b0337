/** Entries as a model gets them: what it needs to judge and to ask on, and no token more. */
import { z } from 'zod';
import { ARCHIVE_REASONS, PRIORITIES, type Entry, type ScoredEntry } from '../memory/entry.ts';
import { beginningOf } from './answer-size.ts';

/** Longer texts are cut; most entries are a sentence or two. */
export const MAX_SHOWN_CHARS = 1_500;
/** A passage may be as long as `memory.chunkSize` says. */
const MAX_PASSAGE_CHARS = 10_000;

export const CompactEntry = z.object({
  id: z.string(),
  content: z.string(),
  score: z.number().optional(),
  namespace: z.string().optional().meta({ description: 'Only where it is another one than this project.' }),
  tags: z.array(z.string()).optional(),
  priority: z.enum(PRIORITIES).optional().meta({ description: 'Only where it is not normal.' }),
  createdAt: z.string(),
  superseded: z.literal(true).optional().meta({ description: 'A newer entry takes its place.' }),
  archived: z.enum(ARCHIVE_REASONS).optional().meta({ description: 'It is in the archive, for this reason.' }),
  cut: z.literal(true).optional().meta({ description: 'Only a part of the text: memory_get has all of it.' }),
});
export type CompactEntry = z.output<typeof CompactEntry>;

/** An entry without what says nothing; `here` is the namespace that goes without saying. */
export function compactEntry(entry: Entry, here: string | undefined): CompactEntry {
  return compacted(entry, here, { content: excerpt(entry), cut: entry.content.length > MAX_SHOWN_CHARS });
}

/** A result; of a long text the passage that answers. */
export function compactResult({ entry, score, passage, archived }: ScoredEntry, here: string | undefined): CompactEntry {
  const isLong = entry.content.length > MAX_SHOWN_CHARS;
  const content = isLong && passage !== undefined ? beginningOf(passage.text, MAX_PASSAGE_CHARS) : excerpt(entry);
  const shown = compacted(entry, here, { content, cut: isLong });
  return { ...shown, score: Math.round(score * 100) / 100, ...(archived && { archived: archived.reason }) };
}

function compacted(entry: Entry, here: string | undefined, { content, cut }: { content: string; cut: boolean }): CompactEntry {
  const { id, namespace, tags, priority, createdAt, superseded } = entry;
  return {
    id,
    content,
    ...(namespace !== here && { namespace }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(priority !== 'normal' && { priority }),
    createdAt: minuteOf(createdAt),
    ...(superseded === true && { superseded }),
    ...(cut && { cut }),
  };
}

/** The text, or of a long one what is told of it in a list. */
export function excerpt({ content, summary }: Entry): string {
  if (content.length <= MAX_SHOWN_CHARS) return content;
  return summary !== undefined && summary.length <= MAX_SHOWN_CHARS ? summary : `${beginningOf(content, MAX_SHOWN_CHARS)} …`;
}

/** ISO 8601 in UTC, to the minute. */
export function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}
