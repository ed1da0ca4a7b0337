import { relationKey, type Relation } from '../../memory/relation.ts';
import type { SyncDigests, SyncOperations, SyncStamp } from '../../memory/operations/sync-operations.ts';
import { actionOf, isLaterRelation, type SyncAction } from '../../memory/sync-order.ts';

const FIRST_BUCKETS = 256;
const LARGEST_BUCKETS = 65_536;
/** Entries that a bucket should not hold many more of: what differs costs the stamps of its whole bucket. */
const BUCKET_ENTRIES = 32;
/** Buckets opened in one request. */
const OPENED = 256;
const NAMED = 1000;

/** The two stores of a sync: what is later in the one goes to the other. */
export interface Direction {
  readonly from: SyncOperations;
  readonly to: SyncOperations;
}

/** What is to be done with one entry; `put away`: its exact text is there under another id, so it goes to the archive. */
export interface SyncStep {
  readonly id: string;
  readonly action: SyncAction | 'put away';
  /** When it was changed last, or forgotten. */
  readonly at: number;
}

/** What would make the one side of a namespace what the other is, as far as that is later. */
export interface SyncPlan {
  readonly namespace: string;
  readonly steps: readonly SyncStep[];
  /** Made by hand. */
  readonly relations: readonly Relation[];
  /** Entries that are later where the others go to. */
  readonly newer: number;
  /** Of the receiving side: its model, and its largest request in bytes. */
  readonly embedder: string;
  readonly maxBytes: number;
}

/** What one side has in the buckets that differ. */
interface Opened {
  readonly stamps: Map<string, SyncStamp>;
  readonly relations: readonly Relation[];
}

/** Compares a namespace of two stores and changes nothing. Costs one small request to each side where they are the same. */
export async function compare({ from, to }: Direction, namespace: string): Promise<SyncPlan> {
  const [mine, theirs] = await digestsOf({ from, to }, namespace, FIRST_BUCKETS);
  const buckets = mine.digests.length;
  const differing = mine.digests.flatMap((digest, bucket) => (digest === theirs.digests[bucket] ? [] : [bucket]));
  const [here, there] = await Promise.all([
    opened(from, { namespace, buckets, of: differing }),
    opened(to, { namespace, buckets, of: differing }),
  ]);
  await lookElsewhere(to, { namespace, here, there });
  const { embedder, maxBytes } = theirs;
  return { namespace, ...planned(here, there), embedder, maxBytes };
}

async function digestsOf(direction: Direction, namespace: string, buckets: number): Promise<[SyncDigests, SyncDigests]> {
  const request = { namespace, buckets };
  const both = await Promise.all([direction.from.digests(request), direction.to.digests(request)]);
  const most = Math.max(...both.map(({ entries }) => entries));
  const wanted = Math.min(LARGEST_BUCKETS, 2 ** Math.ceil(Math.log2(Math.max(1, most / BUCKET_ENTRIES))));
  const isSame = both[0].digests.every((digest, bucket) => digest === both[1].digests[bucket]);
  return isSame || wanted <= buckets ? both : await digestsOf(direction, namespace, wanted);
}

async function opened(
  side: SyncOperations,
  { namespace, buckets, of }: { namespace: string; buckets: number; of: readonly number[] },
): Promise<Opened> {
  const stamps = new Map<string, SyncStamp>();
  const relations: Relation[] = [];
  for (let start = 0; start < of.length; start += OPENED) {
    const found = await side.stamps({ namespace, buckets, of: of.slice(start, start + OPENED) });
    for (const stamp of found.stamps) stamps.set(stamp.id, stamp);
    relations.push(...found.relations);
  }
  return { stamps, relations };
}

/** What seems to be new may be in another namespace there. */
async function lookElsewhere(
  to: SyncOperations,
  { namespace, here, there }: { namespace: string; here: Opened; there: Opened },
): Promise<void> {
  const missing = [...here.stamps.keys()].filter((id) => !there.stamps.has(id));
  for (let start = 0; start < missing.length; start += NAMED) {
    const { stamps } = await to.stamps({ namespace, ids: missing.slice(start, start + NAMED) });
    for (const stamp of stamps) there.stamps.set(stamp.id, stamp);
  }
}

function planned(here: Opened, there: Opened): Pick<SyncPlan, 'steps' | 'relations' | 'newer'> {
  const wanted = [...here.stamps.values()].flatMap((stamp) => {
    const action = actionOf(stamp, there.stamps.get(stamp.id));
    return action === undefined ? [] : [{ stamp, action }];
  });
  const takers = new Map(wanted.map(({ stamp, action }) => [stamp.id, { stamp, action }]));
  /** Whether an entry there keeps its text. */
  const stays = ({ id, text }: SyncStamp): boolean => {
    const taker = takers.get(id);
    return taker === undefined || (taker.action !== 'forgotten' && taker.stamp.text === text);
  };
  const texts = new Map<string, string>();
  for (const stamp of there.stamps.values()) if (stamp.state === 'live' && stays(stamp)) texts.set(stamp.text, stamp.id);
  const steps = wanted.map(({ stamp, action }): SyncStep => {
    const twin = texts.get(stamp.text);
    const isTwin = action !== 'forgotten' && twin !== undefined && twin !== stamp.id;
    return { id: stamp.id, action: isTwin ? 'put away' : action, at: stamp.at };
  });
  const newer = [...there.stamps.values()].filter((stamp) => {
    const own = here.stamps.get(stamp.id);
    return own !== undefined && actionOf(stamp, own) !== undefined;
  }).length;
  return { steps, relations: relationsToSend(here, there, new Map(steps.map(({ id, action }) => [id, action]))), newer };
}

/** Those that are not there or are older there, between entries that will be there. */
function relationsToSend(here: Opened, there: Opened, actions: ReadonlyMap<string, SyncStep['action']>): Relation[] {
  const known = new Map(there.relations.map((relation) => [relationKey(relation), relation]));
  const willBeThere = (id: string): boolean => {
    const action = actions.get(id);
    if (action !== undefined) return action !== 'forgotten' && action !== 'put away';
    // Of what is in none of the buckets that differ, both have the same.
    return here.stamps.has(id) ? there.stamps.get(id)?.state === 'live' : true;
  };
  return here.relations.filter((relation) => {
    const own = known.get(relationKey(relation));
    return (own === undefined || isLaterRelation(relation, own)) && willBeThere(relation.sourceId) && willBeThere(relation.targetId);
  });
}
