/** Kinds of entities. */
export const ENTITY_KINDS = ['path', 'symbol', 'package', 'url', 'error', 'person'] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];
/** Maximum number of entities of one entry. */
export const MAX_ENTITIES = 64;
/** Maximum name length in UTF-16 units; longer names are left out. */
export const MAX_ENTITY_CHARS = 256;
