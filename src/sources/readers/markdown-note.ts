import { dateOf, importanceOf, priorityOf, referenceOf, tagsOf, textOf, textsOf } from './field-values.ts';
import { splitFrontMatter } from './front-matter.ts';
import type { JsonRecord } from './json-record.ts';
import { leadingHeading, sectionsOf, tagsIn } from './markdown-text.ts';
import type { Findings } from './findings.ts';

/** Front matter fields that are imported. */
const FIELDS = {
  title: ['title'],
  tags: ['tags', 'tag', 'keywords'],
  namespace: ['namespace', 'project'],
  container: ['container'],
  priority: ['priority'],
  importance: ['importance'],
  createdAt: ['date', 'created', 'createdAt', 'created_at'],
  updatedAt: ['updated', 'modified', 'updatedAt', 'updated_at'],
} as const satisfies Record<string, readonly string[]>;
const TAKEN: ReadonlySet<string> = new Set(Object.values(FIELDS).flat());
/** Names of files and headings that say nothing about the contents. */
const NAMELESS = /^(?:readme|index|memory|claude(?:\.local)?|agents(?:\.override)?|gemini|copilot-instructions|\.cursorrules)(?:\.md)?$/i;

/** An entry for the import, which validates it like any other line; undefined fields are left out. */
export interface EntryLine {
  readonly content: string;
  readonly id?: string | number | undefined;
  readonly namespace?: string | undefined;
  readonly container?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly priority?: string | undefined;
  readonly importance?: number | undefined;
  readonly source?: string | undefined;
  readonly sourceRef?: Readonly<Record<string, unknown>> | undefined;
  /** ISO 8601. */
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
}

/** One item of an input: something to import, or the reason why it cannot be imported. */
export type Item = { readonly place: string } & ({ readonly entry: unknown } | { readonly problem: string });

export interface NoteOptions {
  /** Namespace of all entries; undefined uses those of the file. */
  readonly namespace?: string | undefined;
  /** Makes each section of a Markdown text an entry. */
  readonly split?: 'headings' | undefined;
  readonly findings: Findings;
}

/** A Markdown text that becomes entries. */
interface Note {
  /** Below the folder; undefined for standard input. */
  readonly path: string | undefined;
  readonly text: string;
  readonly place: string;
  readonly modifiedMs?: number | undefined;
}

/** Settings for all notes of one product. */
export interface Kind {
  /** Namespace of notes without one. */
  readonly namespace?: string | undefined;
  readonly tags?: readonly string[];
  /** First fields of `sourceRef`. */
  readonly reference?: Readonly<Record<string, unknown>>;
  /** Front matter fields of the product, besides the common ones. */
  readonly fields?: ReadonlySet<string>;
  /** Additions from the fields of a note; `lead` is a line between heading and text. */
  readonly more?: (fields: JsonRecord) => Addition;
}
interface Addition {
  readonly title?: string | undefined;
  readonly lead?: string | undefined;
  /** When it was written, if the common front matter fields do not say. */
  readonly written?: unknown;
  readonly tags?: readonly string[];
  readonly reference?: Readonly<Record<string, unknown>>;
}

/** The entries of a note: one, or one for each section with `split`. Unreadable front matter makes the note a problem. */
export async function* noteItems({ path, text, place, modifiedMs }: Note, options: NoteOptions, kind: Kind = {}): AsyncGenerator<Item> {
  const { findings, split } = options;
  const parted = await splitFrontMatter(text);
  if (typeof parted === 'string') {
    yield { place, problem: parted };
    return;
  }
  if (parted.body.trim() === '') {
    findings.leaveOut('files without text', path ?? place);
    return;
  }
  findings.count('files');
  for (const field of Object.keys(parted.fields))
    if (!TAKEN.has(field) && kind.fields?.has(field) !== true) findings.leaveOut('front matter fields', field);
  const facts = factsOf(parted.fields, options);
  const added = kind.more?.(parted.fields) ?? {};
  const title = added.title ?? textOf(parted.fields['title'])?.trim();
  const { body } = parted;
  const createdAt =
    facts.createdAt ?? dateOf(added.written, findings) ?? (modifiedMs === undefined ? undefined : new Date(modifiedMs).toISOString());
  const entry = (content: string, own: string, where: object): EntryLine => ({
    ...facts,
    namespace: facts.namespace ?? (options.namespace === undefined ? kind.namespace : undefined),
    createdAt,
    content: withLead(content, added.lead),
    tags: tagsOf([...(kind.tags ?? []), ...(added.tags ?? []), ...frontTags(parted.fields), ...tagsIn(own)], findings),
    sourceRef: referenceOf({ ...kind.reference, path, title, ...added.reference, ...where }),
  });
  const heading = title ?? nameOf(path);
  if (split === undefined) {
    yield { place, entry: entry(titled(heading, body, title !== undefined), body, {}) };
    return;
  }
  for (const section of sectionsOf(body)) {
    if (section.isEmpty) continue;
    findings.count('sections');
    const line = parted.line + section.line - 1;
    const where = { heading: section.headings.join(' > '), line };
    yield { place: `${place}:${line}`, entry: entry(inContext(section, heading, title !== undefined), section.text, where) };
  }
}

/** The text with some front matter fields quoted: agents write them unquoted, and YAML reads `*.ts` and `a: b` as something else. */
export function withQuotedFields(text: string, names: readonly string[]): string {
  const front = /^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[0] ?? '';
  const bare = new RegExp(`^(${names.join('|')}):[ \\t]+(?!["'[|>])(\\S.*?)[ \\t]*\\r?$`, 'gm');
  return front.replace(bare, (_line, field: string, value: string) => `${field}: ${JSON.stringify(value)}`) + text.slice(front.length);
}

/** The text with a line under its heading, unless it already has that line. */
function withLead(content: string, lead: string | undefined): string {
  if (lead === undefined || content.includes(lead)) return content;
  const lines = content.split('\n');
  const headingLines = leadingHeading(content)?.lines ?? 0;
  const rest = lines
    .slice(headingLines)
    .join('\n')
    .replace(/^\s*\n/, '');
  return [...lines.slice(0, headingLines), ...(headingLines > 0 ? [''] : []), lead, '', rest].join('\n');
}

/** The name of a file as a title, if it is meaningful. */
function nameOf(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/(?<=.)\.[^.]*$/, '');
  return NAMELESS.test(name) ? undefined : name;
}

/** The text under its title, unless it already begins with it; any heading replaces a title that is the name of the file. */
function titled(title: string | undefined, body: string, isGiven: boolean): string {
  const text = body.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  const heading = leadingHeading(text)?.title;
  const saysIt = heading === title || (heading !== undefined && !isGiven);
  return title === undefined || saysIt ? text : `# ${title}\n\n${text}`;
}

/** A section of the second level needs the heading above it, or the title. */
function inContext(
  section: { readonly headings: readonly string[]; readonly text: string },
  title: string | undefined,
  isGiven: boolean,
): string {
  if (section.headings.length === 0) return titled(title, section.text, isGiven);
  const text = section.text.trimEnd();
  const above = section.headings.length > 1 ? section.headings[0] : leadingHeading(text)?.level === 1 ? undefined : title;
  return above === undefined || above === '' || NAMELESS.test(above) ? text : `# ${above}\n\n${text}`;
}

function factsOf(fields: JsonRecord, { namespace, findings }: NoteOptions): Omit<EntryLine, 'content'> {
  const value = (names: readonly string[]): unknown =>
    names.map((name) => fields[name]).find((found) => found !== undefined && found !== null);
  return {
    namespace: namespace === undefined ? textOf(value(FIELDS.namespace))?.trim() : undefined,
    container: textOf(value(FIELDS.container))?.trim(),
    priority: priorityOf(value(FIELDS.priority), findings),
    importance: importanceOf(value(FIELDS.importance), findings),
    createdAt: dateOf(value(FIELDS.createdAt), findings),
    updatedAt: dateOf(value(FIELDS.updatedAt), findings),
  };
}

/** A list, or words with commas or blanks between them. */
function frontTags(fields: JsonRecord): string[] {
  return FIELDS.tags.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' && !/[,;[]/.test(value) ? value.split(/\s+/) : textsOf(value);
  });
}
