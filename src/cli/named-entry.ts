import { IdPrefix, parseEntryId, type Entry } from '../memory/entry.ts';
import { entryNotFound } from '../memory/errors.ts';
import type { ArchivePage } from '../memory/operations/lifecycle-operations.ts';
import type { MemoryOperations } from '../memory/operations/operations.ts';
import { UsageError } from './failure.ts';
import { oneLine } from './print/output.ts';
import { fit } from './print/text-width.ts';

/** Entries that are listed where several ids begin as given. */
const SHOWN = 10;
const SHOWN_COLUMNS = 60;
const ARCHIVE_PAGE = 100;

interface Fitting {
  readonly entries: readonly Pick<Entry, 'id' | 'content'>[];
  readonly total: number;
}

/**
 * The id of an entry that a person named by it or by its first characters. Throws `not_found` where no entry has it, and a usage error that lists
 * the entries where several do: ids begin with the time, so those of one minute begin alike.
 */
export async function entryNamed(text: string, memories: Pick<MemoryOperations, 'list'>): Promise<string> {
  return await named(text, (idPrefix) => memories.list({ allNamespaces: true, idPrefix, limit: SHOWN }, { source: 'cli' }));
}

export const entriesNamed = (texts: readonly string[], memories: Pick<MemoryOperations, 'list'>): Promise<string[]> =>
  Promise.all(texts.map((text) => entryNamed(text, memories)));

/** The same for an entry in the archive. */
export async function archivedNamed(text: string, { lifecycle }: Pick<MemoryOperations, 'lifecycle'>): Promise<string> {
  return await named(text, async (idPrefix) => {
    const found: Entry[] = [];
    let page: ArchivePage | undefined;
    for (let offset = 0; offset < (page?.total ?? 1); offset += ARCHIVE_PAGE) {
      page = await lifecycle.archived({ limit: ARCHIVE_PAGE, offset }, { source: 'cli' });
      found.push(...page.entries.map(({ entry }) => entry).filter(({ id }) => id.startsWith(idPrefix)));
    }
    return { entries: found.slice(0, SHOWN), total: found.length };
  });
}

async function named(text: string, find: (idPrefix: string) => Promise<Fitting>): Promise<string> {
  const id = parseEntryId(text);
  if (id !== undefined) return id;
  const { data: idPrefix } = IdPrefix.safeParse(text);
  if (idPrefix === undefined) throw entryNotFound(text);
  const { entries, total } = await find(idPrefix);
  const [first, ...others] = entries;
  if (first === undefined) throw entryNotFound(text);
  if (others.length === 0) return first.id;
  const lines = entries.map((entry) => `  ${entry.id}  ${fit(oneLine(entry.content), SHOWN_COLUMNS)}`);
  const more = total > entries.length ? [`  and ${total - entries.length} more`] : [];
  throw new UsageError(`${total} entries have an id that begins with ${text}:\n${[...lines, ...more].join('\n')}`, 'Give more of the id.');
}
