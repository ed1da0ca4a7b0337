/** The kind of an entry: the one word by which a model filters. */
import { CAPTURE_KINDS, type CaptureKind } from '../memory/capture/capture-reasons.ts';
import type { Entry, Source } from '../memory/entry.ts';

/** Kinds of memories: stored as a tag of the entry. */
const STATEMENT_KINDS = CAPTURE_KINDS;
/** Kinds of passages of files: derived from the source of the entry. */
const FILE_KINDS = { code: 'index', document: 'ingest' } as const satisfies Readonly<Record<string, Source>>;

export type ShownKind = CaptureKind | keyof typeof FILE_KINDS | 'note';
export const KIND_FILTERS = [...STATEMENT_KINDS, 'code', 'document'] as const;
type KindFilter = (typeof KIND_FILTERS)[number];
export const SAVED_KINDS = ['decision', 'preference', 'fact', 'fix'] as const satisfies readonly CaptureKind[];

/** The kind of an entry; `note` if no tag or source names one. */
export function kindOf({ source, tags }: Pick<Entry, 'source' | 'tags'>): ShownKind {
  if (source === FILE_KINDS.code) return 'code';
  if (source === FILE_KINDS.document) return 'document';
  return STATEMENT_KINDS.find((kind) => tags.includes(kind)) ?? 'note';
}

/** The search conditions that select a kind. */
export function conditionsOf(kind: KindFilter | undefined): { readonly tags: readonly string[]; readonly source?: Source } {
  if (kind === undefined) return { tags: [] };
  return kind === 'code' || kind === 'document' ? { tags: [], source: FILE_KINDS[kind] } : { tags: [kind] };
}
