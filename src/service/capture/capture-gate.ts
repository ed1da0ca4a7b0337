import { createHash } from 'node:crypto';
import {
  commandName,
  editedFiles,
  errorIn,
  fixOf,
  isReadOnlyCommand,
  isRemedy,
  lastingOutcome,
  looksFailed,
  toolKind,
} from '../../memory/capture/capture-commands.ts';
import { noiseIn } from '../../memory/capture/capture-noise.ts';
import type { CaptureRequest } from '../../memory/operations/capture-operations.ts';
import { outcomesIn } from '../../memory/capture/capture-outcomes.ts';
import type { CaptureKind, Refusal } from '../../memory/capture/capture-reasons.ts';
import type { Dialog } from '../../memory/capture/capture-dialog.ts';
import { statementsOfTurn } from '../../memory/capture/capture-turn.ts';
import { statementsIn, type Statement } from '../../memory/capture/capture-statements.ts';
import { cutText, plainText, sentencesOf, sizeOf, withoutEnvelopes } from '../../memory/capture/capture-text.ts';
import { mayContainSecret } from '../../memory/secrets/possible-secrets.ts';
import { tokenize } from '../../memory/words/tokens.ts';
import type { CaptureSessions, SessionMemory } from './capture-sessions.ts';

/** The settings `capture.*` that decide what is kept. */
export interface CaptureRules {
  readonly minOutputLength: number;
  readonly ignoredTools: readonly string[];
  readonly maxContentLength: number;
}

/** A text that may become an entry. */
export interface Candidate {
  readonly kind: CaptureKind;
  readonly text: string;
}

/** The result for an event: texts that may be kept, or the reason why there is none. */
type Judgement = { readonly candidates: readonly Candidate[] } | { readonly refused: Refusal };

/** Prompts are short and intentional, so less is required. */
const LEAST_PROMPT_CHARS = 8;
const MOST_STATEMENTS = 5;
/** A longer statement is too long for an entry: it is the beginning of an output. */
const MOST_OUTPUT_STATEMENTS = 2;
const KIND_ORDER: readonly CaptureKind[] = ['fix', 'decision', 'outcome', 'fact', 'preference'];
const REDACTED = /\[redacted: [a-z-]+\]/;
/** In words, after secrets are removed. */
const LEAST_REST = 3;
/** In words, for one sentence. */
const LEAST_CLAUSES = 7;
const CLAUSE_BORDER = /[,;]\s+|\s+[–—/|-]\s+|[，；：]/u;
/** Steps of a session have short names; a longer command is left out rather than cut. */
const LONGEST_STEP = 200;
const MOST_ADDED = 400;

interface Parts {
  readonly rules: CaptureRules;
  readonly sessions: CaptureSessions;
  /** Whether Lore itself returned this text. */
  readonly isOwn: (text: string) => boolean;
}

/** Decides what to keep from an event, based on the earlier events of its session, and remembers the event. */
export class CaptureGate {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  #ignores(tool: string): boolean {
    return this.#parts.rules.ignoredTools.some((ignored) => ignored.toLowerCase() === tool.toLowerCase());
  }

  judge(event: CaptureRequest): Judgement {
    if (event.oversized === true) return { refused: 'too large' };
    if (event.tool !== undefined && this.#ignores(event.tool)) return { refused: 'ignored tool' };
    const session = this.#parts.sessions.of(event);
    const again = isRepeated(event, session);
    if (again && event.event !== 'tool') return { refused: 'repeated' };
    const judgement = event.event === 'tool' ? this.#ofTool(event, session) : this.#ofWords(event, session);
    // The same command with the same output may prove that a later failure is fixed.
    if (again && !('candidates' in judgement && judgement.candidates.some(({ kind }) => kind === 'fix'))) return { refused: 'repeated' };
    return 'refused' in judgement ? judgement : this.#fit(judgement.candidates, event.event === 'tool' ? undefined : event.text);
  }

  /** The text of a person or an assistant, without text added by programs and without noise. */
  wordsIn(raw: string): string {
    return withoutNoise(withoutEnvelopes(plainText(raw))).words;
  }

  /**
   * The combined text of several turns as a candidate entry; undefined if it repeats Lore's own output (not checked with `isKept`), or is
   * only a secret.
   */
  fitting({ kind, text }: Candidate, { isKept }: { readonly isKept: boolean }): Candidate | undefined {
    if (!isKept && this.#parts.isOwn(text)) return undefined;
    const judgement = this.#fit([{ kind, text }], text);
    return 'candidates' in judgement ? judgement.candidates[0] : undefined;
  }

  /** What a person or an assistant said. */
  #ofWords({ event, text: raw = '' }: CaptureRequest, session: SessionMemory): Judgement {
    const { dialog } = session;
    const said = plainText(raw);
    const isPrompt = event === 'prompt';
    const settled = isPrompt ? undefined : dialog.settledBy(said, session.changed);
    // A short question is not captured, but it gives the subject of its answer.
    if (!isPrompt) dialog.noteAnswer(said);
    if (settled !== undefined) return { candidates: [{ kind: 'decision', text: settled }] };
    const isAnswer = isPrompt && dialog.answer !== undefined;
    const least = isPrompt ? LEAST_PROMPT_CHARS : this.#parts.rules.minOutputLength;
    if (said.length < least && !isAnswer) return { refused: 'too short' };
    const text = withoutEnvelopes(said);
    if (text === '') return { refused: 'boilerplate' };
    const { words, noise } = withoutNoise(text);
    if (words === '') return { refused: noise ?? 'nothing to keep' };
    const found = isPrompt ? statementsOfSession(words, dialog) : outcomesIn(words, { tellsRemedy: session.takeMended() });
    if (isPrompt) {
      dialog.notePrompt(words, { isKept: found.length > 0 });
      session.changed.clear();
      session.takeMended();
    }
    if (found.length === 0) return { refused: noise ?? (REDACTED.test(words) ? 'secret only' : 'nothing to keep') };
    const own = found.filter((each) => !this.#parts.isOwn(each.text));
    if (own.length === 0) return { refused: 'own output' };
    return { candidates: isPrompt ? own : [joined(own)] };
  }

  #ofTool(event: CaptureRequest, session: SessionMemory): Judgement {
    const { tool = '', input = '', output = '' } = event;
    switch (toolKind(tool, input)) {
      case 'own':
        return { refused: 'own output' };
      case 'edit':
        // An edit that failed fixed nothing.
        if (event.failed !== true) {
          for (const file of editedFiles(input)) session.addStep(`editing ${file}`);
          session.addChanged(addedWords(input.includes('\n') ? input : output));
        }
        return { refused: 'file dump' };
      case 'shell':
        return this.#ofCommand(event, session);
      case 'other':
        return this.#ofOutput(output);
    }
  }

  #ofCommand({ input = '', output = '', failed }: CaptureRequest, session: SessionMemory): Judgement {
    const command = commandName(input);
    const hasFailed = failed ?? looksFailed(output);
    if (hasFailed) {
      const error = isReadOnlyCommand(command) ? undefined : errorIn(output);
      if (error !== undefined) session.noteFailure({ command, error });
      return { refused: this.#whyNot(output) };
    }
    const failure = session.takeFailure(command);
    const steps = session.stepsSince(failure);
    if (failure !== undefined && steps.length > 0) session.noteMended();
    if (failure !== undefined && steps.length > 0 && isRemedy(failure, steps))
      return { candidates: [{ kind: 'fix', text: fixOf(failure, steps) }] };
    const outcome = lastingOutcome(input, output);
    if (!isReadOnlyCommand(command) && command !== '')
      session.addStep(command.length > LONGEST_STEP ? 'a longer command' : `\`${command}\``);
    return outcome === undefined ? { refused: this.#whyNot(output) } : { candidates: [{ kind: 'outcome', text: outcome }] };
  }

  /** The output of another tool, kept only if it states a decision explicitly. */
  #ofOutput(output: string): Judgement {
    const text = plainText(output);
    if (text.length < this.#parts.rules.minOutputLength) return { refused: 'too short' };
    const noise = noiseIn(text);
    if (noise !== undefined) return { refused: noise };
    const found = statementsIn(text).filter(({ kind }) => kind === 'decision');
    if (found.length === 0 || found.length > MOST_OUTPUT_STATEMENTS) return { refused: 'nothing to keep' };
    const own = found.filter((each) => !this.#parts.isOwn(each.text));
    return own.length === 0 ? { refused: 'own output' } : { candidates: own };
  }

  #whyNot(output: string): Refusal {
    const text = plainText(output);
    if (text.length < this.#parts.rules.minOutputLength) return 'too short';
    return noiseIn(text) ?? 'nothing to keep';
  }

  /**
   * The statements of suitable length, without those that lost a secret or may contain one. `said`: the words they were taken from, unless
   * a tool returned them.
   */
  #fit(candidates: readonly Candidate[], said: string | undefined): Judgement {
    const { maxContentLength } = this.#parts.rules;
    const telling = candidates.flatMap((candidate) => withoutSecrets(candidate, said));
    if (telling.length === 0) return { refused: 'secret only' };
    return { candidates: telling.map(({ kind, text }) => ({ kind, text: cutText(text, maxContentLength) })) };
  }
}

/** The statements of a person, completed from the conversation before where they make no sense alone. */
function statementsOfSession(words: string, dialog: Dialog): readonly Statement[] {
  const choice = dialog.choiceFor(words);
  const agreed = choice === undefined ? dialog.agreedBy(words) : undefined;
  const found = (agreed === undefined ? statementsOfTurn(words, { answer: dialog.answer, choice }) : statementsIn(words)).slice(
    0,
    MOST_STATEMENTS,
  );
  const completed = found.map((statement) => ({ ...statement, text: dialog.completed(statement.text) }));
  return agreed === undefined ? completed : [{ kind: 'decision', text: agreed, paragraph: -1 }, ...completed];
}

function isRepeated({ event, tool, input, output, text }: CaptureRequest, session: SessionMemory): boolean {
  const words = [event, tool, input, output, text].map((part) => (part ?? '').replaceAll(/\s+/g, ' ').trim()).join('\n');
  return !session.isNew(createHash('sha256').update(words).digest('base64url'));
}

/** The paragraphs that are not noise, and the kind of the others. */
function withoutNoise(text: string): { readonly words: string; readonly noise: Refusal | undefined } {
  const whole = noiseIn(text);
  if (whole === 'boilerplate') return { words: '', noise: whole };
  let noise: Refusal | undefined = whole;
  const words = text.split(/\n{2,}/).filter((block) => {
    const found = noiseIn(block);
    noise ??= found;
    return found === undefined;
  });
  return { words: words.join('\n\n'), noise };
}

/** Sentences of one answer become one entry, with the most specific of their kinds. */
function joined(statements: readonly (Candidate & { readonly paragraph: number })[]): Candidate {
  const kinds = new Set(statements.map(({ kind }) => kind));
  const text = statements.map((each, at) => `${at === 0 ? '' : each.paragraph === statements[at - 1]?.paragraph ? ' ' : '\n'}${each.text}`);
  return { kind: KIND_ORDER.find((kind) => kinds.has(kind)) ?? 'outcome', text: text.join('') };
}

/**
 * A clause with a redacted value is useless, and a command incomplete: neither is captured. A clause that may still contain a secret
 * is not kept either.
 */
function withoutSecrets({ kind, text }: Candidate, said: string | undefined): Candidate[] {
  const holdsSecret = (passage: string): boolean => REDACTED.test(passage) || (said !== undefined && mayContainSecret(passage, said));
  if (!holdsSecret(text)) return [{ kind, text }];
  if (said === undefined) return [];
  const lines = text.split('\n').map((line) =>
    sentencesIn(line)
      .flatMap((sentence) => {
        if (!holdsSecret(sentence)) return [sentence];
        const rest = sentence.split(CLAUSE_BORDER).filter((clause) => !holdsSecret(clause));
        return sizeOf(rest.join(' ')) < LEAST_CLAUSES ? [] : [rest.join(', ')];
      })
      .join(' '),
  );
  const rest = lines.filter((line) => line !== '').join('\n');
  return sizeOf(rest) < LEAST_REST ? [] : [{ kind, text: rest }];
}

/** The words of the lines that a patch adds. */
const addedWords = (patch: string): string[] =>
  patch.split('\n').flatMap((line) => (line.startsWith('+') ? tokenize(line.slice(1, MOST_ADDED)) : []));

const sentencesIn = (line: string): string[] => sentencesOf(line).map(({ text }) => text);
