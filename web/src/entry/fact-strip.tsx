import { Moment } from '../parts/moment.tsx';
import { titleOf } from '../parts/plain-text.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { type Relation, fetchEntry, type EntryWithRelations } from '../api/entries.ts';
import { DetailSection } from './detail-section.tsx';
import { OpenEntry } from './open-entry.tsx';
import { entryTexts } from './texts.ts';
import { ApiError } from '../api/client.ts';
import type { Memory } from '../api/responses.ts';

const TITLE_CHARS = 90;

interface FactStripProps {
  readonly id: string;
  readonly relations: readonly Relation[];
}

/** The versions of one fact in a line, oldest first; nothing if there was no supersession. */
export function FactStrip({ id, relations }: FactStripProps) {
  const isOne = hasSuccession(relations);
  const { value, error, again } = useLoaded((signal) => (isOne ? successionOf(id, signal) : Promise.resolve([])), {
    about: `${id} ${isOne}`,
  });
  const memories = value ?? [];
  if (error === undefined && memories.length < 2) return null;
  return (
    <DetailSection id="details-strip" title={entryTexts.strip.title} error={error} onRetry={again}>
      <ol class="strip">
        {memories.map((memory) => (
          <li key={memory.id} class={memory.metadata.superseded === true ? 'strip-was' : 'strip-is'}>
            <span class="row">
              <Moment class="hint" of={memory.metadata.timestamp} />
              {memory.metadata.superseded !== true && <span class="tag">{entryTexts.strip.holds}</span>}
            </span>
            {memory.id === id ? (
              <b aria-current="true" dir="auto">
                {titleOf(memory, TITLE_CHARS)}
              </b>
            ) : (
              <OpenEntry id={memory.id} title={titleOf(memory, TITLE_CHARS)} />
            )}
          </li>
        ))}
      </ol>
    </DetailSection>
  );
}

/** Maximum number of versions in the line. */
const MOST = 12;
const ABSENT = 404;

const isSuccession = ({ type }: Relation): boolean => type === 'supersedes';

const hasSuccession = (relations: readonly Relation[]): boolean => relations.some(isSuccession);

/** The memories that superseded each other, oldest first, including this one. Archived ones are left out. */
async function successionOf(id: string, signal: AbortSignal): Promise<readonly Memory[]> {
  const found = new Map<string, Memory>();
  const seen = new Set([id]);
  let next = [id];
  while (next.length > 0 && found.size < MOST) {
    const answers = await Promise.all(next.slice(0, MOST - found.size).map((each) => ignoreMissing(each, signal)));
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

async function ignoreMissing(id: string, signal: AbortSignal): Promise<EntryWithRelations | undefined> {
  try {
    return await fetchEntry(id, signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === ABSENT) return undefined;
    throw error;
  }
}
