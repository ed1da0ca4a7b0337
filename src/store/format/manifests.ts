import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The file that makes a version of a table. */
export interface Manifest {
  readonly version: number;
  /** Its name in the folder of versions. */
  readonly name: string;
}

export const VERSIONS = '_versions';
/** LanceDB counts the names of manifests down from here, so that the newest one comes first; older tables count up. */
const TOP = 2n ** 64n - 1n;
/** Where the text of the version begins, the version of the format, and four letters; before the text stands its length. */
export const FOOTER_BYTES = 16;
const MAGIC = Buffer.from('LANC');
export const LENGTH_BYTES = 4;

/** Folder of a table below that of the store. */
export const tableFolder = (table: string): string => `${table}.lance`;

/** The versions that these names of files stand for, newest first. */
export function manifestsIn(names: readonly string[]): Manifest[] {
  const found = names.flatMap((name): Manifest[] => {
    const number = /^(\d+)\.manifest$/.exec(name)?.[1];
    if (number === undefined) return [];
    const count = BigInt(number);
    return [{ name, version: Number(count > TOP / 2n ? TOP - count : count) }];
  });
  return found.toSorted((a, b) => b.version - a.version);
}

/** The versions of a table that the folder has, newest first; empty where there is no such table. Opens none of them. */
export function manifestsOf(storePath: string, table: string): Manifest[] {
  const folder = path.join(storePath, tableFolder(table), VERSIONS);
  return existsSync(folder) ? manifestsIn(readdirSync(folder)) : [];
}

/**
 * Whether a manifest has the shape of one from its first to its last byte: it is neither empty nor cut nor zeroed. A wrong byte within is for
 * LanceDB to find. Throws where the file cannot be read at all, which says nothing about what is in it.
 */
export function hasShape(storePath: string, table: string, { name }: Manifest): boolean {
  return isManifest(readFileSync(path.join(storePath, tableFolder(table), VERSIONS, name)));
}

function isManifest(bytes: Buffer): boolean {
  if (bytes.length < FOOTER_BYTES + LENGTH_BYTES || !bytes.subarray(-MAGIC.length).equals(MAGIC)) return false;
  const end = bytes.length - FOOTER_BYTES;
  const start = Number(bytes.readBigUInt64LE(end));
  return start <= end - LENGTH_BYTES && start + LENGTH_BYTES + bytes.readUInt32LE(start) === end;
}
