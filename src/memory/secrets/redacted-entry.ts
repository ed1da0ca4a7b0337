import type { Entry, ScoredEntry } from '../entry.ts';
import { summarize } from '../words/summary.ts';
import { redactPart } from './redaction.ts';

/** Redacts the secrets in a text. */
type Clean = (text: string) => string;

/** Redacts all texts of an entry. */
export function redactEntry(entry: Entry, clean: Clean): Entry {
  const { content, summary, tags, sourceRef, entities } = entry;
  const cleaned = clean(content);
  // A summary may contain part of a secret, which no rule recognizes: summarize the redacted text again.
  const short = summary === undefined || cleaned === content ? summary : summarize(cleaned);
  const { summary: _, ...rest } = entry;
  return {
    ...rest,
    content: cleaned,
    ...(short !== undefined && { summary: clean(short) }),
    tags: tags.map(clean),
    ...(sourceRef !== undefined && { sourceRef: withTexts(sourceRef, clean) }),
    ...(entities !== undefined && { entities: entities.map(clean) }),
  };
}

type Found = Pick<ScoredEntry, 'entry'> & Partial<Pick<ScoredEntry, 'passage'>>;

/** Redacts a search result. Its passage may begin or end within a secret, so secrets are searched in the whole text. */
export function redactResult<T extends Found>(found: T, clean: Clean): T {
  const { entry, passage } = found;
  const whole = redactEntry(entry, clean);
  if (passage === undefined) return { ...found, entry: whole };
  const isSame = whole.content === entry.content;
  return { ...found, entry: whole, passage: isSame ? passage : { ...passage, text: redactPart(entry.content, passage) } };
}

/** Applies `change` to every string in a JSON value. */
export function withTexts(value: Readonly<Record<string, unknown>>, change: (text: string) => string): Record<string, unknown> {
  const each = (_name: string, part: unknown): unknown => (typeof part === 'string' ? change(part) : part);
  return JSON.parse(JSON.stringify(value), each) as Record<string, unknown>;
}
