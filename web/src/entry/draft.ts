import type { Patch } from '../api/entries.ts';
import type { Memory, Priority } from '../api/responses.ts';

export interface Draft {
  readonly content: string;
  readonly tags: readonly string[];
  readonly priority: Priority;
  /** Undefined while unchanged. */
  readonly importance: number | undefined;
  readonly namespace: string;
  readonly container: string;
}

export const draftOf = ({ content, metadata: { tags, priority, namespace, container } }: Memory): Draft => ({
  content,
  tags,
  priority,
  importance: undefined,
  namespace,
  container,
});

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The changed fields of a draft; undefined if there are none. */
export function patchOf(memory: Memory, draft: Draft): Patch | undefined {
  const was = draftOf(memory);
  const { content, tags, priority, importance, namespace, container } = draft;
  const patch: Patch = {
    ...(content !== was.content && { content }),
    ...(!isSame(tags, was.tags) && { tags: [...tags] }),
    ...(priority !== was.priority && { priority }),
    ...(importance !== undefined && { importance }),
    ...(namespace.trim() !== was.namespace && namespace.trim() !== '' && { namespace: namespace.trim() }),
    ...(container.trim() !== was.container && container.trim() !== '' && { container: container.trim() }),
  };
  return Object.keys(patch).length === 0 ? undefined : patch;
}
