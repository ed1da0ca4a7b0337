import { Dialog } from '../../memory/capture/capture-dialog.ts';
import type { Edit } from '../../memory/capture/edited-values.ts';
import type { SeenEntries } from '../recall/context.ts';
import type { CapturedFact, UncapturedPrompt } from './replaced-facts.ts';
import type { CaptureRequest } from '../../memory/operations/capture-operations.ts';
import { HOUR_MS } from '../../memory/durations.ts';

const MAX_SESSIONS = 200;
const MAX_SEEN = 2000;
const MAX_FAILURES = 20;
const MAX_STEPS = 200;
const MAX_CHANGED = 500;
/** Number of steps that an entry names. */
const SHOWN_STEPS = 4;
/** Entries that one session may make in an hour. A session that makes more is probably a loop. */
const KEPT_PER_HOUR = 40;
/** Beyond that limit only corrections are kept: without them the old fact would stay. */
const CORRECTED_PER_HOUR = 80;
/** Shown entries that are remembered for each session. */
const MAX_SHOWN = 1000;
/** Prompts before which an entry that is not the best answer is shown. */
const MAX_REPEATS = 4;

/** A command that failed. */
interface Failure {
  readonly command: string;
  readonly error: string;
}

/** The state of one session that affects later decisions. */
export class SessionMemory implements SeenEntries {
  readonly dialog = new Dialog();
  /** Statements captured from the current turn of the person. */
  said: CapturedFact[] = [];
  /** The edits of the current turn. */
  edits: Edit[] = [];
  /** The prompt of the current turn, if nothing of it was captured. */
  unkept: UncapturedPrompt | undefined;
  readonly #seen = new Set<string>();
  readonly #failures = new Map<string, Failure & { readonly step: number }>();
  readonly #steps: string[] = [];
  /** Entry id -> prompts before which it was shown; empty if at the start of the session. */
  readonly #shown = new Map<string, Set<string>>();
  #dropped = 0;
  #isCorrected = false;
  #isAnswered = false;
  #keptAt: number[] = [];

  /** Marks this as seen; true if it is new. */
  isNew(key: string): boolean {
    if (this.#seen.has(key)) return false;
    if (this.#seen.size >= MAX_SEEN) this.#seen.clear();
    this.#seen.add(key);
    return true;
  }

  /** Words that edits added since the last prompt. */
  readonly changed = new Set<string>();

  addChanged(words: readonly string[]): void {
    for (const word of words) if (this.changed.size < MAX_CHANGED) this.changed.add(word);
  }

  beginTurn(): void {
    this.said = [];
    this.#isAnswered = false;
    this.edits = [];
    this.unkept = undefined;
  }

  /** Records a prompt that an edit showed to change a fact. */
  noteChanging(fact: CapturedFact): void {
    this.said = [fact];
    this.unkept = undefined;
    this.dialog.close();
  }

  /** Records a step that may fix a failure. */
  addStep(step: string): void {
    if (this.#steps.at(-1) === step) return;
    this.#steps.push(step);
    if (this.#steps.length <= MAX_STEPS) return;
    this.#steps.shift();
    this.#dropped += 1;
  }

  noteFailure(failure: Failure): void {
    const [oldest] = this.#failures.keys();
    if (this.#failures.size >= MAX_FAILURES && oldest !== undefined) this.#failures.delete(oldest);
    // A command that fails again fails for the same or a later reason: the latest is the one that gets fixed.
    this.#failures.set(failure.command, { ...failure, step: this.#dropped + this.#steps.length });
  }

  /** The earlier failure of a command that now succeeded; undefined if it had not failed. */
  takeFailure(command: string): (Failure & { readonly step: number }) | undefined {
    const failure = this.#failures.get(command);
    this.#failures.delete(command);
    return failure;
  }

  /** Records a fixed failure, which the next answer explains. */
  noteMended(): void {
    this.#isCorrected = true;
  }

  /** Whether this is the first answer to a turn; later ones are not. */
  isFirstAnswer(): boolean {
    const isFirst = !this.#isAnswered;
    this.#isAnswered = true;
    return isFirst;
  }

  /** Whether a failure was fixed since the last answer or prompt. */
  takeMended(): boolean {
    const isCorrected = this.#isCorrected;
    this.#isCorrected = false;
    return isCorrected;
  }

  /** The latest distinct steps since a failure. */
  stepsSince(failure: { readonly step: number } | undefined): string[] {
    if (failure === undefined) return [];
    return [...new Set(this.#steps.slice(Math.max(0, failure.step - this.#dropped)))].slice(-SHOWN_STEPS);
  }

  /** Whether the rate limit allows another entry. */
  mayKeep(at: number, corrects: boolean): boolean {
    this.#keptAt = this.#keptAt.filter((earlier) => Math.abs(at - earlier) < HOUR_MS);
    return this.#keptAt.length < (corrects ? CORRECTED_PER_HOUR : KEPT_PER_HOUR);
  }

  noteKept(at: number): void {
    this.#keptAt.push(at);
  }

  /**
   * Whether to show this entry before a prompt: never twice for one prompt, before at most four prompts, and then only as the best answer
   * (`isBest`). Entries from the start of the session may be shown again. Without a prompt: whether it was not shown at all.
   */
  mayShow(id: string, { prompt, isBest }: { prompt: string | undefined; isBest: boolean }): boolean {
    const told = this.#shown.get(id);
    if (told === undefined || prompt === undefined) return told === undefined;
    return !told.has(prompt) && (isBest || told.size < MAX_REPEATS);
  }

  noteShown(id: string, prompt: string | undefined): void {
    if (this.#shown.size > MAX_SHOWN) this.#shown.clear();
    const told = this.#shown.get(id) ?? new Set<string>();
    if (prompt !== undefined) told.add(prompt);
    this.#shown.set(id, told);
  }

  /** Forgets shown entries, after the model has lost them. */
  forgetTold(): void {
    this.#shown.clear();
  }
}

/** The most recently active sessions. */
export class CaptureSessions {
  readonly #sessions = new Map<string, SessionMemory>();

  of({ client, session }: Pick<CaptureRequest, 'client' | 'session'>): SessionMemory {
    const key = `${client}\n${session}`;
    const memory = this.#sessions.get(key) ?? new SessionMemory();
    this.#sessions.delete(key);
    this.#sessions.set(key, memory);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return memory;
  }
}
