/** Where a store may lie: a folder, or a prefix of a bucket or container on object storage. */

const URI = /^([a-z][a-z0-9+.-]+):\/\//i;
/** Container or bucket, and a prefix in it. What would carry a credential, `user:password@` or a query, is no place. */
const OBJECTS = /^(?:(?:s3|gs|az):\/\/[^\s/?#@:]+|abfss:\/\/[^\s/?#@:]+@[^\s/?#@:]+)(?:\/[^\s?#]*)?$/;

/** Whether it is a URI of whatever kind, and no path. */
export function isUri(text: string): boolean {
  return URI.test(text);
}

/** Whether the store lies on object storage, where many servers share it. */
export function isOnObjectStorage(storePath: string): boolean {
  return OBJECTS.test(storePath);
}

/** Whether a store can lie there: in a folder, or on object storage. */
export function isStorePlace(text: string): boolean {
  return !isUri(text) || isOnObjectStorage(text);
}

/** An address without what people put into it that is no business of others: what stands before the `@` and behind the `?`. */
export function withoutCredentials(text: string): string {
  if (!isUri(text) || isOnObjectStorage(text)) return text;
  // Up to the last `@`: a key of base64 holds slashes.
  return text.replace(/\/\/.*@/s, '//…@').replace(/[?#].*$/s, (rest) => `${rest[0]}…`);
}
