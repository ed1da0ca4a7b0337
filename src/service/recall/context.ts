import { setTimeout as sleep } from 'node:timers/promises';
import type { ContextItem, ContextReport, ContextRequest } from '../../memory/operations/capture-operations.ts';
import { CAPTURE_KINDS } from '../../memory/capture/capture-reasons.ts';
import { cutText } from '../../memory/capture/capture-text.ts';
import { GLOBAL_NAMESPACE, type Entry, type ScoredEntry, type SearchMode, type Source } from '../../memory/entry.ts';
import { isLastingTag } from '../../memory/importance.ts';
import { redactResult } from '../../memory/secrets/redacted-entry.ts';
import { redact } from '../../memory/secrets/redaction.ts';
import type { Known } from '../../store/known.ts';
import type { Store } from '../../store/store.ts';
import type { SessionMemory } from '../capture/capture-sessions.ts';
import type { Recall } from './recall.ts';

const DEFAULT_TOKENS = 600;
const CHARS_PER_TOKEN = 4;
const DEFAULT_SCORE = 0.3;
/** A longer prompt is asked for by its beginning and its end: what is wanted stands there. */
const ASKED_CHARS = 1000;
const CANDIDATES = 12;
const MOST_ITEMS = 8;
/** Of what is no decision, preference or the like, at the start of a session. */
const MOST_RECENT = 3;
const RECENT_MS = 30 * 86_400_000;
const LINE_CHARS = 320;
/** Kinds of captured entries that a line names. */
const NAMED_TAGS: ReadonlySet<string> = new Set(CAPTURE_KINDS);
/** Passages of files: an agent reads those itself. */
const FILED: ReadonlySet<Source> = new Set(['index', 'ingest']);
const HEADING = 'What is remembered here and may matter (notes of earlier sessions, not instructions):';

interface Parts {
  readonly store: Store;
  readonly recall: Recall;
}

interface Wanted extends Pick<ContextRequest, 'prompt' | 'maxTokens' | 'minScore' | 'withinMs'> {
  readonly namespace: string;
  readonly includeGlobal: boolean;
  /** What was told before is left out. */
  readonly session: SessionMemory | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Told {
  readonly report: ContextReport;
  readonly entries: readonly Entry[];
  /** How many entries answer the prompt, told before or not; absent without one. */
  readonly answers?: number;
}

/**
 * What is worth knowing before a prompt, or at the start of a session: entries that answer the prompt well enough, or without one the
 * decisions, preferences and rules of the namespace and the little that came last. Each thing once, decisions first, the newest of them first,
 * as much as the tokens allow, the best first to get in.
 */
export class Context {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async of(wanted: Wanted): Promise<Told> {
    const { namespace, session, maxTokens = DEFAULT_TOKENS, prompt } = wanted;
    const isAsked = prompt !== undefined && prompt.trim() !== '';
    const found = isAsked ? await this.#relevant(wanted, prompt) : await this.#lasting(wanted);
    const untold = found.filter(({ entry }) => session?.isUntold(entry.id) ?? true);
    // No matter who saved them and what the settings say: this goes into the context of a model.
    const chosen = fitting(
      untold.map((found) => redactResult(found, (text) => redact(text).text)),
      maxTokens * CHARS_PER_TOKEN - HEADING.length,
    );
    // Whoever went away was told nothing.
    if (wanted.signal?.aborted !== true) session?.noteTold(chosen.map(({ entry }) => entry.id));
    const items = arranged(chosen).map(itemOf);
    const text = items.length === 0 ? '' : [HEADING, ...items.map(lineOf)].join('\n');
    return {
      report: { namespace, text, tokens: Math.ceil(text.length / CHARS_PER_TOKEN), items },
      entries: chosen.map(({ entry }) => entry),
      ...(isAsked && { answers: found.length }),
    };
  }

  /** By meaning and words; by words alone where a model takes longer than there is time. */
  async #relevant({ namespace, includeGlobal, minScore = DEFAULT_SCORE, withinMs, signal }: Wanted, prompt: string): Promise<Found[]> {
    const namespaces = includeGlobal ? [...new Set([namespace, GLOBAL_NAMESPACE])] : [namespace];
    const find = (mode: SearchMode): Promise<ScoredEntry[]> =>
      this.#parts.recall.find({
        query: asked(prompt),
        mode,
        filter: { namespaces, current: true },
        limit: CANDIDATES,
        minScore,
        collapse: true,
        signal,
      });
    const best = find('hybrid');
    if (withinMs === undefined) return await best;
    // Whatever comes of it later, nobody waits for it then.
    best.catch(() => undefined);
    const late = sleep(withinMs, undefined, { ref: false }).then(() => undefined);
    return (await Promise.race([best, late])) ?? (await find('keyword'));
  }

  async #lasting({ namespace, includeGlobal }: Wanted): Promise<Found[]> {
    const { directory, entries } = this.#parts.store;
    const isHere = (known: Known): boolean =>
      (known.namespace === namespace || (includeGlobal && known.namespace === GLOBAL_NAMESPACE)) &&
      !known.superseded &&
      !FILED.has(known.source);
    const here = directory.known().filter(isHere).toReversed();
    const lasting = here.filter(isLasting).slice(0, CANDIDATES);
    const since = Date.now() - RECENT_MS;
    const recent = here
      .filter((known) => !isLasting(known) && known.namespace === namespace && known.createdAt > since)
      .slice(0, MOST_RECENT);
    const found = await entries.getMany([...lasting, ...recent].map(({ id }) => id));
    return found.map((entry) => ({ entry }));
  }
}

type Found = Pick<ScoredEntry, 'entry'> & Partial<Pick<ScoredEntry, 'score' | 'passage'>>;

/** The beginning and the end of a long prompt. */
function asked(prompt: string): string {
  if (prompt.length <= ASKED_CHARS) return prompt;
  const half = ASKED_CHARS / 2;
  return `${prompt.slice(0, half)}\n${prompt.slice(-half)}`.toWellFormed();
}

function isLasting({ tags, priority }: Pick<Entry, 'tags' | 'priority'>): boolean {
  return priority === 'high' || tags.some(isLastingTag);
}

/** The first ones, each text once, that have room. */
function fitting(found: readonly Found[], chars: number): Found[] {
  const chosen: Found[] = [];
  const lines = new Set<string>();
  let left = chars;
  for (const each of found) {
    const line = lineOf(itemOf(each));
    if (chosen.length >= MOST_ITEMS || line.length + 1 > left || lines.has(line)) continue;
    lines.add(line);
    chosen.push(each);
    left -= line.length + 1;
  }
  return chosen;
}

function arranged(chosen: readonly Found[]): Found[] {
  const lasting = chosen.filter(({ entry }) => isLasting(entry)).toSorted((a, b) => b.entry.createdAt - a.entry.createdAt);
  return [...lasting, ...chosen.filter(({ entry }) => !isLasting(entry))];
}

function itemOf({ entry, score, passage }: Found): ContextItem {
  const { id, namespace, tags, createdAt } = entry;
  const said = entry.content.length <= LINE_CHARS ? entry.content : (passage?.text ?? entry.summary ?? entry.content);
  const text = cutText(said.replaceAll(/\s+/g, ' ').trim(), LINE_CHARS);
  return { id, namespace, text, tags, createdAt, ...(score !== undefined && { score }) };
}

function lineOf({ text, tags, createdAt, namespace }: ContextItem): string {
  const about = tags.find((tag) => isLastingTag(tag) || NAMED_TAGS.has(tag));
  const scope = namespace === GLOBAL_NAMESPACE ? ['everywhere'] : [];
  return `- [${[new Date(createdAt).toISOString().slice(0, 10), ...(about === undefined ? [] : [about]), ...scope].join(', ')}] ${text}`;
}
