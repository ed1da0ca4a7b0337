import { PRIORITY_WORDS, parseEntryId, type Entry } from '../../memory/entry.ts';
import { instantOf, textOf, textsOf } from '../../sources/readers/field-values.ts';
import { splitFrontMatter } from '../../sources/readers/front-matter.ts';
import { isRecord, type JsonRecord } from '../../sources/readers/json-record.ts';

/** The fields of an entry in its file. Times are ISO 8601. */
export interface FileEntry {
  readonly id?: string | undefined;
  readonly content: string;
  readonly namespace?: string | undefined;
  readonly container?: string | undefined;
  readonly tags: readonly string[];
  readonly priority?: string | undefined;
  readonly importance?: number | undefined;
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
  readonly source?: string | undefined;
  readonly sourceRef?: JsonRecord | undefined;
  /** Ids of the entries that it supersedes. */
  readonly supersedes: readonly string[];
}

/** Characters that editors, terminals and git change or hide. They keep tabs and one kind of line break. */
const DELICATE = /[\p{Cc}\u2028\u2029\uFEFF]/u;
const PLAIN = /^[\p{L}_/][\p{L}\p{N}_./@+ -]*$/u;
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n|~)$/i;
const MAX_FRONT_MATTER_CHARS = 16 * 1024 * 1024;

/**
 * The file of an entry: its fields as front matter, an empty line, its text, a line break. Text that cannot be a plain body is in the
 * field `content`.
 */
export function entryFile(entry: Omit<FileEntry, 'supersedes'> & Partial<Pick<FileEntry, 'supersedes'>>): string {
  const isPlain = isPlainText(entry.content);
  const fields: [string, string | undefined][] = [
    ['id', entry.id],
    ['namespace', text(entry.namespace)],
    ['container', entry.container === entry.namespace ? undefined : text(entry.container)],
    ['tags', entry.tags.length === 0 ? undefined : `[${entry.tags.map(text).join(', ')}]`],
    ['priority', entry.priority],
    ['importance', entry.importance === undefined ? undefined : String(Number(entry.importance.toFixed(4)))],
    ['created', entry.created],
    ['updated', entry.updated],
    ['source', entry.source],
    ['sourceRef', entry.sourceRef === undefined ? undefined : escaped(JSON.stringify(entry.sourceRef))],
    [
      'supersedes',
      entry.supersedes === undefined || entry.supersedes.length === 0 ? undefined : `[${entry.supersedes.toSorted().join(', ')}]`,
    ],
    ['content', isPlain ? undefined : escaped(JSON.stringify(entry.content))],
  ];
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `---\n${lines.join('\n')}\n---\n${isPlain ? `\n${entry.content}\n` : ''}`;
}

function isPlainText(content: string): boolean {
  const oneBreak = content.includes('\r\n') ? content.replaceAll('\r\n', '') : content;
  const isMixed = content.includes('\r\n') && oneBreak.includes('\n');
  return !isMixed && !DELICATE.test(oneBreak.replaceAll(/[\n\t]/g, ''));
}

/** A name as a YAML value, quoted if it would otherwise be parsed as another type. */
function text(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  return PLAIN.test(value) && !WORDS.test(value) && !value.endsWith(' ') ? value : escaped(JSON.stringify(value));
}

/** JSON is valid YAML, except for characters that YAML requires to be escaped. */
const escaped = (json: string): string =>
  json.replaceAll(/[\u007F-\u009F\u2028\u2029\uFEFF]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The contents of a file, or the reason why it is invalid. */
export async function readEntryFile(file: string): Promise<FileEntry | { readonly problem: string }> {
  const given = file.startsWith('\uFEFF') ? file.slice(1) : file;
  // If git or an editor changed the line breaks, the front matter has them too.
  const whole = /^---[ \t]*\r\n/.test(given) ? given.replaceAll('\r\n', '\n') : given;
  const parted = await splitFrontMatter(whole, MAX_FRONT_MATTER_CHARS);
  if (typeof parted === 'string') return { problem: parted };
  const { fields } = parted;
  const named = textOf(fields['id']);
  const id = named === undefined ? undefined : parseEntryId(named);
  if (named !== undefined && id === undefined) return { problem: 'has an invalid id: remove the line to make it a new entry' };
  const content = typeof fields['content'] === 'string' ? fields['content'] : bodyOf(parted.body);
  if (content.trim() === '') return { problem: 'has no text' };
  const priority = textOf(fields['priority']);
  if (priority !== undefined && !PRIORITY_WORDS.some((word) => word === priority))
    return { problem: 'has a priority other than low, normal and high' };
  const importance = fields['importance'] === undefined ? undefined : Number(fields['importance']);
  if (importance !== undefined && !(importance >= 0 && importance <= 1)) return { problem: 'has an importance that is not from 0 to 1' };
  return {
    id,
    content,
    namespace: textOf(fields['namespace']),
    container: textOf(fields['container']),
    tags: [
      ...new Set(
        textsOf(fields['tags'])
          .map((tag) => tag.trim())
          .filter((tag) => tag !== ''),
      ),
    ],
    priority: priority === 'medium' ? 'normal' : priority,
    importance,
    created: instantOf(fields['created']),
    updated: instantOf(fields['updated']),
    source: textOf(fields['source']),
    sourceRef: isRecord(fields['sourceRef']) ? fields['sourceRef'] : undefined,
    supersedes: textsOf(fields['supersedes']).flatMap((one) => parseEntryId(one.trim()) ?? []),
  };
}

/** The text below the front matter without the empty line above it and the line break that ends the file. */
function bodyOf(body: string): string {
  return body.replace(/^\n/, '').replace(/\n$/, '');
}

/** Whether two texts differ only in what editors and git change: line breaks, and blanks at the end. */
const isSameText = (one: string, other: string): boolean => comparable(one) === comparable(other);
const comparable = (content: string): string => content.replaceAll(/[ \t]*\r?\n/g, '\n').trim();

/** The changes that a file makes to its entry; undefined if there are none. */
export function editOf(
  file: FileEntry,
  stored: Entry,
): Partial<Pick<Entry, 'content' | 'tags' | 'priority' | 'importance' | 'namespace' | 'container'>> | undefined {
  const namespace = file.namespace ?? stored.namespace;
  const container = file.container ?? namespace;
  const edit = {
    ...(isSameText(file.content, stored.content) ? {} : { content: file.content }),
    ...(sameTags(file.tags, stored.tags) ? {} : { tags: file.tags }),
    ...(file.priority === undefined || file.priority === stored.priority ? {} : { priority: file.priority as Entry['priority'] }),
    ...(file.importance === undefined || Math.abs(file.importance - stored.importance) < 1e-4 ? {} : { importance: file.importance }),
    ...(namespace === stored.namespace ? {} : { namespace }),
    ...(container === stored.container ? {} : { container }),
  };
  return Object.keys(edit).length === 0 ? undefined : edit;
}

function sameTags(one: readonly string[], other: readonly string[]): boolean {
  const names = new Set(other);
  return one.length === other.length && one.every((tag) => names.has(tag));
}
