/** The access rights of an API key. */
export interface Grant {
  /** Name of the key, for logs and `auth list`; never the key. */
  readonly name: string;
  readonly access: 'full' | 'read';
  /** The namespace to which the key is bound, if any. */
  readonly namespace?: string;
}

/** Full access, if no key is configured. */
export const anonymousGrant: Grant = { name: 'anonymous', access: 'full' };

/** Checks keys. `required` is false exactly if no key is configured. */
export interface KeyRing {
  readonly required: boolean;
  /** The rights of a key; undefined for an unknown key. Constant time: the duration reveals nothing about the keys. */
  grantFor(key: string): Grant | undefined;
  /** Notes that a request came with the key of this grant. */
  noteUse?(grant: Grant): void;
}
