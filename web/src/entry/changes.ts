import type { EntryState } from '../../../src/memory/lifecycle.ts';
import type { EntryVersion, Relation } from '../api/entries.ts';
import type { Memory } from '../api/responses.ts';
import { ratio } from '../parts/formats.ts';
import { texts } from '../texts.ts';
import { entryTexts } from './texts.ts';
import { titleOf } from '../parts/plain-text.ts';

export interface Change {
  /** ISO 8601. */
  readonly at: string;
  readonly what: readonly string[];
  readonly by: string;
  readonly before?: string;
}

/** The history of a memory, latest first; the last line is its creation. */
export function changesOf(
  { content, metadata }: Memory,
  versions: readonly EntryVersion[],
  links: { readonly id: string; readonly relations: readonly Relation[]; readonly others: ReadonlyMap<string, Memory> | undefined },
): readonly Change[] {
  const now: EntryState = { ...metadata, content };
  const edits = versions.map(({ state, replacedAt, replacedBy }, nth): Change => {
    const next = versions[nth - 1]?.state ?? now;
    return {
      at: replacedAt,
      what: differences(state, next),
      by: entryTexts.by(texts.sources[replacedBy]),
      ...(state.content !== next.content && { before: state.content }),
    };
  });
  const relations = links.relations.flatMap((relation) => linked(relation, links));
  const saved: Change = { at: metadata.timestamp, what: [entryTexts.saved], by: entryTexts.by(texts.sources[metadata.source]) };
  const all = [...edits.filter(({ what }) => what.length > 0), ...relations].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return [...all, saved];
}

function linked(
  { sourceId, targetId, type, origin, createdAt }: Relation,
  { id, others }: { readonly id: string; readonly others: ReadonlyMap<string, Memory> | undefined },
): readonly Change[] {
  const isOutward = sourceId === id;
  const other = others?.get(isOutward ? targetId : sourceId);
  if (other === undefined) return [];
  const words = entryTexts.linked(entryTexts.types[isOutward ? 'out' : 'in'][type], titleOf(other, LINKED_CHARS));
  return [{ at: createdAt, what: [words], by: entryTexts.origins[origin] }];
}

const LINKED_CHARS = 40;

function differences(was: EntryState, is: EntryState): readonly string[] {
  const { fieldChanged, tagAdded, tagRemoved, textEdited } = entryTexts;
  const { details } = entryTexts;
  const { priorities } = texts;
  const said: string[] = [];
  if (was.content !== is.content) said.push(textEdited(...lineCounts(was.content, is.content)));
  for (const tag of is.tags) if (!was.tags.includes(tag)) said.push(tagAdded(tag));
  for (const tag of was.tags) if (!is.tags.includes(tag)) said.push(tagRemoved(tag));
  if (was.priority !== is.priority) said.push(fieldChanged(details.priority, priorities[was.priority], priorities[is.priority]));
  // Consequences of a changed priority or tag are not listed separately.
  if (said.length === 0 && was.importance !== is.importance) {
    said.push(fieldChanged(texts.importance.importance, ratio(was.importance), ratio(is.importance)));
  }
  if (was.namespace !== is.namespace) said.push(fieldChanged(details.namespace, was.namespace, is.namespace));
  const follows = was.container === was.namespace && is.container === is.namespace;
  if (was.container !== is.container && !follows) said.push(fieldChanged(details.container, was.container, is.container));
  return said;
}

/** Lines that only one of two texts has. */
function lineCounts(was: string, is: string): [added: number, removed: number] {
  const counts = new Map<string, number>();
  for (const line of is.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of was.split('\n')) counts.set(line, (counts.get(line) ?? 0) - 1);
  let [added, removed] = [0, 0];
  for (const count of counts.values()) {
    if (count > 0) added += count;
    else removed -= count;
  }
  return [added, removed];
}
