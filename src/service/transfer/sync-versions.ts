import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { givenOf, type Given } from '../../memory/entry-fields.ts';
import type { Entry, Source } from '../../memory/entry.ts';
import type { ArchivedEntry } from '../../memory/lifecycle.ts';
import { relationKey, type Relation } from '../../memory/relation.ts';
import type { Tombstone } from '../../memory/tombstone.ts';
import type { SyncStamp } from '../../memory/operations/sync-operations.ts';
import { importanceOf } from '../../store/format/field-columns.ts';

/** The fields that identify a version of an entry; derived fields do not count. */
type Versioned = Pick<Entry, 'id' | 'source' | 'contentHash' | 'createdAt' | 'updatedAt' | Exclude<Given, 'content'>>;

const DIGEST_BYTES = 8;

/** Passages of files are updated from the files, and outdated ones are removed permanently. */
export const isSynced = ({ source }: { readonly source: Source }): boolean => source !== 'index' && source !== 'ingest';

export function versionBytes(version: Versioned): Buffer {
  const { id, namespace, container, tags, priority, importance, source, contentHash, createdAt, updatedAt } = version;
  // The log stores importance with 64 bits, the table with 32: rounded, so that a version is the same in both.
  const weight = importanceOf(Math.fround(importance));
  // Optional fields come last and by name, so that a field unknown to another version of Lore changes nothing for entries without it.
  const more = Object.entries(givenOf(version));
  return digest([id, namespace, container, tags, priority, weight, source, contentHash, createdAt, updatedAt, ...more]);
}

const versionOf = (version: Versioned): string => versionBytes(version).toString('hex');

export function relationBytes(relation: Relation): Buffer {
  return digest([relationKey(relation), relation.strength, relation.createdAt]);
}

const digest = (facts: readonly unknown[]): Buffer => hash('sha256', JSON.stringify(facts), 'buffer').subarray(0, DIGEST_BYTES);

/** Equal for entries of one namespace that would be exact duplicates. */
function textOf({ namespace, container, contentHash }: Pick<Entry, 'namespace' | 'container' | 'contentHash'>): string {
  const text = contentHash.slice(0, 32);
  return container === namespace ? text : `${text} ${container}`;
}

/** Stamp of an existing entry. */
export function stampOf(live: Versioned): SyncStamp {
  return { id: live.id, state: 'live', at: live.updatedAt, version: versionOf(live), text: textOf(live) };
}

/** Stamp of an archived entry. A forgotten entry counts as forgotten after its last change, whatever the clocks say. */
export function archivedStamp({ entry, reason, at }: ArchivedEntry): SyncStamp {
  const facts = { id: entry.id, version: versionOf(entry), text: textOf(entry) };
  if (reason === 'forgotten') return { ...facts, state: 'forgotten', at: Math.max(at, entry.updatedAt) };
  return { ...facts, state: 'away', at: entry.updatedAt };
}

/** Stamp of a permanently deleted entry. */
export function tombstoneStamp({ id, at }: Tombstone): SyncStamp {
  return { id, state: 'removed', at, version: '', text: '' };
}

export const tombstoneBytes = ({ id, at }: Tombstone): Buffer => digest([id, at]);

/** Ids of one moment have the same beginning, so their own bits would fill only a few buckets. */
export const bucketOf = (id: string, buckets: number): number => crc32(id) % buckets;

/** One digest for each bucket, independent of the order of additions. */
export class BucketDigests {
  readonly #halves: Uint32Array;

  constructor(buckets: number) {
    this.#halves = new Uint32Array(buckets * 2);
  }

  put(bucket: number, bytes: Buffer): void {
    this.#halves[bucket * 2]! ^= bytes.readUInt32LE(0);
    this.#halves[bucket * 2 + 1]! ^= bytes.readUInt32LE(4);
  }

  texts(): string[] {
    const hex = (half: number): string => half.toString(16).padStart(8, '0');
    return Array.from({ length: this.#halves.length / 2 }, (_, bucket) => {
      const [first, second] = [this.#halves[bucket * 2]!, this.#halves[bucket * 2 + 1]!];
      return first === 0 && second === 0 ? '' : hex(first) + hex(second);
    });
  }
}
