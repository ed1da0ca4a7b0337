/** Entries as a model gets them: only the fields that it needs to judge an entry and to call again. */
import type { ArchiveReason, Entry, Priority, ScoredEntry } from '../memory/entry.ts';
import { passageLocation } from '../memory/passage-location.ts';
import { truncated } from './result-size.ts';
import { kindOf, type ShownKind } from './entry-kinds.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

/** Longer texts are cut; most entries are a sentence or two. */
const MAX_SHOWN_CHARS = 1_500;
/** A passage can be as long as `memory.chunkSize`. */
const MAX_PASSAGE_CHARS = 10_000;

export interface CompactEntry {
  readonly id: string;
  readonly kind: ShownKind;
  /** Location of a passage of a file: `path:line-line`. */
  readonly place?: string;
  readonly content: string;
  readonly score?: number;
  readonly namespace: string;
  readonly tags?: readonly string[];
  /** Absent if normal. */
  readonly priority?: Priority;
  readonly createdAt: string;
  /** Set if the entry is superseded. */
  readonly superseded?: true;
  readonly archived?: ArchiveReason;
  /** `content` is only a part of the text; a call with the id returns all of it. */
  readonly cut?: true;
}

/** An entry without empty fields. */
export function compactEntry(entry: Entry): CompactEntry {
  return compacted(entry, { content: excerpt(entry), cut: entry.content.length > MAX_SHOWN_CHARS, place: passageLocation(entry) });
}

/** A search result; a long text is cut to its best passage. */
export function compactResult({ entry, score, passage, archived }: ScoredEntry): CompactEntry {
  const isLong = entry.content.length > MAX_SHOWN_CHARS;
  const stretch = isLong ? passage : undefined;
  const content = stretch === undefined ? excerpt(entry) : truncated(stretch.text, MAX_PASSAGE_CHARS);
  const shown = compacted(entry, { content, cut: isLong, place: passageLocation(entry, stretch) });
  return { ...shown, score: hundredths(score), ...(archived && { archived: archived.reason }) };
}

interface Shown {
  readonly content: string;
  readonly cut: boolean;
  readonly place: string | undefined;
}

function compacted(entry: Entry, { content, cut, place }: Shown): CompactEntry {
  const { id, namespace, tags, priority, createdAt, superseded } = entry;
  return {
    id,
    kind: kindOf(entry),
    ...withoutUndefined({ place }),
    content,
    namespace,
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(priority !== 'normal' && { priority }),
    createdAt: minuteOf(createdAt),
    ...(superseded === true && { superseded }),
    ...(cut && { cut }),
  };
}

/** The text. A long text is replaced by its summary or cut. */
export function excerpt({ content, summary }: Pick<Entry, 'content' | 'summary'>): string {
  if (content.length <= MAX_SHOWN_CHARS) return content;
  return summary !== undefined && summary.length <= MAX_SHOWN_CHARS ? summary : `${truncated(content, MAX_SHOWN_CHARS)} …`;
}

/** ISO 8601 in UTC, to the minute. */
export function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}

export const hundredths = (ratio: number): number => Math.round(ratio * 100) / 100;
