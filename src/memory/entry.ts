import { z } from 'zod';
import { hiddenIn, isVisible } from './names.ts';
import type { Explanation } from './operations/explanation.ts';
import type { Passage } from './words/passages.ts';
import { LIST_SORTS, SEARCH_MODES, type ArchiveReason, type EntryKind, type Priority, type Source } from './vocabulary.ts';

export * from './vocabulary.ts';

/** Prefix of an id in the guide form; every route takes an id with or without it. */
export const GUIDE_ID_PREFIX = 'mem_';
export const MAX_TAGS = 64;
export const MAX_TAG_CHARS = 128;
export const MAX_NAME_CHARS = 256;
export const MAX_QUERY_BYTES = 4096;
export const MAX_RESULTS = 100;

const CONTROL = /\p{Cc}/u;
const wellFormed = (text: string): boolean => text.isWellFormed();

const LONE_SURROGATE = 'must be well-formed Unicode (it holds a lone surrogate)';
/** Text without lone surrogates: those cannot be stored in UTF-8 and would come back as another character. */
export const Text = z.string().refine(wellFormed, LONE_SURROGATE);
const Name = (max: number) =>
  z
    .string()
    .normalize('NFC')
    .refine(wellFormed, LONE_SURROGATE)
    .min(1, 'must not be empty')
    .max(max, `must be at most ${max} characters`)
    .refine((given) => !CONTROL.test(given), 'must not hold control characters')
    .refine((given) => hiddenIn(given) === undefined, {
      error: ({ input }) => `must not hold zero-width or bidirectional control characters (${hiddenIn(String(input))})`,
    })
    .refine(isVisible, 'must not be blank');
export const Content = Text.refine(isVisible, 'must not be blank').meta({
  description: 'The text to remember, kept byte for byte.',
  examples: ['We deploy with `make ship`; staging first, then production.'],
});
export const Namespace = Name(MAX_NAME_CHARS).meta({ description: 'Groups entries by project.', examples: ['owner/repo'] });
export const Container = Name(MAX_NAME_CHARS).meta({ description: 'A scope inside a namespace; defaults to the namespace.' });
export const Tag = Name(MAX_TAG_CHARS);
export const Tags = z.array(Tag).max(MAX_TAGS, `must hold at most ${MAX_TAGS} tags`);

export const PRIORITY_WORDS = ['low', 'normal', 'medium', 'high'] as const;
export const PriorityInput = z
  .enum(PRIORITY_WORDS)
  .transform((word): Priority => (word === 'medium' ? 'normal' : word))
  .meta({ description: '`medium` means `normal`.' });

export const SearchMode = z.enum(SEARCH_MODES);
export type SearchMode = z.output<typeof SearchMode>;
export const ListSort = z.enum(LIST_SORTS);
export type ListSort = z.output<typeof ListSort>;

/** One memory as every layer above the store sees it. Times are epoch milliseconds, UTC. */
export interface Entry {
  readonly id: string;
  readonly content: string;
  readonly namespace: string;
  readonly container: string;
  readonly tags: readonly string[];
  readonly priority: Priority;
  /** 0..1, higher matters more. */
  readonly importance: number;
  readonly source: Source;
  /** Where the text came from (file and lines, URL …); JSON-serialisable. */
  readonly sourceRef?: Readonly<Record<string, unknown>>;
  /** Extractive; only for long content. */
  readonly summary?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When an import or a sync brought it into this store, whatever its age; absent for what was saved here. Not carried to other stores. */
  readonly arrivedAt?: number;
  /** SHA-256 (hex) of the NFC form of the content. */
  readonly contentHash: string;
  /** A newer entry takes its place (a relation `supersedes` points at it): a search leaves it out unless asked. */
  readonly superseded?: true;
  /** Paths, names of code, packages, addresses, error codes and people that the content names; absent where it names none. */
  readonly entities?: readonly string[];
  /** How often a recall or search returned it; only where this one entry was asked for, and once one did. */
  readonly recalls?: number;
  /** When one did last. */
  readonly lastRecalledAt?: number;
}

export interface ScoredEntry {
  readonly entry: Entry;
  /** 0..1, higher is better. */
  readonly score: number;
  /** What each leg of the search gave, 0..1; a leg that did not find the entry is absent. */
  readonly scores: { readonly vector?: number; readonly keyword?: number };
  /** The passage of a long text that answers best; absent where the whole text is one passage. */
  readonly passage?: Passage;
  /** Near-identical entries that `collapse` folded into this one, best first; absent where there are none. */
  readonly collapsed?: readonly string[];
  /** Only of one that is in the archive, which `includeArchived` asked for: when it went there (epoch milliseconds) and why. */
  readonly archived?: { readonly at: number; readonly reason: ArchiveReason };
  /** Only where `explain` asked for it. */
  readonly explanation?: Explanation;
}

/** Which rows a read may see. Every field given must hold; an empty filter sees every entry. */
export interface EntryFilter {
  /** Any one of these. */
  readonly namespaces?: readonly string[];
  readonly container?: string;
  /** All of these. */
  readonly tags?: readonly string[];
  readonly priority?: Priority;
  readonly source?: Source;
  readonly kind?: EntryKind;
  readonly importance?: { readonly min?: number; readonly max?: number };
  /** Epoch milliseconds, exclusive. */
  readonly createdAfter?: number;
  /** Epoch milliseconds, exclusive. */
  readonly createdBefore?: number;
  /** Only entries that no newer one takes the place of. */
  readonly current?: true;
  /** Only what was captured and nobody kept; see `isPending`. */
  readonly pending?: true;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The stored form of an id as written by any client, or undefined where it cannot be one. */
export function parseEntryId(text: string): string | undefined {
  const bare = (text.startsWith(GUIDE_ID_PREFIX) ? text.slice(GUIDE_ID_PREFIX.length) : text).toLowerCase();
  return UUID.test(bare) ? bare : undefined;
}

/** An id in either form, as a field of a request; read as its stored form. */
export const EntryId = z
  .string()
  .transform((text, context) => {
    const id = parseEntryId(text);
    if (id !== undefined) return id;
    context.addIssue({ code: 'custom', message: 'must be the id of an entry' });
    return z.NEVER;
  })
  .meta({ description: 'Id of an entry, with or without the prefix `mem_`.' });
