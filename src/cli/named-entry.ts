import { Args } from '@oclif/core';
import { IdPrefix, parseEntryId, type Entry } from '../memory/entry.ts';
import { entryNotFound } from '../memory/errors.ts';
import type { MemoryOperations } from '../memory/operations/operations.ts';
import { UsageError } from './failure.ts';
import { oneLine } from './print/output.ts';
import { fit } from './print/text-width.ts';

/** Entries that are listed if several ids have the given prefix. */
const SHOWN = 10;
const SHOWN_COLUMNS = 60;
/** A beginning of an id that is too short to search for. */
const SHORT_ID = /^[\da-f]{1,7}$/i;

/** The argument for one entry. */
export const entryArg = Args.string({
  required: true,
  ignoreStdin: true,
  description: 'Id of the entry, or its first 8 or more characters.',
});
export const entriesArg = Args.string({
  multiple: true,
  ignoreStdin: true,
  description: 'Ids of the entries, or the first 8 or more characters of each.',
});

interface MatchingEntries {
  readonly entries: readonly Pick<Entry, 'id' | 'content'>[];
  readonly total: number;
}

/**
 * The id of the entry with this id or prefix. Throws `not_found` if there is none, and a usage error that lists the entries if there are
 * several: ids begin with the time, so entries of one minute have the same beginning.
 */
export async function entryNamed(text: string, memories: Pick<MemoryOperations, 'list'>): Promise<string> {
  return await named(text, (idPrefix) => memories.list({ allNamespaces: true, idPrefix, limit: SHOWN }, { source: 'cli' }));
}

export const entriesNamed = (texts: readonly string[], memories: Pick<MemoryOperations, 'list'>): Promise<string[]> =>
  Promise.all(texts.map((text) => entryNamed(text, memories)));

/** The same for archived entries. */
export async function archivedNamed(text: string, { lifecycle }: Pick<MemoryOperations, 'lifecycle'>): Promise<string> {
  return await named(text, async (idPrefix) => {
    const { entries, total } = await lifecycle.archived({ idPrefix, limit: SHOWN }, { source: 'cli' });
    return { entries: entries.map(({ entry }) => entry), total };
  });
}

async function named(text: string, find: (idPrefix: string) => Promise<MatchingEntries>): Promise<string> {
  const id = parseEntryId(text);
  if (id !== undefined) return id;
  const { data: idPrefix } = IdPrefix.safeParse(text);
  if (idPrefix === undefined)
    throw entryNotFound(text, SHORT_ID.test(text) ? 'Enter at least the first 8 characters of the id.' : undefined);
  const { entries, total } = await find(idPrefix);
  const [first, ...others] = entries;
  if (first === undefined) throw entryNotFound(text);
  if (others.length === 0) return first.id;
  const lines = entries.map((entry) => `  ${entry.id}  ${fit(oneLine(entry.content), SHOWN_COLUMNS)}`);
  const more = total > entries.length ? [`  and ${total - entries.length} more`] : [];
  throw new UsageError(
    `${total} entries have an id that begins with ${text}:\n${[...lines, ...more].join('\n')}`,
    'Enter more characters of the id.',
  );
}
