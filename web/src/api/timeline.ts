import type { Timeline } from '../../../src/memory/operations/bulk-operations.ts';
import type { Filter } from '../address.ts';
import { lore } from './client.ts';
import { listRequest } from './conditions.ts';
import { ownTimeZone } from './time-zone.ts';

export type { DayCount } from '../../../src/memory/operations/bulk-operations.ts';

/** The number of matching memories per local day, last day first. */
export function timeline(filter: Filter, signal?: AbortSignal): Promise<Timeline> {
  return lore.bulk.timeline({ ...listRequest(filter), ...ownTimeZone() }, { signal });
}
