import { z } from 'zod';

/** Format version of exports; later versions of Lore may use a higher one. */
export const EXPORT_FORMAT = 1;

/** First line of an export: describes the rest. */
export interface ExportHeader {
  readonly lore: {
    readonly format: number;
    /** ISO 8601, UTC. */
    readonly exportedAt: string;
    /** The active model at export; lines with vectors of another model name it themselves. */
    readonly embedder: { readonly fingerprint: string; readonly width: number };
    /** Number of entries that follow; less if some were deleted meanwhile. */
    readonly entries: number;
  };
}

/** A parsed header; for a later format, only its number is certain. */
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

/** Reads the header from a parsed line; undefined if the line is not a header. */
export function readExportHeader(line: unknown): ReadHeader | undefined {
  if (typeof line !== 'object' || line === null || !('lore' in line) || 'content' in line) return undefined;
  const { success, data } = Header.safeParse(line.lore);
  return success ? data : undefined;
}
