/** Names of namespaces, containers and tags: their stored form and forbidden characters. */
import type { Entry } from './entry.ts';
import { isOfFile } from './vocabulary.ts';

/** Zero-width and bidirectional control characters: names with them can look equal to others. Variation selectors are allowed for emoji. */
const HIDDEN = /(?!\p{Variation_Selector})[\p{Default_Ignorable_Code_Point}\u200e\u200f\ufff9-\ufffb]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const PLAIN = /^[\x20-\x7e]*$/;
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;
const REPLACEMENT = '\ufffd';

/** The first forbidden character of a name, such as `U+200B`; undefined if there is none. */
export function forbiddenCharacterIn(name: string): string | undefined {
  const [sign] = HIDDEN.exec(name) ?? [];
  return sign === undefined ? undefined : `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Whether a text has visible characters. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);

/**
 * The stored form of a name: NFC, with U+FFFD for each forbidden character. Stores of earlier versions and imported files can contain such
 * names; the replacement keeps them distinct, visible and typeable.
 */
export function storedName(name: string): string {
  return PLAIN.test(name) ? name : name.normalize('NFC').replaceAll(ALL_HIDDEN, REPLACEMENT);
}

type Names = Pick<Entry, 'namespace' | 'container' | 'tags' | 'source'>;

/** The entry with stored names; the same object if nothing changes. The container of a file passage is its path and stays as on disk. */
export function withStoredNames<T extends Names>(entry: T): T {
  const namespace = storedName(entry.namespace);
  const container = entry.container === entry.namespace ? namespace : isOfFile(entry) ? entry.container : storedName(entry.container);
  const tags = storedTags(entry.tags);
  if (namespace === entry.namespace && container === entry.container && tags === entry.tags) return entry;
  return { ...entry, namespace, container, tags };
}

function storedTags(tags: readonly string[]): readonly string[] {
  const stored = tags.map(storedName);
  return stored.every((tag, nth) => tag === tags[nth]) ? tags : [...new Set(stored)];
}
