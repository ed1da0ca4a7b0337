import type { Entry, ScoredEntry } from '../entry.ts';
import { summarize } from '../words/summary.ts';
import { redactPart } from './redaction.ts';

/** A text without its secrets. */
type Clean = (text: string) => string;

/** The entry as an agent may see it: no text of it holds a secret. */
export function redactEntry(entry: Entry, clean: Clean): Entry {
  const { content, summary, tags, sourceRef, entities } = entry;
  const cleaned = clean(content);
  // A summary may hold half of a secret, which has no form of its own.
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

/** The same of a result. Its passage may begin or end within a secret, so the whole text decides what is one. */
export function redactResult<T extends Found>(found: T, clean: Clean): T {
  const { entry, passage } = found;
  const whole = redactEntry(entry, clean);
  if (passage === undefined) return { ...found, entry: whole };
  const isSame = whole.content === entry.content;
  return { ...found, entry: whole, passage: isSame ? passage : { ...passage, text: redactPart(entry.content, passage) } };
}

/** Every text anywhere in a value, changed. */
export function withTexts(value: Readonly<Record<string, unknown>>, change: (text: string) => string): Record<string, unknown> {
  const each = (_name: string, part: unknown): unknown => (typeof part === 'string' ? change(part) : part);
  return JSON.parse(JSON.stringify(value), each) as Record<string, unknown>;
}
