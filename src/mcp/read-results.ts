/** Results of the tools that read. */
import type { SearchResults, CallOptions, EntryPage } from '../memory/operations/operations.ts';
import { truncated, takeFitting } from './result-size.ts';
import type { McpMemories } from './caller.ts';
import { compactEntry, compactResult, hundredths, minuteOf, type CompactEntry } from './compact-entries.ts';
import { textPage } from './text-pages.ts';
import { withoutUndefined } from '../memory/without-undefined.ts';

const RELATIONS = 20;
const LINE_CHARS = 100;

interface Found extends Record<string, unknown> {
  readonly results: readonly CompactEntry[];
  /** Number of results left out at the end because the answer would be too large. */
  readonly omitted?: number;
  readonly note?: string;
}

/** Search results for a model, with a note about archived entries. */
export function foundResults({ results, archivedMatches }: SearchResults): Found {
  const note = archivedMatches === undefined ? archivedNote(results) : matchesNote(archivedMatches);
  const { fit, omitted } = takeFitting(results.map(compactResult));
  return { results: fit, ...(omitted > 0 && { omitted }), ...withoutUndefined({ note }) };
}

/** Passages of files, one line each: the model reads the file or calls again with the id. */
export function filePassages({ results }: SearchResults): { readonly files?: readonly object[] } {
  const files = results.map((result) => {
    const { id, place, score, content } = compactResult(result);
    return { place, line: truncated(firstLine(content), LINE_CHARS), id, score };
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
  const { fit, omitted } = takeFitting(entries.map(compactEntry));
  return { entries: fit, rest: { total, offset, ...(omitted > 0 && { omitted }) } };
}

/** One entry in full with its relations; each relation names only its other end. `cursor` selects the part of a very long text. */
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
