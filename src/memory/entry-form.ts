/** An entry as the reference form writes it, read back. */
import type { Entry, Priority, Source } from './entry.ts';

export interface EntryForm {
  readonly id: string;
  readonly content: string;
  readonly metadata: {
    readonly namespace: string;
    readonly container: string;
    readonly tags: readonly string[];
    readonly timestamp: string;
    readonly updatedAt: string;
    readonly priority: Priority;
    readonly importance: number;
    readonly source: Source;
    readonly place?: string;
    readonly sourceRef?: Readonly<Record<string, unknown>>;
    readonly summary?: string;
    readonly entities?: readonly string[];
    readonly contentHash: string;
    readonly arrivedAt?: string;
    readonly superseded?: true;
    readonly recalls?: number;
    readonly lastRecalledAt?: string;
  };
}

export function entryFrom({ id, content, metadata }: EntryForm): Entry {
  const { timestamp, updatedAt, arrivedAt, lastRecalledAt, place: _fromSourceRef, ...rest } = metadata;
  return {
    id,
    content,
    ...rest,
    createdAt: Date.parse(timestamp),
    updatedAt: Date.parse(updatedAt),
    ...(arrivedAt !== undefined && { arrivedAt: Date.parse(arrivedAt) }),
    ...(lastRecalledAt !== undefined && { lastRecalledAt: Date.parse(lastRecalledAt) }),
  };
}
