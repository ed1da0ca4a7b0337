import { mkdirSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AssistCounts, CaptureSession, CaptureStats } from '../../memory/operations/capture-operations.ts';
import { dayName } from '../../memory/time-zone.ts';
import { CAPTURE_KINDS, MISSES, REFUSALS, type CaptureKind, type Miss, type Refusal } from '../../memory/capture/capture-reasons.ts';
import { DAY_MS } from '../../memory/durations.ts';

const MAX_SESSIONS = 500;
const MAX_NAMESPACES = 2000;
const KEPT_DAYS = 30;
const MAX_TRANSCRIPTS = 500;
const ASSIST_COUNTS = ['asked', 'saved', 'tokens'] as const;
/** Further names are counted together. */
const OTHERS = '…';

interface Counts {
  kept: Partial<Record<CaptureKind, number>>;
  refused: Partial<Record<Refusal, number>>;
  /** Contexts that were handed out. This field and the next are missing in files of earlier versions. */
  given?: number;
  missed?: Partial<Record<Miss, number>>;
  /** Results of asking the agent to save; absent if it was never asked. */
  assist?: AssistCounts;
  /** By day, such as `2026-01-31`; missing in files of earlier versions. */
  days?: Record<string, DayCounts>;
}

interface DayCounts {
  kept: number;
  refused: Partial<Record<Refusal, number>>;
}

interface KeptState {
  since: number;
  /** By name. */
  namespaces: Map<string, Counts>;
  /** Latest last. */
  sessions: CaptureSession[];
  /** Processed bytes of each file of events. */
  marks: Record<string, number>;
  /** Processed bytes of each transcript; latest last. Missing in files of earlier versions. */
  transcripts?: Record<string, number>;
  /** Sessions whose agent was asked to save; latest last. */
  asked?: string[];
}

/** The result for one candidate text. */
export type Verdict = { readonly kept: CaptureKind } | { readonly refused: Refusal };

/** Counts of capture, stored in a file across restarts. An unreadable file starts from zero. */
export class CaptureState {
  readonly #file: string;
  #kept: KeptState;
  #isSaved = true;

  constructor({ folder, name }: { readonly folder: string; readonly name: string }) {
    this.#file = path.join(folder, `${name}.state.json`);
    this.#kept = read(this.#file) ?? { since: 0, namespaces: new Map(), sessions: [], marks: {} };
  }

  count(
    verdict: Verdict,
    { session, client, namespace, at }: Pick<CaptureSession, 'session' | 'client' | 'namespace'> & { at: number },
  ): void {
    const kept = this.#kept;
    if (kept.since === 0) kept.since = at;
    const counts = this.#countsOf(namespace);
    const isKept = 'kept' in verdict;
    countOn(dayOf(Math.min(at, Date.now())), counts, verdict);
    if (isKept) counts.kept[verdict.kept] = (counts.kept[verdict.kept] ?? 0) + 1;
    else counts.refused[verdict.refused] = (counts.refused[verdict.refused] ?? 0) + 1;
    const same = kept.sessions.findIndex((each) => each.session === session && each.namespace === namespace);
    const [known] = same === -1 ? [] : kept.sessions.splice(same, 1);
    kept.sessions.push({
      session,
      client,
      namespace,
      firstAt: Math.min(known?.firstAt ?? at, at),
      lastAt: Math.max(known?.lastAt ?? at, at),
      kept: (known?.kept ?? 0) + (isKept ? 1 : 0),
      refused: (known?.refused ?? 0) + (isKept ? 0 : 1),
    });
    if (kept.sessions.length > MAX_SESSIONS) kept.sessions.shift();
  }

  countContext(namespace: string, missed?: Miss): void {
    this.#isSaved = false;
    const counts = this.#countsOf(namespace);
    if (missed === undefined) counts.given = (counts.given ?? 0) + 1;
    else counts.missed = { ...counts.missed, [missed]: (counts.missed?.[missed] ?? 0) + 1 };
  }

  stats(namespace: string | undefined): Omit<CaptureStats, 'enabled' | 'waitingBytes'> {
    const { namespaces, since } = this.#kept;
    const counts = namespace === undefined ? [...namespaces.values()] : [namespaces.get(namespace) ?? none()];
    const byKind = summed(
      CAPTURE_KINDS,
      counts.map(({ kept }) => kept),
    );
    const byReason = summed(
      REFUSALS,
      counts.map(({ refused }) => refused),
    );
    const missed = summed(
      MISSES,
      counts.map((each) => each.missed ?? {}),
    );
    const contexts = { given: counts.reduce((sum, { given = 0 }) => sum + given, 0), missed };
    const total = (by: Readonly<Record<string, number>>): number => Object.values(by).reduce((sum, count) => sum + count, 0);
    return {
      kept: total(byKind),
      refused: total(byReason),
      byKind,
      byReason,
      contexts,
      ...(counts.some(({ assist }) => assist !== undefined) && {
        assist: summed(
          ASSIST_COUNTS,
          counts.map(({ assist }) => assist ?? {}),
        ),
      }),
      perDay: perDay(counts),
      ...(since > 0 && { since }),
    };
  }

  /** Latest first. */
  sessions({ namespace, limit }: { readonly namespace: string | undefined; readonly limit: number }): CaptureSession[] {
    const wanted = this.#kept.sessions.filter((session) => namespace === undefined || session.namespace === namespace);
    return wanted.toSorted((a, b) => b.lastAt - a.lastAt).slice(0, limit);
  }

  /** Number of bytes of a file that were processed. */
  mark(file: string): number {
    return this.#kept.marks[file] ?? 0;
  }

  setMark(file: string, bytes: number | undefined): void {
    if (bytes === undefined) delete this.#kept.marks[file];
    else this.#kept.marks[file] = bytes;
  }

  /** Whether the agent of this session was asked to save. */
  wasAsked(session: string): boolean {
    return this.#kept.asked?.includes(session) ?? false;
  }

  /** Counts a request to the agent, or its answer. */
  countAssist(namespace: string, { session, ...more }: { session?: string } & Partial<AssistCounts>): void {
    const counts = this.#countsOf(namespace);
    counts.assist = summed(ASSIST_COUNTS, [counts.assist ?? {}, more]);
    if (session !== undefined) this.#kept.asked = [...(this.#kept.asked ?? []), session].slice(-MAX_SESSIONS);
    this.#isSaved = false;
  }

  /** Number of bytes of a transcript that were read. */
  readUpTo(transcript: string): number {
    return this.#kept.transcripts?.[transcript] ?? 0;
  }

  setReadUpTo(transcript: string, bytes: number): void {
    const others = Object.entries(this.#kept.transcripts ?? {}).filter(([file]) => file !== transcript);
    this.#kept.transcripts = Object.fromEntries([...others, [transcript, bytes] as const].slice(-MAX_TRANSCRIPTS));
    this.#isSaved = false;
  }

  /** Writes the counts of contexts; the counts of events are written as they are processed. */
  async close(): Promise<void> {
    if (!this.#isSaved) await this.save();
  }

  /** Writes the whole file atomically. */
  async save(): Promise<void> {
    this.#isSaved = true;
    mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
    const fresh = `${this.#file}.new`;
    const text = JSON.stringify({ ...this.#kept, namespaces: Object.fromEntries(this.#kept.namespaces) });
    await writeFile(fresh, `${text}\n`, { mode: 0o600 });
    await rename(fresh, this.#file);
  }

  #countsOf(namespace: string): Counts {
    const { namespaces } = this.#kept;
    const name = namespaces.size < MAX_NAMESPACES || namespaces.has(namespace) ? namespace : OTHERS;
    const counts = namespaces.get(name) ?? none();
    namespaces.set(name, counts);
    return counts;
  }
}

/** Days in local time. */
function dayOf(moment: number): string {
  const date = new Date(moment);
  return dayName(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()));
}

function countOn(day: string, counts: Counts, verdict: Verdict): void {
  const days = (counts.days ??= {});
  const today = (days[day] ??= { kept: 0, refused: {} });
  if ('kept' in verdict) today.kept += 1;
  else today.refused[verdict.refused] = (today.refused[verdict.refused] ?? 0) + 1;
  for (const old of Object.keys(days).toSorted().slice(0, -KEPT_DAYS)) delete days[old];
}

/** Oldest first, every day present. */
function perDay(counts: readonly Counts[]): CaptureStats['perDay'] {
  const today = Date.parse(dayOf(Date.now()));
  return Array.from({ length: KEPT_DAYS }, (_, at) => {
    const day = dayName(today - (KEPT_DAYS - 1 - at) * DAY_MS);
    const all = counts.flatMap(({ days }) => days?.[day] ?? []);
    const byReason: Partial<Record<Refusal, number>> = {};
    for (const { refused } of all) {
      for (const reason of REFUSALS) if (refused[reason] !== undefined) byReason[reason] = (byReason[reason] ?? 0) + refused[reason];
    }
    const refused = Object.values(byReason).reduce((sum, count) => sum + count, 0);
    return { day, kept: all.reduce((sum, { kept }) => sum + kept, 0), refused, byReason };
  });
}

const none = (): Counts => ({ kept: {}, refused: {} });

function summed<K extends string>(names: readonly K[], counts: readonly Partial<Record<K, number>>[]): Record<K, number> {
  return Object.fromEntries(names.map((name) => [name, counts.reduce((sum, each) => sum + (each[name] ?? 0), 0)])) as Record<K, number>;
}

function read(file: string): KeptState | undefined {
  try {
    const { since, namespaces, sessions, marks, transcripts, asked } = JSON.parse(readFileSync(file, 'utf8')) as Partial<
      Omit<KeptState, 'namespaces'> & { namespaces: unknown }
    >;
    if (typeof since !== 'number' || !isRecord(namespaces) || !Array.isArray(sessions) || !isRecord(marks)) return undefined;
    return {
      since,
      namespaces: new Map(Object.entries(namespaces)),
      sessions,
      marks,
      ...(isRecord(transcripts) && { transcripts }),
      ...(Array.isArray(asked) && { asked }),
    };
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, never> => typeof value === 'object' && value !== null && !Array.isArray(value);
