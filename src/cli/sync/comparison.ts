import { relationKey, type Relation } from '../../memory/relation.ts';
import type { SyncDigests, SyncOperations, SyncStamp, SyncUnrelation } from '../../memory/operations/sync-operations.ts';
import { actionOf, isLaterRelation, isNewTombstone, type SyncAction } from '../../memory/sync-order.ts';
import { conflictsOf, type Conflict } from './conflicts.ts';

const FIRST_BUCKETS = 256;
const LARGEST_BUCKETS = 65_536;
/** Target size of a bucket: a difference costs the stamps of its whole bucket. */
const BUCKET_ENTRIES = 32;
/** Buckets requested together. */
const OPENED = 256;
const NAMED = 1000;

/** The two stores of a sync: newer entries of one go to the other. */
export interface Direction {
  readonly from: SyncOperations;
  readonly to: SyncOperations;
}

/** The step for one entry; `put away`: its exact text exists under another id, so it is archived. */
export interface SyncStep {
  readonly id: string;
  readonly action: SyncAction | 'put away';
  /** Time of the last change, or of the forgetting. */
  readonly at: number;
}

/** A permanent deletion with its time. */
type Deletion = Pick<SyncStep, 'id' | 'at'>;

/** The steps that copy newer changes of one store to the other, for one namespace. */
export interface SyncPlan {
  readonly namespace: string;
  readonly steps: readonly SyncStep[];
  /** Manual relations. */
  readonly relations: readonly Relation[];
  /** Tombstones unknown to the target: those of `steps`, and those of entries that it does not have. */
  readonly tombstones: readonly Deletion[];
  /** Deleted manual relations unknown to the target; `isThere`: it still has the relation. */
  readonly unrelated: readonly (SyncUnrelation & { readonly isThere: boolean })[];
  /** Changes of `steps` that replace another change. */
  readonly conflicts: readonly Conflict[];
  /** New entries of `steps` that the target may have deleted before its oldest tombstone. */
  readonly mayBeDeleted: readonly string[];
  /** Time of the oldest tombstone of the target. */
  readonly tombstonesSince: number;
  /** Entries that are newer in the target. */
  readonly newer: number;
  /** Model of the target, and its largest request in bytes. */
  readonly embedder: string;
  readonly maxBytes: number;
}

/** The contents of one side in the differing buckets. */
interface Opened {
  readonly stamps: Map<string, SyncStamp>;
  readonly relations: readonly Relation[];
  readonly unrelated: readonly SyncUnrelation[];
}

/** One side with its reported state. */
interface Side {
  readonly store: SyncOperations;
  readonly digests: SyncDigests;
}

/** Compares a namespace of two stores and changes nothing. If they are equal, it costs one small request to each. */
export async function compare({ from, to }: Direction, namespace: string): Promise<SyncPlan> {
  const [mine, theirs] = await digestsOf({ from, to }, namespace, FIRST_BUCKETS);
  const buckets = mine.digests.length;
  const differing = differingBuckets(mine, theirs);
  const [source, target]: [Side, Side] = [
    { store: from, digests: mine },
    { store: to, digests: theirs },
  ];
  const [here, there] = await Promise.all([
    opened(source, { namespace, buckets, of: differing }),
    opened(target, { namespace, buckets, of: differing }),
  ]);
  await findInOtherNamespaces({ source, target }, { namespace, here, there });
  const plan = planned(here, there, theirs);
  const conflicts = keepsTombstones(mine) ? await conflictsOf(from, { namespace, steps: plan.steps, there: there.stamps }) : [];
  const { embedder, maxBytes, tombstonesSince = 0 } = theirs;
  return { namespace, ...plan, conflicts, embedder, maxBytes, tombstonesSince };
}

/** Whether a side knows tombstones: an earlier Lore does not, and refuses unknown fields. */
const keepsTombstones = ({ tombstones }: SyncDigests): boolean => tombstones !== undefined;

/** The buckets with different entries, or with different tombstones if both sides keep them. */
function differingBuckets(mine: SyncDigests, theirs: SyncDigests): number[] {
  const tombstoneOf = ({ tombstones = [] }: SyncDigests, bucket: number): string => tombstones[bucket] ?? '';
  const areCompared = keepsTombstones(mine) && keepsTombstones(theirs);
  const isOther = (bucket: number): boolean =>
    mine.digests[bucket] !== theirs.digests[bucket] || (areCompared && tombstoneOf(mine, bucket) !== tombstoneOf(theirs, bucket));
  return mine.digests.flatMap((_, bucket) => (isOther(bucket) ? [bucket] : []));
}

async function digestsOf(direction: Direction, namespace: string, buckets: number): Promise<[SyncDigests, SyncDigests]> {
  const request = { namespace, buckets };
  const both = await Promise.all([direction.from.digests(request), direction.to.digests(request)]);
  const most = Math.max(...both.map(({ entries }) => entries));
  const wanted = Math.min(LARGEST_BUCKETS, 2 ** Math.ceil(Math.log2(Math.max(1, most / BUCKET_ENTRIES))));
  const isSame = differingBuckets(...both).length === 0;
  return isSame || wanted <= buckets ? both : await digestsOf(direction, namespace, wanted);
}

async function opened(
  { store, digests }: Side,
  { namespace, buckets, of }: { namespace: string; buckets: number; of: readonly number[] },
): Promise<Opened> {
  const stamps = new Map<string, SyncStamp>();
  const relations: Relation[] = [];
  const unrelated: SyncUnrelation[] = [];
  for (let start = 0; start < of.length; start += OPENED) {
    const found = await store.stamps({ namespace, buckets, of: of.slice(start, start + OPENED), ...tombstonesOf(digests) });
    for (const stamp of found.stamps) stamps.set(stamp.id, stamp);
    relations.push(...found.relations);
    unrelated.push(...(found.unrelated ?? []));
  }
  return { stamps, relations, unrelated };
}

const tombstonesOf = (digests: SyncDigests): { tombstones?: true } => (keepsTombstones(digests) ? { tombstones: true } : {});

/**
 * An entry that seems to be new may be in another namespace there. One that exists only there may have been deleted here, in another
 * namespace.
 */
async function findInOtherNamespaces(
  { source, target }: { source: Side; target: Side },
  { namespace, here, there }: { namespace: string; here: Opened; there: Opened },
): Promise<void> {
  const unknownThere = [...here.stamps.keys()].filter((id) => !there.stamps.has(id));
  const unknownHere = [...there.stamps.keys()].filter((id) => !here.stamps.has(id));
  for (const stamp of await named(target, namespace, unknownThere)) there.stamps.set(stamp.id, stamp);
  if (!keepsTombstones(source.digests)) return;
  for (const stamp of await named(source, namespace, unknownHere)) if (stamp.state === 'removed') here.stamps.set(stamp.id, stamp);
}

async function named({ store, digests }: Side, namespace: string, ids: readonly string[]): Promise<SyncStamp[]> {
  const found: SyncStamp[] = [];
  for (let start = 0; start < ids.length; start += NAMED) {
    const { stamps } = await store.stamps({ namespace, ids: ids.slice(start, start + NAMED), ...tombstonesOf(digests) });
    found.push(...stamps);
  }
  return found;
}

type Planned = Pick<SyncPlan, 'steps' | 'relations' | 'newer' | 'tombstones' | 'unrelated' | 'mayBeDeleted'>;

function planned(here: Opened, there: Opened, theirs: SyncDigests): Planned {
  // A side without tombstones archives permanently deleted entries, because it does not know tombstones.
  const arriving = [...here.stamps.values()].map((stamp): SyncStamp =>
    stamp.state === 'removed' && !keepsTombstones(theirs) ? { ...stamp, state: 'forgotten' } : stamp,
  );
  const wanted = arriving.flatMap((stamp) => {
    const action = actionOf(stamp, there.stamps.get(stamp.id));
    return action === undefined ? [] : [{ stamp, action }];
  });
  const takers = new Map(wanted.map(({ stamp, action }) => [stamp.id, { stamp, action }]));
  /** Whether the entry there keeps its text. */
  const stays = ({ id, text }: SyncStamp): boolean => {
    const taker = takers.get(id);
    return taker === undefined || (!isEnding(taker.action) && taker.stamp.text === text);
  };
  const texts = new Map<string, string>();
  for (const stamp of there.stamps.values()) if (stamp.state === 'live' && stays(stamp)) texts.set(stamp.text, stamp.id);
  const steps = wanted.map(({ stamp, action }): SyncStep => {
    const duplicate = texts.get(stamp.text);
    const isDuplicate = !isEnding(action) && duplicate !== undefined && duplicate !== stamp.id;
    return { id: stamp.id, action: isDuplicate ? 'put away' : action, at: stamp.at };
  });
  const newer = [...there.stamps.values()].filter((stamp) => {
    const own = here.stamps.get(stamp.id);
    return own !== undefined && actionOf(stamp, own) !== undefined;
  }).length;
  return {
    steps,
    relations: relationsToSend(here, there, new Map(steps.map(({ id, action }) => [id, action]))),
    newer,
    tombstones: tombstonesToSend(arriving, there, theirs),
    unrelated: unrelationsToSend(here, there, theirs),
    mayBeDeleted: outliving(steps, theirs),
  };
}

/** Whether an action removes an entry. */
const isEnding = (action: SyncStep['action']): boolean => action === 'forgotten' || action === 'removed';

function tombstonesToSend(arriving: readonly SyncStamp[], there: Opened, { tombstonesSince = 0 }: SyncDigests): Deletion[] {
  return arriving.flatMap((stamp) => {
    if (stamp.state !== 'removed') return [];
    const { id, at } = stamp;
    const own = there.stamps.get(id);
    return actionOf(stamp, own) !== undefined || (isNewTombstone(stamp, own) && at > tombstonesSince) ? [{ id, at }] : [];
  });
}

function unrelationsToSend(here: Opened, there: Opened, theirs: SyncDigests): SyncPlan['unrelated'] {
  if (!keepsTombstones(theirs)) return [];
  const { tombstonesSince = 0 } = theirs;
  const made = new Map(there.relations.map((relation) => [relationKey(relation), relation.createdAt]));
  const ended = deletedIn(there);
  return here.unrelated.flatMap((unrelation) => {
    const { at } = unrelation;
    const madeAt = made.get(relationKey(unrelation));
    const isNew = madeAt === undefined ? at > (ended.get(relationKey(unrelation)) ?? tombstonesSince) : at >= madeAt;
    return isNew ? [{ ...unrelation, isThere: madeAt !== undefined }] : [];
  });
}

/** When relations were deleted, by key. */
const deletedIn = ({ unrelated }: Opened): Map<string, number> =>
  new Map(unrelated.map((unrelation) => [relationKey(unrelation), unrelation.at]));

/** New entries from before the time since which the receiving side knows its deletions, if it has entries that arrived before that time. */
function outliving(steps: readonly SyncStep[], { tombstonesSince = 0, oldest = Infinity }: SyncDigests): string[] {
  if (oldest >= tombstonesSince) return [];
  return steps.filter(({ action, at }) => action === 'new' && at < tombstonesSince).map(({ id }) => id);
}

/** Relations that are missing or older there, between entries that will exist there. */
function relationsToSend(here: Opened, there: Opened, actions: ReadonlyMap<string, SyncStep['action']>): Relation[] {
  const known = new Map(there.relations.map((relation) => [relationKey(relation), relation]));
  const willBeThere = (id: string): boolean => {
    const action = actions.get(id);
    if (action !== undefined) return !isEnding(action) && action !== 'put away';
    // Outside of the differing buckets, both sides are equal.
    return here.stamps.has(id) ? there.stamps.get(id)?.state === 'live' : true;
  };
  const ended = deletedIn(there);
  return here.relations.filter((relation) => {
    if ((ended.get(relationKey(relation)) ?? -Infinity) >= relation.createdAt) return false;
    const own = known.get(relationKey(relation));
    return (own === undefined || isLaterRelation(relation, own)) && willBeThere(relation.sourceId) && willBeThere(relation.targetId);
  });
}
