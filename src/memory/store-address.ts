/** Locations of a store: a folder, a prefix in an object storage bucket or container, or a database of LanceDB Cloud or Enterprise. */

const URI = /^([a-z][a-z0-9+.-]+):\/\//i;
/** Bucket or container and a prefix. Rejects forms that could carry credentials: `user:password@` and queries. */
const OBJECTS = /^(?:(?:s3|gs|az):\/\/[^\s/?#@:]+|abfss:\/\/[^\s/?#@:]+@[^\s/?#@:]+)(?:\/[^\s?#]*)?$/;

/** A database of LanceDB Cloud or Enterprise; the options name the service. */
const SERVICE = /^db:\/\/[a-z0-9][a-z0-9_.-]*\/*$/i;

/** Whether a text is a URI of any kind and not a path. */
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
export function isStoreLocation(text: string): boolean {
  return !isUri(text) || isRemote(text);
}

/** Whether backups can be stored there. */
export function isBackupLocation(text: string): boolean {
  return !isUri(text) || isOnObjectStorage(text);
}

/** Whether two locations are equal or one contains the other. */
export function areNested(a: string, b: string): boolean {
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

/** An address without credentials: without the part before `@` and after `?`. */
export function withoutCredentials(text: string): string {
  if (!isUri(text) || isRemote(text)) return text;
  // Up to the last `@`: a base64 key contains slashes.
  return text.replace(/\/\/.*@/s, '//…@').replace(/[?#].*$/s, (rest) => `${rest[0]}…`);
}

/** Maximum number of tables that the entries are sharded over. */
export const MAX_SHARDS = 64;
