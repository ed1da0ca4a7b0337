import { basename, extname, join } from 'node:path';
import { dateOf, referenceOf, tagsOf, textOf, textsOf } from '../../sources/readers/field-values.ts';
import { hasFrontMatter, splitFrontMatter } from '../../sources/readers/front-matter.ts';
import type { JsonRecord } from '../../sources/readers/json-record.ts';
import { tagsIn } from '../../sources/readers/markdown-text.ts';
import { entryLines } from './entry-lines.ts';
import type { EntryLine, Item } from '../../sources/readers/markdown-note.ts';
import type { Format, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { markdownFiles } from './markdown-folder.ts';
import { statementAbout } from './records.ts';

const STORE = 'basic-memory';
const FIELDS = new Set(['title', 'type', 'permalink', 'tags', 'created', 'modified', 'updated', 'date']);
const OBSERVATION = /^\s*[-*]\s+\[([^[\]()]+)\]\s+(\S.*)$/;
/** Not observations: `[x]` is a completed task, `[00:11]` a position in a recording. */
const NO_CATEGORY = /^(?:[xX]|[^\p{L}\p{N}]|\d{1,3}:\d{2}[\d:., -]*)$/u;
const RELATION = /^\s*[-*]\s+(?:"([^"]+)"|'([^']+)'|([^\s[\]]+))\s+\[\[([^\]]+)\]\]\s*(?:\((.*)\))?\s*$/;
const LINK = /^\s*[-*]\s+\[\[([^\]]+)\]\]\s*$/;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
const EMPTIED = /^#{1,6}\s+(?:observations|relations)\s*$/i;

/** Notes of Basic Memory: Markdown with front matter, observations `- [category] text #tag` and relations `- type [[Target]]`. */
export const basicMemory: Format = {
  name: STORE,
  readsFolders: true,
  unit: ['observation, relation or text', 'observations, relations and texts'],
  recognise: ({ shape, start, folder }) => {
    const starts = shape === 'folder' ? (folder?.starts ?? []).map(({ text }) => text) : shape === 'text' ? [start] : [];
    return starts.some(isNote)
      ? 'it has front matter with a permalink, and observations or relations, as notes of Basic Memory do'
      : undefined;
  },
  read: (input, options) => entryLines(itemsOf(input, options)),
};

function isNote(text: string): boolean {
  if (!hasFrontMatter(text) || !/^permalink:/m.test(text)) return false;
  return text.split('\n').some((line) => isObservation(line) || RELATION.test(line.trimEnd()));
}

function isObservation(line: string): boolean {
  const category = OBSERVATION.exec(line.trimEnd())?.[1];
  return category !== undefined && !NO_CATEGORY.test(category.trim());
}

async function* itemsOf(input: Input, options: ReadOptions): AsyncGenerator<Item> {
  if (input.shape !== 'folder') {
    const path = input.extension === '' ? undefined : basename(input.name);
    yield* noteItems({ path, place: input.name, text: await input.text() }, options);
    return;
  }
  for await (const file of markdownFiles(input.name, options.findings)) {
    const place = join(input.name, file.path);
    if ('problem' in file) yield { place, problem: file.problem };
    else yield* noteItems({ ...file, place }, options);
  }
}

interface Note {
  readonly path: string | undefined;
  readonly place: string;
  readonly text: string;
  readonly modifiedMs?: number;
}

async function* noteItems({ path, place, text, modifiedMs }: Note, { findings }: ReadOptions): AsyncGenerator<Item> {
  const parted = await splitFrontMatter(text);
  if (typeof parted === 'string') {
    yield { place, problem: parted };
    return;
  }
  findings.count('notes');
  const { fields } = parted;
  for (const field of Object.keys(fields)) if (!FIELDS.has(field)) findings.leaveOut('front matter fields', field);
  const title = textOf(fields['title'])?.trim() ?? (path === undefined ? undefined : basename(path, extname(path)));
  const type = textOf(fields['type'])?.trim();
  const times = timesOf(fields, modifiedMs, findings);
  const noteTags = [...textsOf(fields['tags']), ...(type === undefined || type === 'note' ? [] : [type])];
  const entry = (content: string, tags: readonly string[], where: JsonRecord): EntryLine => ({
    content,
    ...times,
    tags: tagsOf([...noteTags, ...tags], findings),
    sourceRef: referenceOf({ store: STORE, path, title, permalink: fields['permalink'], ...where }),
  });
  const { found, prose } = partBody(parted.body, parted.line);
  if (prose !== '') {
    findings.count('texts');
    const hasTitle = title === undefined || prose.startsWith('# ');
    yield { place, entry: entry(hasTitle ? prose : `# ${title}\n\n${prose}`, tagsIn(prose), {}) };
  }
  for (const { line, category, relation, content } of found) {
    findings.count(relation === undefined ? 'observations' : 'relations');
    const at = { place: `${place}:${line}` };
    if (relation === undefined) {
      yield {
        ...at,
        entry: entry(title === undefined ? content : statementAbout(title, content), [category, ...tagsIn(content)], { category, line }),
      };
    } else {
      yield { ...at, entry: entry(`${title ?? 'This'} ${content}`, [category], { relation, line }) };
    }
  }
}

function timesOf(
  fields: JsonRecord,
  modifiedMs: number | undefined,
  findings: ReadOptions['findings'],
): Pick<EntryLine, 'createdAt' | 'updatedAt'> {
  const createdAt =
    dateOf(fields['created'] ?? fields['date'], findings) ?? (modifiedMs === undefined ? undefined : new Date(modifiedMs).toISOString());
  return { createdAt, updatedAt: dateOf(fields['modified'] ?? fields['updated'], findings) };
}

interface Found {
  readonly line: number;
  /** Category of an observation; type of a relation. */
  readonly category: string;
  /** Target of a relation. */
  readonly relation?: string;
  readonly content: string;
}

/** Observations and relations by their line, and the text without them and without headings that became empty. */
function partBody(body: string, firstLine: number): { readonly found: readonly Found[]; readonly prose: string } {
  const found: Found[] = [];
  const prose: string[] = [];
  let inCode = false;
  for (const [at, raw] of body.split('\n').entries()) {
    const text = raw.trimEnd();
    if (FENCE.test(text)) inCode = !inCode;
    const item = inCode ? undefined : foundIn(text);
    if (item === undefined) prose.push(text);
    else found.push({ ...item, line: firstLine + at });
  }
  const kept = prose
    .filter((line) => !EMPTIED.test(line))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  const saysMore = kept.split('\n').some((line) => line.trim() !== '' && !/^#{1,6}\s/.test(line));
  return { found, prose: saysMore ? kept : '' };
}

function foundIn(text: string): Omit<Found, 'line'> | undefined {
  const [, category, content] = OBSERVATION.exec(text) ?? [];
  if (category !== undefined && content !== undefined && !NO_CATEGORY.test(category.trim())) return { category: category.trim(), content };
  const [, quoted, single, word, target, context] = RELATION.exec(text) ?? [];
  const type = quoted ?? single ?? word;
  const linked = target ?? LINK.exec(text)?.[1];
  if (linked === undefined) return undefined;
  const relation = linked.split('|')[0]?.trim() ?? linked;
  const words = (type ?? 'links to').replaceAll('_', ' ');
  return { category: type ?? 'links_to', relation, content: `${words} ${relation}${context === undefined ? '' : ` (${context})`}` };
}
