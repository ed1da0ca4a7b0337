/** What a name can stand for. */
export const ENTITY_KINDS = ['path', 'symbol', 'package', 'url', 'error', 'person'] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];
/** Most names of one entry. */
export const MAX_ENTITIES = 64;
/** A longer name is left out, UTF-16 units. */
export const MAX_ENTITY_CHARS = 256;
