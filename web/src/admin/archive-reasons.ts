import type { ArchiveReason } from '../api/administration.ts';
import { texts } from '../texts.ts';

/** Why entries go, in the order in which they can be chosen. */
export const ARCHIVE_REASONS = Object.keys(texts.archive.reasons) as readonly ArchiveReason[];
