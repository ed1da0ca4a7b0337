import { z } from 'zod';

/** Format of the lines that an export writes; a higher one is of a later Lore. */
export const EXPORT_FORMAT = 1;

/** First line of an export: what the rest is. */
export interface ExportHeader {
  readonly lore: {
    readonly format: number;
    /** ISO 8601, UTC. */
    readonly exportedAt: string;
    /** In service when the export was made; the vectors of lines that carry any name theirs beside them. */
    readonly embedder: { readonly fingerprint: string; readonly width: number };
    /** How many entries follow; fewer do where some were deleted meanwhile. */
    readonly entries: number;
  };
}

/** A header as read: of a later format no more than its number is certain. */
export interface ReadHeader {
  readonly format: number;
  readonly exportedAt?: string | undefined;
  readonly embedder?: { readonly fingerprint: string; readonly width: number } | undefined;
  readonly entries?: number | undefined;
}

const Header = z.object({
  format: z.int().min(1),
  exportedAt: z.string().optional().catch(undefined),
  embedder: z.object({ fingerprint: z.string(), width: z.int() }).optional().catch(undefined),
  entries: z.int().min(0).optional().catch(undefined),
});

/** The header that a parsed line is, or undefined where it is something else. */
export function readExportHeader(line: unknown): ReadHeader | undefined {
  if (typeof line !== 'object' || line === null || !('lore' in line) || 'content' in line) return undefined;
  const { success, data } = Header.safeParse(line.lore);
  return success ? data : undefined;
}
