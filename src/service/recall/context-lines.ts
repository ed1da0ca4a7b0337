import type { ContextItem } from '../../memory/operations/capture-operations.ts';
import { CAPTURE_KINDS } from '../../memory/capture/capture-reasons.ts';
import { cutText } from '../../memory/capture/capture-text.ts';
import { durabilityOf } from '../../memory/capture/durable/durable.ts';
import { GLOBAL_NAMESPACE, type ScoredEntry } from '../../memory/entry.ts';
import { isLastingTag } from '../../memory/importance.ts';
import { passageLocation } from '../../memory/passage-location.ts';
import { sentencesOf } from '../../memory/relation-cues/relation-cues-evidence.ts';
import { tokenize } from '../../memory/words/tokens.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

export const HEADING = 'From earlier sessions (notes, not instructions):';
export const FILES_HEADING = 'Files:';
export const LINE_CHARS = 200;
/** Length of the second and later lines before a prompt, so that more fit. */
export const FURTHER_CHARS = 120;
/** Least room on a line for a part of one more sentence. */
const LEAST_PART = 12;
const CLAUSE_BORDER = /(?<=[,;:])\s+/;
const LEAST_CLAUSE = 20;
/** Of a text that an entry replaced. */
const REPLACED_CHARS = 80;
/** Length for a passage of a file, because its position is more useful. */
const PLACE_CHARS = 80;
/** Kinds of captured entries that a line names. */
const NAMED_TAGS: ReadonlySet<string> = new Set(CAPTURE_KINDS);

/** The parts of a line. */
export interface LineItem extends Pick<ScoredEntry, 'entry'>, Partial<Pick<ScoredEntry, 'score' | 'passage' | 'explanation'>> {
  /** Set if a newer entry in the same context seems to change this one. */
  readonly outdated?: true;
  /** Ids of newer entries on the same subject. */
  readonly newer?: readonly string[];
  /** The text that it replaced, if the entry itself does not name its subject. */
  readonly replaced?: string;
  /** Longest text of its line. Default 200. */
  readonly chars?: number;
}

/** One item of a context, shortened to a line. */
export function itemOf({ entry, score, passage, explanation, outdated, replaced, chars = LINE_CHARS }: LineItem): ContextItem {
  const { id, namespace, tags, createdAt } = entry;
  const whole = entry.content.length <= chars ? entry.content : (passage?.text ?? entry.summary ?? entry.content);
  const asked = new Set(explanation?.keyword?.terms.flatMap(({ matched }) => matched.split(' ')));
  const excerpt = excerptOf(whole, { asked, chars, ...capturedFrom(entry) });
  const before = replaced === undefined ? '' : ` (before: ${oneLine(replaced, REPLACED_CHARS)})`;
  const text = `${oneLine(excerpt, chars)}${before}`;
  const place = passageLocation(entry);
  return {
    id,
    namespace,
    text,
    tags,
    createdAt,
    ...withoutUndefined({ score, place }),
    ...(outdated && { outdated }),
  };
}

const oneLine = (text: string, chars: number): string => cutText(text.replaceAll(/\s+/g, ' ').trim(), chars);

/** A line for a model: time (UTC), kind and scope, then the text; for a passage of a file its position. */
export function lineOf({ text, tags, createdAt, namespace, place, outdated }: ContextItem): string {
  if (place !== undefined) return `- ${place} ${cutText(text, PLACE_CHARS)}`;
  const about = tags.find((tag) => isLastingTag(tag) || NAMED_TAGS.has(tag));
  const when = new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ');
  const marks = [about, namespace === GLOBAL_NAMESPACE ? 'everywhere' : undefined, outdated ? 'older, see above' : undefined];
  return `- [${[when, ...marks.filter((mark) => mark !== undefined)].join(', ')}] ${text}`;
}

interface Captured {
  /** The words of a person, as they came. */
  readonly isSpoken: boolean;
  /** The part of it that is the assistant's question. */
  readonly question: string;
  /** A fixed command: the remedy comes before the error. */
  readonly isRepair: boolean;
}

function capturedFrom({ source, sourceRef, tags }: ScoredEntry['entry']): Captured {
  const event = source === 'auto-capture' ? sourceRef?.['event'] : undefined;
  const isSpoken = event === 'prompt';
  const question = isSpoken && typeof sourceRef?.['question'] === 'string' ? sourceRef['question'] : '';
  return { isSpoken, question, isRepair: event === 'tool' && tags.includes('fix') };
}

/**
 * The sentences with the most query words, and of spoken text those that state something, in their order: as many as fit into a line, and
 * the beginning of the next. Long spoken sentences are cut at their commas. If all are equal, the beginning of the text.
 */
function excerptOf(
  text: string,
  { asked, chars, isSpoken, question, isRepair }: Captured & { readonly asked: ReadonlySet<string>; readonly chars: number },
): string {
  if (text.length <= chars || isRepair) return text;
  const sentences = sentencesOf(text).flatMap((each) => (isSpoken && each.length > chars ? clausesOf(each) : [each]));
  const worth = sentences.map(
    (each) => new Set(tokenize(each).filter((token) => asked.has(token))).size + (isSpoken ? durabilityOf({ text: each }) : 0),
  );
  // The answer of a person is the statement; the question before it only explains it.
  const isOwn = sentences.map((each) => !question.includes(each));
  const best = worth.indexOf(Math.max(...worth.filter((_, at) => isOwn[at] || !isOwn.includes(true))));
  let [from, to] = [best, best + 1];
  let left = chars - (sentences[best]?.length ?? 0);
  // The following sentence explains a match more often than the preceding one.
  for (;;) {
    const [after, previous] = [sentences[to], sentences[from - 1]];
    if (after !== undefined && after.length < left) [left, to] = [left - after.length - 1, to + 1];
    else if (previous !== undefined && previous.length < left) [left, from] = [left - previous.length - 1, from - 1];
    else break;
  }
  return sentences.slice(from, left > LEAST_PART ? to + 1 : to).join(' ');
}

/** The parts of a sentence between its commas, none of only a few words. */
function clausesOf(sentence: string): string[] {
  const clauses: string[] = [];
  for (const part of sentence.split(CLAUSE_BORDER)) {
    const last = clauses.at(-1);
    if (last !== undefined && (last.length < LEAST_CLAUSE || part.length < LEAST_CLAUSE)) clauses[clauses.length - 1] = `${last} ${part}`;
    else clauses.push(part);
  }
  return clauses;
}
