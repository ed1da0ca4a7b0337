import { effectiveImportance, lastActivity } from '../../memory/effective-importance.ts';
import type { ArchiveReason, Usage } from '../../memory/lifecycle.ts';
import type { Relation } from '../../memory/relation.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import { DAY_MS } from '../../memory/durations.ts';

/** `compaction.*` of the configuration. */
export interface CompactionRules {
  readonly enabled: boolean;
  /** Five cron fields, local time. */
  readonly schedule: string;
  readonly ttlDays: number;
  readonly maxEntries: number;
  readonly removeLowImportance: boolean;
  readonly lowImportanceThreshold: number;
  readonly deduplicationSimilarityThreshold: number;
  readonly archiveDays: number;
}

/** One entry to be removed. */
export interface Removal {
  readonly id: string;
  readonly namespace: string;
  readonly reason: ArchiveReason;
  readonly why: string;
  readonly survivor?: string;
  readonly similarity?: number;
  /** Time of the last change; an entry changed since then is kept. */
  readonly updatedAt: number;
}

/** An entry with its effective importance. */
export interface Weighed {
  readonly known: CatalogEntry;
  /** Effective importance, 0..1. */
  readonly worth: number;
  /** Since the last touch, see `lastActivity`. */
  readonly idleDays: number;
}

/** The entries that an entry supersedes, see `RelationGraph`. */
interface Places {
  from(id: string): readonly Relation[];
  to(id: string): readonly Relation[];
}

/** Days for which imported entries are not counted by `maxEntries`, so that the user can review them or raise the limit. */
export const ARRIVAL_GRACE_DAYS = 30;
const number = (value: number): string => value.toLocaleString('en-US');
const removal = ({ id, namespace, updatedAt }: CatalogEntry, reason: ArchiveReason, why: string): Removal => ({
  id,
  namespace,
  reason,
  why,
  updatedAt,
});

/** The effective importance of an entry at `now`. */
export function weigh(known: CatalogEntry, use: Usage | undefined, now: number): Weighed {
  const { importance, priority, createdAt, updatedAt, arrivedAt } = known;
  const facts = { importance, priority, createdAt, updatedAt, arrivedAt, lastRecalledAt: use?.lastRecalledAt };
  const worth = effectiveImportance({ ...facts, recallCount: use?.recalls ?? 0, now });
  return { known, worth, idleDays: Math.max(0, (now - lastActivity(facts)) / DAY_MS) };
}

/**
 * Entries untouched for longer than `ttlDays` with an effective importance below `lowImportanceThreshold`, except entries of high priority
 * and entries that supersede a kept one.
 */
export function expired(weighed: readonly Weighed[], rules: CompactionRules, places: Places): Removal[] {
  const { ttlDays, removeLowImportance, lowImportanceThreshold } = rules;
  if (ttlDays === 0 || !removeLowImportance) return [];
  const old = weighed.filter(
    ({ known, worth, idleDays }) => known.priority !== 'high' && idleDays > ttlDays && worth < lowImportanceThreshold,
  );
  const going = withoutHolders(new Set(old.map(({ known }) => known.id)), places);
  return old.flatMap(({ known, worth, idleDays }) => {
    if (!going.has(known.id)) return [];
    const why =
      `Neither created, imported, changed nor recalled for ${number(Math.floor(idleDays))} days (limit ${number(ttlDays)}), ` +
      `and its importance of ${known.importance.toFixed(2)} has faded to ${worth.toFixed(2)} (limit ${lowImportanceThreshold.toFixed(2)}).`;
    return [removal(known, 'expired', why)];
  });
}

/** Removes entries that supersede a kept one. Repeats, because each kept entry may itself be superseded by a candidate. */
function withoutHolders(going: Set<string>, places: Places): ReadonlySet<string> {
  const staying = [...going].filter((id) => holdsPlace(id, going, places));
  for (let id = staying.pop(); id !== undefined; id = staying.pop()) {
    if (!going.delete(id)) continue;
    for (const { type, sourceId } of places.to(id)) if (type === 'supersedes' && going.has(sourceId)) staying.push(sourceId);
  }
  return going;
}

/** Whether the entry supersedes a kept one, which would become current again without it. */
function holdsPlace(id: string, going: ReadonlySet<string>, places: Places): boolean {
  return places.from(id).some(({ type, targetId }) => type === 'supersedes' && !going.has(targetId));
}

/** Whether an import or a sync brought the entry here recently: such entries neither count towards `maxEntries` nor are removed for it. */
function isFreshArrival({ arrivedAt }: CatalogEntry, now: number): boolean {
  return arrivedAt !== undefined && now - arrivedAt < ARRIVAL_GRACE_DAYS * DAY_MS;
}

/**
 * The least important, then oldest, entries of each namespace above `maxEntries`, without recent arrivals. `kept` are never included.
 */
export function tooMany(
  weighed: readonly Weighed[],
  { maxEntries }: CompactionRules,
  { kept, gone, places, now }: { kept: ReadonlySet<string>; gone: ReadonlySet<string>; places: Places; now: number },
): Removal[] {
  const byNamespace = new Map<string, Weighed[]>();
  for (const entry of weighed) {
    if (gone.has(entry.known.id) || isFreshArrival(entry.known, now)) continue;
    const others = byNamespace.get(entry.known.namespace);
    if (others === undefined) byNamespace.set(entry.known.namespace, [entry]);
    else others.push(entry);
  }
  return [...byNamespace.values()].flatMap((entries) => {
    const going = new Set(gone);
    const found: Removal[] = [];
    if (entries.length <= maxEntries) return found;
    const ranked = entries.toSorted((a, b) => a.worth - b.worth || a.known.createdAt - b.known.createdAt);
    for (const { known, worth } of ranked) {
      if (found.length >= entries.length - maxEntries) break;
      if (known.priority === 'high' || kept.has(known.id) || holdsPlace(known.id, going, places)) continue;
      going.add(known.id);
      const why =
        `Its namespace holds ${number(entries.length)} entries (limit ${number(maxEntries)}), and by its importance of ` +
        `${known.importance.toFixed(2)}, now ${worth.toFixed(2)}, it is among the least.`;
      found.push(removal(known, 'too many', why));
    }
    return found;
  });
}
