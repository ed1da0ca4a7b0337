import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from '../../jobs/job.ts';
import type { Scheduler } from '../../jobs/scheduler.ts';
import type { Clock } from '../../memory/clock.ts';
import { corrects } from '../../memory/capture/capture-statements.ts';
import { questionIn } from '../../memory/capture/capture-surroundings.ts';
import {
  type CaptureOperations,
  type CaptureReceipt,
  type CaptureRequest,
  type CaptureReviewReport,
  type CaptureReviewRequest,
  type CaptureSession,
  type CaptureSessionsRequest,
  type CaptureStats,
  type CaptureStatsRequest,
  type CaptureUndoReport,
  type CaptureUndoRequest,
  type ContextReport,
  type ContextRequest,
  type SpooledEvent,
} from '../../memory/operations/capture-operations.ts';
import type { Entry } from '../../memory/entry.ts';
import { LoreError, type ErrorCode } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { Telemetry } from '../../memory/telemetry.ts';
import type { Store } from '../../store/store.ts';
import { Assist } from './assist.ts';
import { CaptureGate, type CaptureRules } from './capture-gate.ts';
import { CaptureGuard } from './capture-guard.ts';
import { CaptureSessions } from './capture-sessions.ts';
import { CaptureSpool } from './capture-spool.ts';
import { CaptureState, type Verdict } from './capture-state.ts';
import { CaptureStoring } from './capture-storing.ts';
import type { ContextFilesLocation } from './context-files.ts';
import { review } from './reviewing.ts';
import { Confirming } from './confirming.ts';
import { isBare, withoutSecrets } from './hook-events.ts';
import { editsIn, ReplacedFacts } from './replaced-facts.ts';
import { WholeSession } from './whole-session.ts';
import { Context } from '../recall/context.ts';
import type { Drafting } from '../changes/drafting.ts';
import type { Recall } from '../recall/recall.ts';
import type { Uses } from '../lifecycle/uses.ts';
import type { Secrets } from '../secrets.ts';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import { undo } from './undoing.ts';
import type { WriteLimiter } from '../write-limiter.ts';

const DEFAULT_SESSIONS = 20;
/** The client takes a context at the start of a session, but not before a prompt. */
const TAKES_ONCE = 'cursor';
/** How long a context waits for unprocessed events: a share of its time, and at most this long. They may contain the answer. */
const CATCH_UP = { share: 0.4, mostMs: 500 };
/** How long the end of a turn waits for its events and the context files at most; a hook waits 500 ms for the answer. */
const TURN_MS = 250;
/** The same before the store closes. A client that ends its MCP server kills it soon. */
const LAST_MS = 150;
/** Failures of the store: the event waits until it can be stored. */
const WAITS: ReadonlySet<ErrorCode> = new Set(['unavailable', 'filesystem']);

/** The settings `capture.*`, and the location of the event queue. */
export interface CaptureSettings extends CaptureRules {
  readonly enabled: boolean;
  readonly workerIntervalMs: number;
  readonly dedupSimilarityThreshold: number;
  readonly sourceTag: string;
  readonly place: { readonly folder: string; readonly name: string };
  /** Location of contexts for hooks without a server; default none. */
  readonly contexts?: ContextFilesLocation | undefined;
  /** The namespace of work in a folder. */
  readonly namespaceOf: (cwd: string) => Promise<string>;
}

interface Parts {
  readonly store: Store;
  readonly recall: Recall;
  readonly drafting: Drafting;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly limiter: WriteLimiter;
  readonly settings: CaptureSettings;
  /** Used if a request names neither namespace nor folder. */
  readonly namespace: string;
  readonly scheduler: Pick<Scheduler, 'add'>;
  readonly log: Log;
  readonly telemetry: Telemetry;
  /** Called for every new entry, and for one that was completed. */
  readonly onStored: (id: string) => void;
  readonly uses: Uses;
  /** Called when the waiting events were processed. */
  readonly onJudged: () => Promise<void>;
  /** Called with the namespace in which someone works. */
  readonly onWork: (namespace: string) => void;
}

/**
 * Captures entries from hook events without a model: events wait in a file and are processed one by one in the background. Also provides
 * context for hooks.
 */
export class Capture implements CaptureOperations {
  readonly #parts: Parts;
  readonly #guard = new CaptureGuard();
  readonly #sessions = new CaptureSessions();
  readonly #state: CaptureState;
  readonly #spool: CaptureSpool;
  readonly #gate: CaptureGate;
  readonly #storing: CaptureStoring;
  readonly #whole: WholeSession;
  readonly #replaced: ReplacedFacts;
  readonly #confirming: Confirming;
  readonly #assist: Assist;
  readonly #context: Context;
  readonly #yielder = new EventLoopYielder();
  readonly #namespaces = new Map<string, Promise<string>>();
  readonly #job: Job;
  /** Resolves when the events from before the opening are processed. */
  readonly #opened: Promise<void>;

  constructor(parts: Parts) {
    const { store, settings } = parts;
    this.#parts = parts;
    this.#state = new CaptureState(settings.place);
    this.#spool = new CaptureSpool({ ...settings.place, state: this.#state });
    this.#gate = new CaptureGate({ rules: settings, sessions: this.#sessions, isOwn: (text) => this.#guard.isOwn(text) });
    this.#storing = new CaptureStoring({ ...parts, sourceTag: settings.sourceTag, similarFrom: settings.dedupSimilarityThreshold });
    this.#replaced = new ReplacedFacts({ ...parts, gate: this.#gate, storing: this.#storing });
    this.#confirming = new Confirming({ ...parts, gate: this.#gate });
    const reading = { state: this.#state, gate: this.#gate, storing: this.#storing, sessions: this.#sessions };
    this.#whole = new WholeSession({ ...parts, ...reading, leastAnswer: () => settings.minOutputLength, pause: this.#yielder.pause });
    this.#assist = new Assist({ store, state: this.#state, gate: this.#gate, telemetry: parts.telemetry, now: () => parts.clock.now() });
    this.#context = new Context({ store, recall: parts.recall });
    this.#job = this.#addTo(parts.scheduler);
    this.#opened = this.#job.runsAutomatically ? this.#job.tryNow() : Promise.resolve();
  }

  /** Records returned entries, so that their text is not captured. */
  note(entries: readonly Pick<Entry, 'id' | 'content'>[]): void {
    this.#guard.note(entries);
  }

  async accept(request: CaptureRequest): Promise<CaptureReceipt> {
    const { secrets, settings, clock } = this.#parts;
    if (!settings.enabled) return { accepted: false, reason: 'Capture is turned off (capture.enabled).' };
    if (this.#job.isEnding) throw new LoreError('unavailable', 'The store is closing.');
    // Checked before anything is written, because the file of events is not redacted later.
    const event = secrets.redacts('auto-capture') ? withoutSecrets(request, secrets) : request;
    const taken = this.#spool.add({ ...event, at: event.at ?? Math.floor(clock.now()) });
    if (!taken) return { accepted: false, reason: 'Too many events are waiting.' };
    const isAsked = (event.event === 'prompt' || event.event === 'response') && (await this.#asks(event));
    // The turn is over: with the answer, the client may end this process, and soon start a session that needs the context files.
    if (event.event === 'response' && this.#job.runsAutomatically) await within(TURN_MS, this.#job.tryNow());
    return { accepted: true, ...(isAsked && { ask: true }) };
  }

  /** Asking the agent is optional; the event must not fail for it. */
  async #asks(event: CaptureRequest): Promise<boolean> {
    // Detecting the namespace of a folder may take a while, and only the end of a turn needs it.
    const namespace = event.assist === undefined ? '' : await this.#namespaceOf(event).catch(() => undefined);
    return namespace !== undefined && this.#assist.note(event, namespace);
  }

  stats({ namespace }: CaptureStatsRequest): Promise<CaptureStats> {
    const counted = this.#state.stats(namespace);
    return Promise.resolve({ enabled: this.#parts.settings.enabled, waitingBytes: this.#spool.waitingBytes, ...counted });
  }

  sessions({ namespace, limit = DEFAULT_SESSIONS }: CaptureSessionsRequest): Promise<readonly CaptureSession[]> {
    return Promise.resolve(this.#state.sessions({ namespace, limit }));
  }

  async undo(request: CaptureUndoRequest, { source = 'api' }: CallOptions = {}): Promise<CaptureUndoReport> {
    // Waiting events would be processed after it.
    await this.drain();
    return await undo({ ...this.#parts, pause: this.#yielder.pause }, request, source);
  }

  review(request: CaptureReviewRequest, { source = 'api' }: CallOptions = {}): Promise<CaptureReviewReport> {
    return review(this.#parts, request, source);
  }

  async context(request: ContextRequest, { source = 'api', signal }: CallOptions = {}): Promise<ContextReport> {
    const started = performance.now();
    const { client, session, prompt, maxTokens, minScore, withinMs, includeGlobal = true, countUse } = request;
    const memory = session === undefined ? undefined : this.#sessions.of({ client: client ?? '', session });
    if (prompt === undefined) memory?.forgetTold();
    const namespace = await this.#namespaceOf(request);
    this.#parts.onWork(namespace);
    await this.#caughtUp(request);
    const wanted = {
      prompt,
      maxTokens,
      minScore,
      withinMs: withinMs === undefined ? undefined : Math.max(1, withinMs - (performance.now() - started)),
      includeGlobal,
      namespace,
      session: memory,
      signal,
      isOnce: client === TAKES_ONCE,
    };
    const { report, entries, answers } = await this.#context.of(wanted);
    const asked = answers === undefined ? {} : { ms: performance.now() - started, found: answers };
    // A client that disconnected received no context, and an empty context at the start of a session is not counted.
    const isGiven = signal?.aborted !== true && (answers !== undefined || entries.length > 0);
    if (isGiven) this.#parts.uses.note({ entries, namespace, source, countUse, ...asked });
    this.note(entries);
    // A client that disconnected does not receive the context and reports that itself.
    if (report.text !== '' && client !== undefined && signal?.aborted !== true) this.#state.countContext(namespace);
    return report;
  }

  /** The context for the start of a session in a namespace; may be empty. */
  async openingOf(namespace: string): Promise<string> {
    const { report } = await this.#context.of({ namespace, includeGlobal: true, session: undefined });
    return report.text;
  }

  /** Processes all waiting events. One run at a time; rejects if the store refuses an entry. */
  drain(): Promise<void> {
    return this.#job.alone(() => this.#drain());
  }

  #addTo(scheduler: Pick<Scheduler, 'add'>): Job {
    const { workerIntervalMs } = this.#parts.settings;
    return scheduler.add({
      name: 'capture',
      run: async () => {
        await this.#drain();
        await this.#parts.onJudged();
        return workerIntervalMs;
      },
      retryAfter: () => workerIntervalMs,
      failure: 'hook events could not be processed; they stay queued',
      close: (stop) => this.#close(stop),
    });
  }

  /** Processes waiting events for a short time, then stops after the current one; the rest waits for the next start. */
  async #close(stop: () => Promise<void>): Promise<void> {
    if (this.#job.runsAutomatically) await within(LAST_MS, this.drain());
    this.#yielder.stop();
    await stop();
    await this.#state.close().catch((error: unknown) => this.#parts.log.warn({ error: String(error) }, 'counts of capture were not saved'));
  }

  /** Processes the events from before the store was opened; at the start of a session, those of earlier sessions. */
  async #caughtUp({ prompt, withinMs = Infinity }: ContextRequest): Promise<void> {
    if (!this.#job.runsAutomatically) return;
    await within(Math.min(CATCH_UP.mostMs, withinMs * CATCH_UP.share), prompt === undefined ? this.drain() : this.#opened);
  }

  async #drain(): Promise<void> {
    this.#namespaces.clear();
    await this.#spool.drain((event) => this.#look(event), this.#yielder.pause);
  }

  async #look(given: SpooledEvent): Promise<void> {
    if (given.missed !== undefined) this.#state.countContext(await this.#namespaceOf(given), given.missed);
    if (given.transcript !== undefined) {
      await this.#captureSession(given);
      return;
    }
    if (given.event === 'session-start' || given.event === 'session-end' || isBare(given)) return;
    // A time in the future would exempt its session from the rate limit until then.
    const at = Math.min(given.at ?? Infinity, Date.now());
    const event = { ...given, at };
    const namespace = await this.#namespaceOf(event);
    const about = { session: event.session, client: event.client, namespace, at };
    this.#count(await this.#verdicts(event, namespace).catch(this.#unlessWaiting), about);
  }

  /** Processes the whole session once more. Refused texts were counted when their event came. */
  async #captureSession(given: SpooledEvent): Promise<void> {
    if (!this.#parts.settings.enabled) return;
    const event = { ...given, at: Math.min(given.at ?? Infinity, Date.now()) };
    const namespace = await this.#namespaceOf(event);
    const verdicts = await this.#whole.look(event, namespace).catch(this.#unlessWaiting);
    this.#count(verdicts, { session: event.session, client: event.client, namespace, at: event.at });
  }

  #count(verdicts: readonly Verdict[], about: Parameters<CaptureState['count']>[1]): void {
    for (const verdict of verdicts) {
      this.#state.count(verdict, about);
      this.#parts.telemetry.count('capture decision', ...('kept' in verdict ? ['kept', verdict.kept] : ['refused', verdict.refused]));
    }
  }

  readonly #unlessWaiting = (error: unknown): Verdict[] => {
    if (error instanceof LoreError && WAITS.has(error.code)) throw error;
    // An event that cannot be processed must not block those after it.
    this.#parts.log.warn({ error: String(error) }, 'a hook event could not be processed and is dropped');
    return [];
  };

  /** For each text of the event that might be kept; one element if there is none. */
  async #verdicts(given: CaptureRequest, namespace: string): Promise<Verdict[]> {
    const { settings, secrets } = this.#parts;
    if (!settings.enabled) return [{ refused: 'disabled' }];
    const event = secrets.redacts('auto-capture') ? withoutSecrets(given, secrets) : given;
    const session = this.#sessions.of(event);
    const { answer } = session.dialog;
    const offer = event.event === 'prompt' && session.dialog.isReply(event.text ?? '') ? answer : undefined;
    const judgement = this.#gate.judge(event);
    if (event.event === 'prompt') session.beginTurn();
    const isIgnored = 'refused' in judgement && judgement.refused === 'ignored tool';
    const edits = isIgnored ? [] : editsIn(event);
    session.edits.push(...edits);
    const changing = await this.#replaced.look(edits, session, namespace);
    if (changing !== undefined) session.noteChanging(changing);
    if (event.event === 'response')
      session.said = await this.#confirming.look(event, session.said, { edits: session.edits, isFirst: session.isFirstAnswer() });
    if (event.event === 'prompt')
      session.unkept = 'refused' in judgement ? { event, text: this.#gate.wordsIn(event.text ?? ''), offer: answer } : undefined;
    if (changing !== undefined) return [{ kept: 'decision' }];
    if ('refused' in judgement) return [judgement];
    const at = event.at ?? Date.now();
    const verdicts: Verdict[] = [];
    for (const candidate of judgement.candidates) {
      const mayKeep = session.mayKeep(at, corrects(candidate.text));
      const question = event.event === 'prompt' ? questionIn(candidate.text, answer) : '';
      const id = mayKeep ? await this.#storing.store({ ...candidate, question }, event, namespace) : undefined;
      verdicts.push(id === undefined ? { refused: mayKeep ? 'duplicate' : 'rate cap' } : { kept: candidate.kind });
      if (id === undefined) continue;
      session.noteKept(at);
      if (event.event === 'prompt')
        session.said.push({
          id,
          text: candidate.text,
          offer,
          isReply: offer !== undefined || !oneLine(event.text ?? '').includes(oneLine(candidate.text)),
        });
    }
    return verdicts;
  }

  #namespaceOf({ namespace, cwd }: Pick<CaptureRequest, 'namespace' | 'cwd'>): Promise<string> {
    if (namespace !== undefined) return Promise.resolve(namespace);
    if (cwd === undefined) return Promise.resolve(this.#parts.namespace);
    const known = this.#namespaces.get(cwd) ?? this.#parts.settings.namespaceOf(cwd);
    this.#namespaces.set(cwd, known);
    return known;
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Waits for the work, but at most this long. Never rejects. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  await Promise.race([work, sleep(ms, undefined, { ref: false })]).catch(() => undefined);
}
