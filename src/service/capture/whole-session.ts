import { randomUUID } from 'node:crypto';
import type { Clock } from '../../memory/clock.ts';
import { corrects } from '../../memory/capture/capture-statements.ts';
import { statementsOfSession, type SessionStatement, type SessionStatements, type Turn } from '../../memory/capture/capture-session.ts';
import type { Entry } from '../../memory/entry.ts';
import { isPending } from '../../memory/pending.ts';
import { bareWords } from '../../memory/words/shingles.ts';
import type { Store } from '../../store/store.ts';
import type { Secrets } from '../secrets.ts';
import type { WriteLimiter } from '../write-limiter.ts';
import type { Candidate, CaptureGate } from './capture-gate.ts';
import type { CaptureSessions } from './capture-sessions.ts';
import type { CaptureState, Verdict } from './capture-state.ts';
import type { CaptureStoring } from './capture-storing.ts';
import type { SpooledEvent } from '../../memory/operations/capture-operations.ts';
import { plainText } from '../../memory/capture/capture-text.ts';
import { supersede, ignoreMissing } from './superseding.ts';
import { readTranscript } from './transcript.ts';
import { DAY_MS } from '../../memory/durations.ts';

/** Oldest age of an entry that can belong to the session. */
const SESSION_MS = 7 * DAY_MS;
/** Entries of one session that are compared with its final statements. */
const MOST_ENTRIES = 100;
const MOST_STATEMENTS = 100;

interface Parts {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly limiter: WriteLimiter;
  readonly state: CaptureState;
  readonly gate: CaptureGate;
  readonly storing: CaptureStoring;
  readonly sessions: CaptureSessions;
  /** `capture.minOutputLength`. */
  readonly leastAnswer: () => number;
  readonly pause: () => Promise<void>;
}

/**
 * Processes the transcript of a session: neighbouring turns complete each other, and the later statement wins. Each turn is read once.
 * Does not capture a text twice; a more complete version replaces the earlier one. Changes only entries of this session that are still in
 * the inbox.
 */
export class WholeSession {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The stored entries. */
  async look(event: SpooledEvent, namespace: string): Promise<Verdict[]> {
    const { state, pause, leastAnswer } = this.#parts;
    const { transcript } = event;
    if (transcript === undefined) return [];
    const read = await readTranscript(transcript, { from: state.readUpTo(transcript), pause });
    if (read === undefined) return [];
    const kept: Verdict[] = [];
    const turns = read.turns.flatMap((turn) => this.#clean(turn));
    if (turns.some(({ isNew }) => isNew))
      kept.push(...(await this.#keep(await statementsOfSession(turns, { leastAnswer: leastAnswer(), pause }), event, namespace)));
    // Set after everything succeeded, so that the rest is processed again after a failure.
    state.setReadUpTo(transcript, read.end);
    return kept;
  }

  #clean(turn: Turn): Turn[] {
    const { secrets, gate } = this.#parts;
    const text = secrets.redacts('auto-capture') ? secrets.redacted({ content: turn.text }).texts.content : turn.text;
    const words = gate.wordsIn(text);
    return words === '' ? [] : [{ ...turn, text: words, whole: plainText(text) }];
  }

  async #keep({ statements, retracted }: SessionStatements, event: SpooledEvent, namespace: string): Promise<Verdict[]> {
    if (statements.length + retracted.length === 0) return [];
    const { gate, storing, sessions } = this.#parts;
    const own = await this.#ownEntries(event, namespace);
    const [session, at] = [sessions.of(event), event.at ?? Date.now()];
    const kept: Verdict[] = [];
    for (const each of statements.slice(-MOST_STATEMENTS)) {
      // A statement that is withdrawn later in the session is not stored first.
      if (each.isRest !== true && retracted.some(({ text }) => saysAll(each.text, text) || saysAll(text, each.text))) continue;
      const candidate = gate.fitting(each, { isKept: each.isRest === true });
      if (candidate === undefined) continue;
      const parts = partsOf(each, candidate, own);
      const known = each.isRest === true ? own.filter(({ content }) => saysAll(content, candidate.text)) : parts;
      const ids = new Set(known.map(({ id }) => id));
      const stored = session.mayKeep(at, corrects(candidate.text)) && (await storing.store(candidate, event, namespace, ids)) !== undefined;
      if (stored) {
        session.noteKept(at);
        kept.push({ kept: candidate.kind });
      }
      if (stored || own.some(({ content }) => saysAll(content, candidate.text))) await this.#drop(parts);
    }
    for (const each of retracted) await this.#takeOut(each, own, event, namespace);
    return kept;
  }

  /** Archives withdrawn statements; corrected ones are superseded by the newer ones. */
  async #takeOut(
    { text, by }: SessionStatements['retracted'][number],
    own: readonly Entry[],
    event: SpooledEvent,
    namespace: string,
  ): Promise<void> {
    const meant = own.filter(({ content }) => saysAll(content, text) || saysAll(text, content));
    if (meant.length === 0) return;
    const now = by === undefined ? undefined : (await this.#ownEntries(event, namespace)).find(({ content }) => saysAll(content, by));
    if (now === undefined) {
      if (by === undefined) await this.#drop(meant);
      return;
    }
    for (const { id: targetId } of meant.filter(({ id, superseded }) => id !== now.id && superseded !== true)) {
      await supersede(this.#parts, now.id, targetId);
    }
  }

  /** Entries of this session that are still in the inbox. */
  async #ownEntries({ session, at = Date.now() }: SpooledEvent, namespace: string): Promise<Entry[]> {
    const { store } = this.#parts;
    const candidates = store.catalog
      .entries()
      .filter((known) => known.namespace === namespace && known.createdAt >= at - SESSION_MS && isPending(known))
      .toSorted((one, other) => other.createdAt - one.createdAt)
      .slice(0, MOST_ENTRIES);
    const entries = await store.entries.getMany(candidates.map(({ id }) => id));
    return entries.filter(({ sourceRef }) => sourceRef?.['session'] === session);
  }

  /** To the archive, from where it can be restored. */
  async #drop(entries: readonly Entry[]): Promise<void> {
    const { store, limiter, clock } = this.#parts;
    const note = { at: clock.now(), reason: 'forgotten', run: randomUUID() } as const;
    for (const { id } of entries)
      await limiter.many({ changes: 1, chars: 0 }, () =>
        store.entries.changes.archive(id, note, { by: 'auto-capture' }).catch(ignoreMissing),
      );
  }
}

/** Entries that contain only a part of what is now kept. */
function partsOf({ bare }: SessionStatement, { text }: Candidate, own: readonly Entry[]): Entry[] {
  return bare === undefined ? [] : own.filter(({ content }) => saysAll(text, content) && !saysAll(content, text));
}

/** Whether the words of one text occur in the other in the same order, without gaps. */
function saysAll(text: string, part: string): boolean {
  const words = bareWords(part);
  return words.length > 0 && ` ${bareWords(text).join(' ')} `.includes(` ${words.join(' ')} `);
}
