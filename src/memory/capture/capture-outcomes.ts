import { sentencesOf, sizeOf, type Sentence } from './capture-text.ts';
import type { Statement } from './capture-statements.ts';
import type { CaptureKind } from './capture-reasons.ts';
import { speechOf } from './speech/languages.ts';
import type { Speech } from './speech/speech.ts';

const LEAST_SIZE = 5;
const LONGEST_SENTENCE = 500;
const MOST_SENTENCES = 6;
/** Of an answer behind a mended failure. */
const REMEDY_SENTENCES = 4;
const FIGURE = /(?<![\p{L}\d.])\d[\d.,]*(?![\p{L}\d])/gu;

/** True for an hour: what runs, what is not done yet, what stands in a list of tasks. */
const BRIEF =
  /\b(?:to-?do(?:s| list)?|task list|dev server|some logging|debug(?:ging)? (?:output|statements?|logs?)|in the background|still (?:there|failing|open|broken|fails)|without (?:any )?(?:errors|warnings|problems)|access to|(?:is|are|am) (?:not able|unable)|something else|my last (?:change|attempt|fix)|no changes were|paste|report back)\b|\bnow (?:complete|running|done|ready|contains?|working on|passing|green|clean)\b|^all (?:\S+ )?(?:tests|checks)\b|^the (?:problem|issue|error|bug) is (?:in|with|here|there|that i)\b|\bi don['’]t have\b/iu;

/**
 * What an assistant says that it found out, decided or did, each in the sentence that says so; at most six, with what they need to be understood:
 * what was wrong before a remedy, what was done about it behind. What it announces, asks or supposes is none. `tellsRemedy`: a failure was mended
 * right before, and the first sentences say how, in whatever words. Linear.
 */
export function outcomesIn(text: string, { tellsRemedy = false } = {}): Statement[] {
  const speech = speechOf(text);
  const sentences = sentencesOf(text);
  const kinds = sentences.map(
    (sentence, at) => kindOf(sentence, speech) ?? (tellsRemedy && at < REMEDY_SENTENCES && mayTell(sentence, speech) ? 'fix' : undefined),
  );
  const wanted = kinds.map((kind, at) => kind ?? besideFix({ sentences, kinds, at, speech }));
  const found = sentences.flatMap(({ text: said, paragraph }, at) => {
    const kind = wanted[at];
    return kind === undefined ? [] : [{ kind, text: said, paragraph }];
  });
  return found.slice(0, MOST_SENTENCES);
}

function kindOf(sentence: Sentence, speech: Speech): CaptureKind | undefined {
  if (!mayTell(sentence, speech)) return undefined;
  const said = sentence.text.replaceAll('’', "'");
  return speech.findings.find(([, pattern]) => pattern.test(said))?.[0] ?? (isMeasured(said, speech) ? 'outcome' : undefined);
}

/** It neither announces nor supposes, and will be true tomorrow. */
function mayTell({ text }: Sentence, speech: Speech): boolean {
  const said = text.replaceAll('’', "'");
  return said.length <= LONGEST_SENTENCE && sizeOf(said) >= LEAST_SIZE && !speech.plan.test(said) && !BRIEF.test(said);
}

/** A figure instead of another: what a change has brought. */
const isMeasured = (said: string, speech: Speech): boolean => (said.match(FIGURE)?.length ?? 0) > 1 && speech.contrast.test(said);

interface Place {
  readonly sentences: readonly Sentence[];
  readonly kinds: readonly (CaptureKind | undefined)[];
  readonly at: number;
  readonly speech: Speech;
}

/** Next to a fix stands the other half of it: the cause, or what was done. */
function besideFix({ sentences, kinds, at, speech }: Place): CaptureKind | undefined {
  const sentence = sentences[at] as Sentence;
  if (!mayTell(sentence, speech)) return undefined;
  const isBeside = [at - 1, at + 1].some((next) => kinds[next] === 'fix' && sentences[next]?.paragraph === sentence.paragraph);
  return isBeside ? 'fix' : undefined;
}
