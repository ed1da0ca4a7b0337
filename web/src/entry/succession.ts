import { about, type About, type Relation } from '../api/entries.ts';
import { ApiError } from '../api/client.ts';
import type { Memory } from '../api/forms.ts';

/** Maximum number of versions in the line. */
const MOST = 12;
const ABSENT = 404;

const isSuccession = ({ type }: Relation): boolean => type === 'supersedes';

/** Whether this memory superseded another one or was superseded. */
export const hasSuccession = (relations: readonly Relation[]): boolean => relations.some(isSuccession);

/** The memories that superseded each other, oldest first, including this one. Archived ones are left out. */
export async function successionOf(id: string, signal: AbortSignal): Promise<readonly Memory[]> {
  const found = new Map<string, Memory>();
  const seen = new Set([id]);
  let next = [id];
  while (next.length > 0 && found.size < MOST) {
    const answers = await Promise.all(next.slice(0, MOST - found.size).map((each) => unlessGone(each, signal)));
    const present = answers.filter((answer) => answer !== undefined);
    for (const { entry } of present) found.set(entry.id, entry);
    const ends = present.flatMap(({ relations }) =>
      relations.filter(isSuccession).flatMap(({ sourceId, targetId }) => [sourceId, targetId]),
    );
    next = [...new Set(ends)].filter((end) => !seen.has(end));
    for (const end of next) seen.add(end);
  }
  return [...found.values()].toSorted((a, b) => a.metadata.timestamp.localeCompare(b.metadata.timestamp));
}

async function unlessGone(id: string, signal: AbortSignal): Promise<About | undefined> {
  try {
    return await about(id, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === ABSENT) return undefined;
    throw error;
  }
}
