import { MAX_SHARDS } from '../../memory/store-address.ts';
import { ENTRIES } from './schema.ts';

/** Names of the entry tables for this number of shards, by shard. */
export function entriesTables(shards: number): readonly string[] {
  return shards === 1 ? [ENTRIES] : Array.from({ length: shards }, (_, shard) => `${ENTRIES}_${shard + 1}_of_${shards}`);
}

/** The number of shards to which this entry table belongs; undefined for other tables. */
export function shardsOf(table: string): number | undefined {
  if (table === ENTRIES) return 1;
  const found = /^entries_([1-9]\d*)_of_([1-9]\d*)$/.exec(table);
  const [shard, shards] = [Number(found?.[1]), Number(found?.[2])];
  return shard <= shards && shards > 1 && shards <= MAX_SHARDS ? shards : undefined;
}

/** The shard that holds the entries of a namespace. */
export function shardOf(namespace: string, shards: number): number {
  return shards === 1 ? 0 : fnv1a(namespace) % shards;
}

/** FNV hash (Fowler, Noll and Vo), 32 bits, of the UTF-8 bytes. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
