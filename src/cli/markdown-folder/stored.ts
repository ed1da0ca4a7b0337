import { LoreError } from '../../memory/errors.ts';
import type { Entry } from '../../memory/entry.ts';
import type { MemoryOperations } from '../../memory/operations/operations.ts';

/** Up to this number of entries are requested one by one. */
const FEW = 200;
const ARCHIVE_PAGE = 100;

/** The entries that exist in the store. */
export async function storedEntries(
  memories: MemoryOperations,
  ids: readonly string[],
  namespace: string | undefined,
): Promise<Map<string, Entry>> {
  const wanted = new Set(ids);
  if (wanted.size <= FEW) return await fewEntries(memories, wanted);
  const found = new Map<string, Entry>();
  for await (const line of memories.export(namespace === undefined ? {} : { namespace })) {
    if (!('content' in line) || !wanted.has(line.id)) continue;
    const { timestamp, updatedAt, ...rest } = line.metadata;
    const entry = {
      ...rest,
      id: line.id,
      content: line.content,
      contentHash: line.contentHash,
      createdAt: Date.parse(timestamp),
      updatedAt: Date.parse(updatedAt),
    };
    found.set(line.id, entry as Entry);
  }
  // Moved to another namespace since.
  const rest = [...wanted].filter((id) => !found.has(id));
  const moved = rest.length <= FEW ? await fewEntries(memories, new Set(rest)) : new Map<string, Entry>();
  return new Map([...found, ...moved]);
}

async function fewEntries(memories: MemoryOperations, ids: ReadonlySet<string>): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  for (const id of ids) {
    const entry = await memories.get(id).catch((error: unknown) => {
      if (error instanceof LoreError && error.code === 'not_found') return undefined;
      throw error;
    });
    if (entry !== undefined) found.set(id, entry);
  }
  return found;
}

/** The archived ids. */
export async function archivedIds(memories: MemoryOperations, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let offset = 0; found.size < ids.size; offset += ARCHIVE_PAGE) {
    const { entries, total } = await memories.lifecycle.archived({ limit: ARCHIVE_PAGE, offset });
    for (const { entry } of entries) if (ids.has(entry.id)) found.add(entry.id);
    if (entries.length === 0 || offset + entries.length >= total) break;
  }
  return found;
}
