/** Reads the reference representation of an entry. */
import type { Entry, WrittenFields } from './entry-fields.ts';

export interface EntryForm {
  readonly id: string;
  readonly content: string;
  readonly metadata: Omit<WrittenFields, 'id' | 'content'> & { readonly place?: string };
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
