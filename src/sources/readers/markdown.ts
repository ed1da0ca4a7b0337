import type { SourcePassage } from '../../memory/operations/source-operations.ts';
import { dateOf, tagsOf, textOf, textsOf } from './field-values.ts';
import { Findings } from './findings.ts';
import { splitFrontMatter } from './front-matter.ts';
import type { JsonRecord } from './json-record.ts';
import { tagsIn } from './markdown-text.ts';
import { MEGABYTE, type Reader } from './reader.ts';
import { decodeText } from './text-decoding.ts';
import { markdownPassages } from './text-passages.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const TAG_FIELDS = ['tags', 'tag', 'keywords'] as const;
const DATE_FIELDS = ['date', 'created', 'createdAt', 'created_at'] as const;
const TAKEN: ReadonlySet<string> = new Set(['title', ...TAG_FIELDS, ...DATE_FIELDS]);

/** Reads Markdown, with or without front matter: passages stay within a section and begin with the headings above it. */
export const markdownReader: Reader = {
  name: 'markdown',
  maxBytes: 12 * MEGABYTE,
  isolatedFrom: MEGABYTE,
  read: async ({ bytes, name }, options) => {
    const { text, note } = decodeText(bytes, name);
    const findings = new Findings();
    const parted = await splitFrontMatter(text);
    // Text may begin with dashes without having front matter: read it as text.
    const { fields, body, line } = typeof parted === 'string' ? { fields: {}, body: text, line: 1 } : parted;
    for (const field of Object.keys(fields)) if (!TAKEN.has(field)) findings.leaveOut('front matter fields', field);
    const passages = markdownPassages(body, options, { firstLine: line, title: textOf(fields['title'])?.trim() });
    const facts = { ...factsOf(fields, findings), inText: new Set(tagsIn(body)) };
    return {
      format: 'markdown',
      documents: [{ passages: passages.map((passage) => withFacts(passage, facts, findings)) }],
      found: {},
      leftOut: findings.leftOut,
      notes: [note, typeof parted === 'string' ? `${parted}; it was read as text` : undefined].filter((each) => each !== undefined),
    };
  },
};

interface Facts {
  readonly tags: readonly string[];
  readonly createdAt: string | undefined;
  /** Tags in the whole text; a passage may begin within code and seem to contain others. */
  readonly inText: ReadonlySet<string>;
}

function factsOf(fields: JsonRecord, findings: Findings): Omit<Facts, 'inText'> {
  const date = DATE_FIELDS.map((field) => fields[field]).find((value) => value !== undefined && value !== null);
  return { tags: TAG_FIELDS.flatMap((field) => words(fields[field])), createdAt: dateOf(date, findings) };
}

/** Splits a list, or words separated by commas or blanks. */
const words = (value: unknown): string[] => (typeof value === 'string' && !/[,;[]/.test(value) ? value.split(/\s+/) : textsOf(value));

/** Adds the facts of the front matter and the passage's own `#tags`. */
function withFacts(passage: SourcePassage, { tags, createdAt, inText }: Facts, findings: Findings): SourcePassage {
  const all = tagsOf([...tags, ...tagsIn(passage.content).filter((tag) => inText.has(tag))], findings);
  return { ...passage, ...withoutUndefined({ tags: all, createdAt }) };
}
