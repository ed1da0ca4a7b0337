import { entryNotFound, LoreError } from '../../memory/errors.ts';
import type { Directory } from '../../store/catalog/catalog.ts';
import type { Known } from '../../store/catalog/catalog-entry.ts';
import { conditionOf, narrow, type Conditions, type Meant } from '../entry-conditions.ts';

/** Entries by their ids, in one namespace where one is named; or by conditions. */
export interface Selection extends Conditions {
  readonly ids?: readonly string[] | undefined;
}

/** Whether an entry is meant. Throws `invalid_input` where a selection names entries in both ways or in none; `verb` is what is to be done to them. */
export function selectionOf({ ids, ...conditions }: Selection, verb: string): (entry: Meant & Pick<Known, 'id'>) => boolean {
  const isWithin = conditionOf(conditions);
  if (ids === undefined) {
    if (narrow(conditions)) return isWithin;
    throw new LoreError('invalid_input', `Say which entries to ${verb}: \`ids\`, or at least one of namespace, tags, source and the like.`);
  }
  const { namespace: _, ...others } = conditions;
  if (narrow(others)) throw new LoreError('invalid_input', 'Name entries by `ids` or by conditions, not both.');
  const named = new Set(ids);
  return (entry) => named.has(entry.id) && isWithin(entry);
}

/** The ids of what is meant, newest first. Ids that name nothing are left out; throws `not_found` where none of them names anything. */
export function selectedIds(directory: Pick<Directory, 'known' | 'get'>, selection: Selection, verb: string): string[] {
  const isMeant = selectionOf(selection, verb);
  const { ids } = selection;
  if (ids === undefined) {
    return directory
      .known()
      .flatMap((known) => (isMeant(known) ? [known.id] : []))
      .toReversed();
  }
  const found = [...new Set(ids)].flatMap((id) => directory.get(id) ?? []).filter(isMeant);
  if (found.length === 0) throw entryNotFound(ids[0] ?? '');
  return found.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
}
