import { MAX_TAG_CHARS, MAX_TAGS } from '../../memory/entry.ts';
import { forbiddenCharacterIn, storedName } from '../../memory/names.ts';

/** Names listed in a note; the rest are counted. */
const NAMED = 10;

type Fields = Record<string, unknown>;

/** The names of a line in stored form, with at most the allowed number of tags. `notes` lists changed and dropped names, in plain words. */
export function normalizeNames<T>(value: T): { readonly value: T; readonly notes: readonly string[] } {
  const notes: string[] = [];
  return { value: fitted(value, notes) as T, notes };
}

/** Also the entry of a line from the archive, the state of one from the history, and `metadata`. */
function fitted(value: unknown, notes: string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields: Fields = { ...value };
  for (const field of ['namespace', 'container']) {
    if (typeof fields[field] === 'string') fields[field] = named(field, fields[field], notes);
  }
  if (Array.isArray(fields['tags'])) fields['tags'] = fittingTags(fields['tags'], notes);
  for (const inner of ['metadata', 'archived', 'version', 'entry', 'state']) {
    if (inner in fields) fields[inner] = fitted(fields[inner], notes);
  }
  return fields;
}

function named(field: string, name: string, notes: string[]): string {
  const hidden = forbiddenCharacterIn(name);
  if (hidden !== undefined) notes.push(`${field}: ${hidden} was replaced by U+FFFD, because it is invisible`);
  return storedName(name);
}

function fittingTags(tags: readonly unknown[], notes: string[]): unknown[] {
  const plain = [...new Set(tags.map((tag) => (typeof tag === 'string' ? named('tags', tag, notes) : tag)))];
  const isLong = (tag: unknown): boolean => typeof tag === 'string' && tag.length > MAX_TAG_CHARS;
  const short = plain.filter((tag) => !isLong(tag));
  const long = plain.filter(isLong);
  if (long.length > 0) notes.push(`tags longer than ${MAX_TAG_CHARS} characters were left out: ${listed(long)}`);
  if (short.length > MAX_TAGS) notes.push(`tags beyond ${MAX_TAGS} were left out: ${listed(short.slice(MAX_TAGS))}`);
  // A tag that is not a text makes the line invalid, even after the limit.
  return [...short.slice(0, MAX_TAGS), ...short.slice(MAX_TAGS).filter((tag) => typeof tag !== 'string')];
}

function listed(tags: readonly unknown[]): string {
  const more = tags.length > NAMED ? ` and ${tags.length - NAMED} more` : '';
  return `${tags
    .slice(0, NAMED)
    .map((tag) => String(tag).slice(0, MAX_TAG_CHARS))
    .join(', ')}${more}`;
}
