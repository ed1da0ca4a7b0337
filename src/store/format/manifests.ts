import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The manifest file of a version of a table. */
export interface Manifest {
  readonly version: number;
  /** Its name in the folder of versions. */
  readonly name: string;
}

export const VERSIONS = '_versions';
/** LanceDB names manifests by counting down from this number, so that the newest one sorts first; older tables count up. */
const TOP = 2n ** 64n - 1n;
/** Size of the footer: offset of the manifest text, format version, and four letters. The length precedes the text. */
export const FOOTER_BYTES = 16;
const MAGIC = Buffer.from('LANC');
export const LENGTH_BYTES = 4;

/** Folder of a table, relative to the store. */
export const tableFolder = (table: string): string => `${table}.lance`;

/** The versions of these file names, newest first. */
export function manifestsIn(names: readonly string[]): Manifest[] {
  const found = names.flatMap((name): Manifest[] => {
    const number = /^(\d+)\.manifest$/.exec(name)?.[1];
    if (number === undefined) return [];
    const count = BigInt(number);
    return [{ name, version: Number(count > TOP / 2n ? TOP - count : count) }];
  });
  return found.toSorted((a, b) => b.version - a.version);
}

/** The versions of a table in the folder, newest first; empty if there is no such table. Opens none of them. */
export function manifestsOf(storePath: string, table: string): Manifest[] {
  const folder = path.join(storePath, tableFolder(table), VERSIONS);
  return existsSync(folder) ? manifestsIn(readdirSync(folder)) : [];
}

/**
 * Whether a manifest is complete: not empty, cut or zeroed. LanceDB detects a wrong byte within. Throws if the file cannot be read at all.
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
