/** What the tools that read give back. */
import type { SearchResults, CallOptions, EntryPage } from '../memory/operations/operations.ts';
import { beginningOf, fitting } from './answer-size.ts';
import type { McpMemories } from './caller.ts';
import { compactEntry, compactResult, hundredths, minuteOf, type CompactEntry } from './compact.ts';
import { textPage } from './text-pages.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

const RELATIONS = 20;
const LINE_CHARS = 100;

interface Found extends Record<string, unknown> {
  readonly results: readonly CompactEntry[];
  /** Left out at the end, as the answer would be too large. */
  readonly omitted?: number;
  readonly note?: string;
}

/** Results as a model gets them, with what it should know of the archive in plain words. */
export function foundBy({ results, archivedMatches }: SearchResults): Found {
  const note = archivedMatches === undefined ? archivedNote(results) : matchesNote(archivedMatches);
  const { fit, omitted } = fitting(results.map(compactResult));
  return { results: fit, ...(omitted > 0 && { omitted }), ...withoutUndefined({ note }) };
}

/** Passages of files, one line each: a model reads the file, or asks for the id. */
export function placesOf({ results }: SearchResults): { readonly files?: readonly object[] } {
  const files = results.map((result) => {
    const { id, place, score, content } = compactResult(result);
    return { place, line: beginningOf(firstLine(content), LINE_CHARS), id, score };
  });
  return files.length === 0 ? {} : { files };
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';

function matchesNote(matches: number): string {
  const subject = matches === 1 ? '1 archived memory matches' : `${matches} archived memories match`;
  return `Nothing here matches well, but ${subject}: call again with includeArchived.`;
}

function archivedNote(results: SearchResults['results']): string | undefined {
  const archived = results.find((found) => found.archived !== undefined);
  return (
    archived &&
    `Results with \`archived\` are in the archive and may be outdated. \`lore archive restore ${archived.entry.id}\` restores that one.`
  );
}

interface Listed {
  readonly entries: readonly CompactEntry[];
  readonly rest: { readonly total: number; readonly offset: number; readonly omitted?: number };
}

export function listed({ entries, total, offset }: EntryPage): Listed {
  const { fit, omitted } = fitting(entries.map(compactEntry));
  return { entries: fit, rest: { total, offset, ...(omitted > 0 && { omitted }) } };
}

/** One entry in full with its relations, of each of which the entry itself is the end that is not named; of a very long text the part that `cursor` names. */
export async function wholeEntry(
  { id, cursor }: { readonly id: string; readonly cursor: string | undefined },
  memories: McpMemories,
  options: CallOptions,
): Promise<Record<string, unknown>> {
  const [entry, { relations }] = await Promise.all([memories.get(id, options), memories.relations.list({ id, limit: RELATIONS }, options)]);
  const { cut: _, ...facts } = compactEntry(entry);
  const links = relations.map(({ type, sourceId, targetId }) => (sourceId === id ? { type, targetId } : { type, sourceId }));
  return {
    ...facts,
    ...textPage(entry, cursor),
    importance: hundredths(entry.importance),
    source: entry.source,
    ...(entry.updatedAt > entry.createdAt && { updatedAt: minuteOf(entry.updatedAt) }),
    ...(links.length > 0 && { relations: links }),
  };
}
