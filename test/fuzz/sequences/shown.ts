/** Entries and relations as the reference form shows them, in the words of the model. */
import type { ModelRelation } from './model.ts';

interface ShownEntry {
  readonly id: string;
  readonly content: string;
  readonly metadata: {
    readonly namespace: string;
    readonly container: string;
    readonly tags: readonly string[];
    readonly priority: string;
    readonly importance: number;
    readonly source: string;
    readonly timestamp: string;
    readonly superseded?: true;
  };
}
export interface Shown {
  readonly id: string;
  readonly content: string;
  readonly namespace: string;
  readonly container: string;
  readonly tags: readonly string[];
  readonly priority: string;
  readonly importance: number;
  readonly source: string;
  readonly createdAt: number;
  readonly superseded: boolean;
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
