import type { ArchiveReason } from '../api/administration.ts';
import { texts } from '../texts.ts';

/** Archive reasons in the order of the filter. */
export const ARCHIVE_REASONS = Object.keys(texts.archive.reasons) as readonly ArchiveReason[];
