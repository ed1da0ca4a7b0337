/** Where a store may lie: a folder, a prefix of a bucket or container on object storage, or a database of LanceDB Cloud or Enterprise. */

const URI = /^([a-z][a-z0-9+.-]+):\/\//i;
/** Container or bucket, and a prefix in it. What would carry a credential, `user:password@` or a query, is no place. */
const OBJECTS = /^(?:(?:s3|gs|az):\/\/[^\s/?#@:]+|abfss:\/\/[^\s/?#@:]+@[^\s/?#@:]+)(?:\/[^\s?#]*)?$/;

/** A database that a service keeps; where the service is stands in the options. */
const SERVICE = /^db:\/\/[a-z0-9][a-z0-9_.-]*\/*$/i;

/** Whether it is a URI of whatever kind, and no path. */
export function isUri(text: string): boolean {
  return URI.test(text);
}

/** Whether the store is on object storage, shared by several servers. */
export function isOnObjectStorage(storePath: string): boolean {
  return OBJECTS.test(storePath);
}

/** Whether the store is in LanceDB Cloud or Enterprise. */
export function isOnService(storePath: string): boolean {
  return SERVICE.test(storePath);
}

/** Whether the store is not in a folder. */
export function isRemote(storePath: string): boolean {
  return isOnObjectStorage(storePath) || isOnService(storePath);
}

/** Whether a value is a valid location of a store. */
export function isStorePlace(text: string): boolean {
  return !isUri(text) || isRemote(text);
}

/** Whether backups can be stored there. */
export function isBackupPlace(text: string): boolean {
  return !isUri(text) || isOnObjectStorage(text);
}

/** Whether two places are equal, or one is inside the other. */
export function areNested(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

/** An address without credentials: without the part before `@` and after `?`. */
export function withoutCredentials(text: string): string {
  if (!isUri(text) || isRemote(text)) return text;
  // Up to the last `@`: a key of base64 holds slashes.
  return text.replace(/\/\/.*@/s, '//…@').replace(/[?#].*$/s, (rest) => `${rest[0]}…`);
}

/** Tables that the entries of a store may be spread over. */
export const MAX_SHARDS = 64;
