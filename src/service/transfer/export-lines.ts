import { carriedOf } from '../../memory/entry-fields.ts';
import { EXPORT_FORMAT, type ExportHeader } from '../../memory/operations/export-header.ts';
import type { ExportedEntry } from '../../memory/operations/operations.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/** The first line of an export. */
export function exportHeader(embedder: { readonly fingerprint: string; readonly width: number }, entries: number): ExportHeader {
  const { fingerprint, width } = embedder;
  return { lore: { format: EXPORT_FORMAT, exportedAt: iso(Date.now()), embedder: { fingerprint, width }, entries } };
}

/** The line of one entry; with its vector if requested and present. */
export function exportedEntry({ entry, vectors }: EntryRow, withVectors: boolean): ExportedEntry {
  const { sourceRef, ...carried } = carriedOf(entry);
  return {
    id: entry.id,
    content: entry.content,
    metadata: {
      namespace: entry.namespace,
      container: entry.container,
      tags: entry.tags,
      timestamp: iso(entry.createdAt),
      updatedAt: iso(entry.updatedAt),
      priority: entry.priority,
      importance: entry.importance,
      source: entry.source,
      ...withoutUndefined({ sourceRef, summary: entry.summary }),
      ...carried,
    },
    contentHash: entry.contentHash,
    ...(withVectors && vectors !== undefined ? { embedding: [...vectors.first], embedder: vectors.embedder } : {}),
  };
}
