/** The access rights of an API key. */
export interface Grant {
  /** Name of the key, for logs and `auth list`; never the key. */
  readonly name: string;
  readonly access: 'full' | 'read';
  /** The namespace to which the key is bound, if any. */
  readonly namespace?: string;
}

/** Full access, if no key is configured. */
export const openGrant: Grant = { name: 'anonymous', access: 'full' };

/** Checks keys. `required` is false exactly if no key is configured. */
export interface KeyRing {
  readonly required: boolean;
  /** Undefined for an unknown key. Takes as long however many keys there are, and tells nothing of a key by its time. */
  grantFor(key: string): Grant | undefined;
}
