/** What the bearer of an API key may do. */
export interface Grant {
  /** Name of the key, for logs and `auth list`; never the key. */
  readonly name: string;
  readonly access: 'full' | 'read';
  /** Only this namespace, where the key is bound to one. */
  readonly namespace?: string;
}

/** Without any key configured, everyone who reaches the server may do everything. */
export const openGrant: Grant = { name: 'anonymous', access: 'full' };

/** Checks presented keys. `required` is false exactly where no key is configured. */
export interface KeyRing {
  readonly required: boolean;
  /** Undefined for an unknown key. Takes as long however many keys there are, and tells nothing of a key by its time. */
  grantFor(key: string): Grant | undefined;
}
