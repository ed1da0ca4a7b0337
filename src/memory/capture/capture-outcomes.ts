import { sentencesOf, sizeOf, type Sentence } from './capture-text.ts';
import type { Statement } from './capture-statements.ts';
import type { CaptureKind } from './capture-reasons.ts';
import { cuesOf } from './language-cues/languages.ts';
import type { LanguageCues } from './language-cues/language-cues.ts';

const LEAST_SIZE = 5;
const LONGEST_SENTENCE = 500;
const MOST_SENTENCES = 6;
/** Number of leading sentences considered after a fixed failure. */
const REMEDY_SENTENCES = 4;
const FIGURE = /(?<![\p{L}\d.])\d[\d.,]*(?![\p{L}\d])/gu;

/** Short-lived facts: running processes, unfinished work, task lists. */
const BRIEF =
  /\b(?:to-?do(?:s| list)?|task list|dev server|some logging|debug(?:ging)? (?:output|statements?|logs?)|in the background|still (?:there|failing|open|broken|fails)|without (?:any )?(?:errors|warnings|problems)|access to|(?:is|are|am) (?:not able|unable)|something else|my last (?:change|attempt|fix)|no changes were|paste|report back)\b|\bnow (?:complete|running|done|ready|contains?|working on|passing|green|clean)\b|^all (?:\S+ )?(?:tests|checks)\b|^the (?:problem|issue|error|bug) is (?:in|with|here|there|that i)\b|\bi don['’]t have\b/iu;

/**
 * Findings, decisions and results in an assistant's answer; at most six sentences, with their context: the cause before a remedy, the
 * action after it. Announcements, questions and guesses are left out. `tellsRemedy`: a failure was fixed just before, so the first
 * sentences count as the remedy. Linear.
 */
export function outcomesIn(text: string, { tellsRemedy = false } = {}): Statement[] {
  const language = cuesOf(text);
  const sentences = sentencesOf(text);
  const kinds = sentences.map(
    (sentence, at) =>
      kindOf(sentence, language) ?? (tellsRemedy && at < REMEDY_SENTENCES && mayTell(sentence, language) ? 'fix' : undefined),
  );
  const wanted = kinds.map((kind, at) => kind ?? besideFix({ sentences, kinds, at, language }));
  const found = sentences.flatMap(({ text: said, paragraph }, at) => {
    const kind = wanted[at];
    return kind === undefined ? [] : [{ kind, text: said, paragraph }];
  });
  return found.slice(0, MOST_SENTENCES);
}

function kindOf(sentence: Sentence, language: LanguageCues): CaptureKind | undefined {
  if (!mayTell(sentence, language)) return undefined;
  const said = sentence.text.replaceAll('’', "'");
  return language.findings.find(([, pattern]) => pattern.test(said))?.[0] ?? (isMeasured(said, language) ? 'outcome' : undefined);
}

/** Whether a sentence states something lasting, neither plan nor guess. */
function mayTell({ text }: Sentence, language: LanguageCues): boolean {
  const said = text.replaceAll('’', "'");
  return said.length <= LONGEST_SENTENCE && sizeOf(said) >= LEAST_SIZE && !language.plan.test(said) && !BRIEF.test(said);
}

/** Two figures in contrast: the effect of a change. */
const isMeasured = (said: string, language: LanguageCues): boolean => (said.match(FIGURE)?.length ?? 0) > 1 && language.contrast.test(said);

interface Place {
  readonly sentences: readonly Sentence[];
  readonly kinds: readonly (CaptureKind | undefined)[];
  readonly at: number;
  readonly language: LanguageCues;
}

/** A sentence next to a fix gives its cause or action. */
function besideFix({ sentences, kinds, at, language }: Place): CaptureKind | undefined {
  const sentence = sentences[at] as Sentence;
  if (!mayTell(sentence, language)) return undefined;
  const isBeside = [at - 1, at + 1].some((next) => kinds[next] === 'fix' && sentences[next]?.paragraph === sentence.paragraph);
  return isBeside ? 'fix' : undefined;
}
