/** Constants of the store, without dependencies, so that the page can import them. */

/** The namespace that belongs to no project. */
export const GLOBAL_NAMESPACE = 'global';

/** Stored vocabulary. Both vocabularies of the specification are read: `medium` means `normal`. */
export const PRIORITIES = ['low', 'normal', 'high'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const SEARCH_MODES = ['vector', 'keyword', 'hybrid'] as const;
/** A best result below this score is weak: most of those are not about what was asked (docs/api.md, "Reading the results of a search"). */
export const WEAK_SCORE = 0.3;
/** Results that all pages of a search hold together. */
export const MAX_FOUND = 1000;
/** Most values counted of each field. */
export const MAX_FACET_VALUES = 50;

/** How an entry was saved. */
export const SOURCES = ['api', 'cli', 'mcp', 'web', 'auto-capture', 'index', 'ingest', 'import'] as const;
export type Source = (typeof SOURCES)[number];

/** Sources of the passages of files; what came any other way is a memory. */
export const FILE_SOURCES = ['index', 'ingest'] as const satisfies readonly Source[];
export const isOfFile = ({ source }: { readonly source: Source }): boolean => FILE_SOURCES.some((each) => each === source);

/** A `file` entry is a passage of an indexed or ingested file; a `memory` is any other. */
export const ENTRY_KINDS = ['memory', 'file'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const LIST_SORTS = ['createdAt', '-createdAt', 'importance', '-importance'] as const;

/** Types of relations; read `source type target`. */
export const RELATION_TYPES = ['similar', 'supersedes', 'references', 'contradicts', 'elaborates'] as const;

/** Reasons for archiving an entry. */
export const ARCHIVE_REASONS = ['expired', 'too many', 'near duplicate', 'forgotten', 'unwanted'] as const;
export type ArchiveReason = (typeof ARCHIVE_REASONS)[number];
