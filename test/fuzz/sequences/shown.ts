/** Entries and relations as the reference form shows them, in the words of the model. */
import type { ModelEntry, ModelRelation } from './model.ts';

/** What anybody can see of an entry. */
export type KnownEntry = Readonly<Omit<ModelEntry, 'nth'>>;
export type Shown = KnownEntry & { readonly superseded: boolean };
interface ShownEntry extends Pick<KnownEntry, 'id' | 'content'> {
  readonly metadata: Omit<KnownEntry, 'id' | 'content' | 'createdAt'> & { readonly timestamp: string; readonly superseded?: true };
}

export function shown(value: unknown): Shown {
  const { id, content, metadata } = value as ShownEntry;
  const { namespace, container, tags, priority, importance, source, timestamp, superseded = false } = metadata;
  return { id, content, namespace, container, tags, priority, importance, source, createdAt: Date.parse(timestamp), superseded };
}

export const allShown = (values: unknown): Shown[] => (values as unknown[]).map(shown);

/** Those that somebody made by hand, but for `similar`, which Lore makes itself. */
export function relationsShown(values: unknown): ModelRelation[] {
  return (values as (ModelRelation & { readonly origin: string })[])
    .filter(({ origin, type }) => origin === 'manual' && type !== 'similar')
    .map(({ sourceId, type, targetId, strength }) => ({ sourceId, type, targetId, strength }));
}
