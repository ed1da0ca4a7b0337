/** Constants without dependencies, so that the web page can import them. */

/** The namespace of entries that belong to no project. */
export const GLOBAL_NAMESPACE = 'global';

/** Stored priorities. Requests also accept `medium`, which means `normal`. */
export const PRIORITIES = ['low', 'normal', 'high'] as const;
export type Priority = (typeof PRIORITIES)[number];
export const PRIORITY_WORDS = ['low', 'normal', 'medium', 'high'] as const;

/** Of one entry. */
export const MAX_TAGS = 64;
export const MAX_TAG_CHARS = 128;

export const SEARCH_MODES = ['vector', 'keyword', 'hybrid'] as const;
/** If the best result scores less, most results do not answer the query (docs/api.md, "Reading the results of a search"). */
export const WEAK_SCORE = 0.3;
/** Maximum number of results over all pages of a search. */
export const MAX_PAGED_RESULTS = 1000;
/** Maximum number of values counted per facet. */
export const MAX_FACET_VALUES = 50;

/** How an entry was saved. */
export const SOURCES = ['api', 'cli', 'mcp', 'web', 'auto-capture', 'index', 'ingest', 'import'] as const;
export type Source = (typeof SOURCES)[number];

/** Sources of file passages; entries of other sources are memories. */
export const FILE_SOURCES = ['index', 'ingest'] as const satisfies readonly Source[];
export const isOfFile = ({ source }: { readonly source: Source }): boolean => FILE_SOURCES.some((each) => each === source);

/** `file`: a passage of an indexed or ingested file; `memory`: any other entry. */
export const ENTRY_KINDS = ['memory', 'file'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const LIST_SORTS = ['createdAt', '-createdAt', 'importance', '-importance'] as const;

/** Types of relations; read `source type target`. */
export const RELATION_TYPES = ['similar', 'supersedes', 'references', 'contradicts', 'elaborates'] as const;

/** Reasons for archiving an entry. */
export const ARCHIVE_REASONS = ['expired', 'too many', 'near duplicate', 'forgotten', 'unwanted'] as const;
export type ArchiveReason = (typeof ARCHIVE_REASONS)[number];

/** Fields whose values can be listed; `entities` are names in texts. */
export const VALUE_FIELDS = ['namespaces', 'tags', 'entities'] as const;
export type ValueField = (typeof VALUE_FIELDS)[number];
