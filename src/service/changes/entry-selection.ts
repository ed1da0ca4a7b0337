import { entryNotFound, LoreError } from '../../memory/errors.ts';
import type { Catalog } from '../../store/catalog/catalog.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import { conditionOf, narrow, type Conditions, type ConditionFields } from '../entry-conditions.ts';

/** A selection of entries: by ids, optionally in one namespace, or by conditions. */
export interface Selection extends Conditions {
  readonly ids?: readonly string[] | undefined;
}

/**
 * Returns a test for selected entries. Throws `invalid_input` if the selection has both ids and conditions, or neither; `verb` is used in
 * the message.
 */
export function selectionOf(
  { ids, ...conditions }: Selection,
  verb: string,
): (entry: ConditionFields & Pick<CatalogEntry, 'id'>) => boolean {
  const isWithin = conditionOf(conditions);
  if (ids === undefined) {
    if (narrow(conditions)) return isWithin;
    throw new LoreError(
      'invalid_input',
      `Name the entries to ${verb}: \`ids\`, or a filter such as \`namespace\`, \`tags\` or \`source\`.`,
    );
  }
  const { namespace: _, ...others } = conditions;
  if (narrow(others)) throw new LoreError('invalid_input', 'Name entries by `ids` or by conditions, not both.');
  const named = new Set(ids);
  return (entry) => named.has(entry.id) && isWithin(entry);
}

/** The selected ids, newest first. Ignores unknown ids; throws `not_found` if all are unknown. */
export function selectedIds(catalog: Pick<Catalog, 'entries' | 'get'>, selection: Selection, verb: string): string[] {
  const isMatch = selectionOf(selection, verb);
  const { ids } = selection;
  if (ids === undefined) {
    return catalog
      .entries()
      .flatMap((known) => (isMatch(known) ? [known.id] : []))
      .toReversed();
  }
  const found = [...new Set(ids)].flatMap((id) => catalog.get(id) ?? []).filter(isMatch);
  if (found.length === 0) throw entryNotFound(ids[0] ?? '');
  return found.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
}
