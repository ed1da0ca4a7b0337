import { setTimeout as sleep } from 'node:timers/promises';
import type { ContextReport, ContextRequest } from '../../memory/operations/capture-operations.ts';
import { GLOBAL_NAMESPACE, type Entry, type EntryFilter, type ScoredEntry, type SearchMode } from '../../memory/entry.ts';
import { RecentMap } from '../../memory/recent-map.ts';
import { isOfFile } from '../../memory/vocabulary.ts';
import { isLastingTag } from '../../memory/importance.ts';
import { mayOutdate } from '../../memory/relation-cues/outdating.ts';
import { redactResult } from '../../memory/secrets/redacted-entry.ts';
import { redact } from '../../memory/secrets/redaction.ts';
import { promptPurpose } from '../../memory/words/prompt-purpose.ts';
import { tokenize } from '../../memory/words/tokens.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import type { Store } from '../../store/store.ts';
import { LENIENT_LIMITS, PROMPT_LIMITS, SCORE_ALL_UP_TO, chooseForContext } from './context-choice.ts';
import { newestFirst } from './newest-first.ts';
import { Relevance } from './relevance.ts';
import { FILES_HEADING, FURTHER_CHARS, HEADING, itemOf, LINE_CHARS, lineOf, type LineItem } from './context-lines.ts';
import type { Recall } from './recall.ts';
import { currentOf, withReplaced } from './succession.ts';

/**
 * Largest size of a context before a prompt, of which a session has many, and at the start of a session. The mean for prompts with an
 * answer is about 100; see SHORT.
 */
const PROMPT_TOKENS = 180;
const START_TOKENS = 600;
const CHARS_PER_TOKEN = 4;
/** For a longer prompt, only the beginning and the end are searched for, which usually state the request. */
const ASKED_CHARS = 1000;
const CANDIDATES = 16;
const MOST_ITEMS = 8;
/** More for callers that have room. */
const TOKENS_PER_ITEM = 15;
/** At the start of a session, if the tokens allow it. */
const MOST_AT_START = 24;
/** Limit of entries that are no decision, preference or similar; in a larger memory only recent ones count. */
const MOST_OTHERS = 16;
/** Pairs of texts whose comparison is cached: a context is made again after each save, mostly of the same entries. */
const REMEMBERED_PAIRS = 10_000;
/** Enough of a content hash to tell texts apart. */
const HASH_CHARS = 24;
const RECENT_MS = 30 * 86_400_000;
/** Least share of the prompt in a passage of a file that is shown, and the largest number of them. */
const FILED_SCORE = 0.4;
const FILED_COVERAGE = 0.6;
const MOST_FILED = 2;

interface Parts {
  readonly store: Store;
  readonly recall: Recall;
}

/** The entries that a session has seen. */
export interface SeenEntries {
  mayShow(id: string, how: { readonly prompt: string | undefined; readonly isBest: boolean }): boolean;
  noteShown(id: string, prompt: string | undefined): void;
}

interface Wanted extends Pick<ContextRequest, 'prompt' | 'maxTokens' | 'minScore' | 'withinMs'> {
  readonly namespace: string;
  readonly includeGlobal: boolean;
  /** Whether the client takes a context only at the start of a session. Default false. */
  readonly isOnce?: boolean;
  /** Leave out entries that the session has seen. */
  readonly session: SeenEntries | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface BuiltContext {
  readonly report: ContextReport;
  readonly entries: readonly Entry[];
  /** Number of entries that answer the prompt, seen or not; absent without a prompt. */
  readonly answers?: number;
}

/**
 * Builds the context before a prompt (entries that answer it well enough, see `chooseForContext`) or for the start of a session (decisions,
 * preferences and rules of the namespace, and a few recent entries). Each fact appears once. Decisions come first, the newest first; an
 * outdated entry follows the one that changes it. The best entries are added first, up to the token limit. Passages of files follow if
 * there is room.
 */
export class Context {
  readonly #parts: Parts;
  readonly #relevance: Relevance;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#relevance = new Relevance(parts);
  }

  async of(wanted: Wanted): Promise<BuiltContext> {
    const { namespace, session, prompt } = wanted;
    const isAsked = prompt !== undefined && prompt.trim() !== '';
    const { found, nearby, filed } = isAsked ? await this.#relevant(wanted, prompt) : await this.#lastingEntries(wanted);
    const ordered = newestFirst(found, nearby);
    // The best entry may be shown again, and so may a newer version of another: the older one alone would seem valid.
    const again = new Set([found[0]?.entry.id, ...ordered.flatMap(({ newer = [] }) => newer)]);
    const key = isAsked ? keyOf(prompt) : undefined;
    const isUnseen = ({ entry: { id } }: LineItem): boolean => session?.mayShow(id, { prompt: key, isBest: again.has(id) }) ?? true;
    // Always redacted, for any source and any settings, because a model reads it.
    const cleanText = (text: string): string => redact(text).text;
    const clean = ({ replaced, ...each }: LineItem): LineItem => ({
      ...redactResult(each, cleanText),
      ...(replaced !== undefined && { replaced: cleanText(replaced) }),
    });
    const current = (await withReplaced(this.#parts.store, withNewer(ordered, nearby, isUnseen))).map(clean);
    const tokens = wanted.maxTokens ?? (isAsked ? PROMPT_TOKENS : START_TOKENS);
    const chars = tokens * CHARS_PER_TOKEN;
    const lineChars = tokens <= PROMPT_TOKENS ? FURTHER_CHARS : LINE_CHARS;
    const chosen = fitting(current, { chars: chars - HEADING.length, most: mostItems(wanted, isAsked), lineChars });
    const items = arranged(chosen).map(itemOf);
    const lines = items.length === 0 ? [] : [HEADING, ...items.map(lineOf)];
    const left = chars - lines.join('\n').length - FILES_HEADING.length - 2;
    const places = fitting(filed.filter(isUnseen).map(clean), { chars: left, most: MOST_FILED, lineChars: LINE_CHARS });
    if (places.length > 0) lines.push(FILES_HEADING, ...places.map((each) => lineOf(itemOf(each))));
    // A caller that disconnected has seen nothing.
    if (wanted.signal?.aborted !== true) for (const { entry } of [...chosen, ...places]) session?.noteShown(entry.id, key);
    const text = lines.join('\n');
    return {
      report: { namespace, text, tokens: Math.ceil(text.length / CHARS_PER_TOKEN), items: [...items, ...places.map(itemOf)] },
      entries: [...chosen, ...places].map(({ entry }) => entry),
      ...(isAsked && { answers: found.length }),
    };
  }

  async #relevant(wanted: Wanted, prompt: string): Promise<Gathered> {
    const { namespace, includeGlobal, minScore } = wanted;
    const { catalog } = this.#parts.store;
    const asking = promptPurpose(prompt);
    if (asking === 'chatter' && minScore === undefined) return { found: [], nearby: [], filed: [] };
    const namespaces = includeGlobal ? [...new Set([namespace, GLOBAL_NAMESPACE])] : [namespace];
    const here = this.#memoriesOf(namespaces);
    const isFiled = catalog.holdsFiles(namespaces);
    const filter: EntryFilter = { namespaces, ...(isFiled && { kind: 'memory' }) };
    const query = asked(prompt);
    const isSmall = here.length <= SCORE_ALL_UP_TO;
    const hits = await this.#find(wanted, { query, filter, limit: isSmall ? SCORE_ALL_UP_TO : CANDIDATES });
    const found = await currentOf(hits, this.#parts.store, namespaces);
    const results = isSmall && minScore === undefined ? await this.#withOthers(found, here) : found;
    const told =
      minScore === undefined
        ? chooseForContext(
            await this.#relevance.weigh(results, { prompt: query, entries: here.length }),
            wanted.maxTokens === undefined ? PROMPT_LIMITS : LENIENT_LIMITS,
          )
        : results.filter(({ score }) => score >= minScore);
    return { found: told, nearby: results, filed: isFiled && asking !== 'chatter' ? await this.#filed(wanted, prompt, namespaces) : [] };
  }

  /** The current entries of the namespace that are not from files, in the order in which they were saved. */
  #memoriesOf(namespaces: readonly string[]): CatalogEntry[] {
    const { catalog } = this.#parts.store;
    const lists = [...new Set(namespaces)].map((namespace) => catalog.entries(namespace)).filter(({ length }) => length > 0);
    const memories = lists.flatMap((entries) => entries.filter((known) => !known.superseded && !isOfFile(known)));
    return lists.length < 2 ? memories : memories.toSorted((a, b) => catalog.newer(b.id, a.id));
  }

  /** Adds the rest of a small store, because an answer often shares no word with the prompt. */
  async #withOthers(found: readonly ScoredEntry[], here: readonly CatalogEntry[]): Promise<ScoredEntry[]> {
    const ids = new Set(found.map(({ entry }) => entry.id));
    const others = here.filter(({ id }) => !ids.has(id));
    const entries = await this.#parts.store.entries.getMany(others.map(({ id }) => id));
    return [...found, ...entries.map((entry) => ({ entry, score: 0, scores: {} }))];
  }

  /** Passages of files that are clearly about the prompt. */
  async #filed(wanted: Wanted, prompt: string, namespaces: readonly string[]): Promise<LineItem[]> {
    const filter = { namespaces, current: true, kind: 'file' } as const;
    const found = await this.#find(wanted, { query: asked(prompt), filter, limit: 2 * MOST_FILED });
    const isAbout = ({ score, explanation }: ScoredEntry): boolean =>
      score >= FILED_SCORE && (explanation?.keyword?.coverage ?? 0) >= FILED_COVERAGE;
    return found
      .filter(isAbout)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MOST_FILED);
  }

  /** By vectors and words, or by words only if the model is too slow. */
  async #find(
    { withinMs, signal }: Wanted,
    wanted: { readonly query: string; readonly filter: EntryFilter; readonly limit: number },
  ): Promise<readonly ScoredEntry[]> {
    const find = (mode: SearchMode): Promise<readonly ScoredEntry[]> =>
      this.#parts.recall.find({ ...wanted, mode, collapse: true, explain: true, signal });
    const best = find('hybrid');
    if (withinMs === undefined) return await best;
    // Nobody waits for the result any more.
    best.catch(() => undefined);
    const late = sleep(withinMs, undefined, { ref: false }).then(() => undefined);
    return (await Promise.race([best, late])) ?? (await find('keyword'));
  }

  /** All entries of a small memory, as far as the tokens allow. */
  async #lastingEntries({ namespace, includeGlobal, isOnce = false }: Wanted): Promise<Gathered> {
    const { entries } = this.#parts.store;
    const here = this.#memoriesOf(includeGlobal ? [namespace, GLOBAL_NAMESPACE] : [namespace]).toReversed();
    const lasting = here.filter(isLasting).slice(0, CANDIDATES);
    const since = Date.now() - RECENT_MS;
    const isAll = isOnce || here.length <= SCORE_ALL_UP_TO;
    const others = here
      .filter((known) => !isLasting(known) && known.namespace === namespace && (isAll || known.createdAt > since))
      .slice(0, MOST_OTHERS);
    const found = (await entries.getMany([...lasting, ...others].map(({ id }) => id))).map((entry) => ({ entry }));
    return { found, nearby: found, filed: [] };
  }
}

interface Gathered {
  readonly found: readonly LineItem[];
  /** All entries that the search considered, because a correction of a result may be among them. */
  readonly nearby: readonly LineItem[];
  readonly filed: readonly LineItem[];
}

const mostItems = ({ maxTokens = 0 }: Pick<Wanted, 'maxTokens'>, isAsked: boolean): number =>
  isAsked ? Math.max(MOST_ITEMS, Math.floor(maxTokens / TOKENS_PER_ITEM)) : MOST_AT_START;

/** Equal for two prompts of the same words. */
const keyOf = (prompt: string): string => tokenize(asked(prompt)).join(' ');

/** The beginning and the end of a long prompt. */
function asked(prompt: string): string {
  if (prompt.length <= ASKED_CHARS) return prompt;
  const half = ASKED_CHARS / 2;
  return `${prompt.slice(0, half)}\n${prompt.slice(-half)}`.toWellFormed();
}

function isLasting({ tags, priority }: Pick<Entry, 'tags' | 'priority'>): boolean {
  return priority === 'high' || tags.some(isLastingTag);
}

/**
 * The entries that may be shown; an older one that a newer one seems to correct follows it and is marked. If the newer one was already
 * shown, the older one is left out, because alone it would seem valid.
 */
function withNewer(found: readonly LineItem[], nearby: readonly LineItem[], isUntold: (each: LineItem) => boolean): LineItem[] {
  const told: LineItem[] = [];
  const ids = new Set<string>();
  const add = (each: LineItem): void => {
    if (ids.has(each.entry.id)) return;
    ids.add(each.entry.id);
    told.push(each);
  };
  for (const each of found) {
    const newer = nearby.find((other) => corrects(other.entry, each.entry));
    if (newer === undefined) {
      if (isUntold(each)) add(each);
    } else if (isUntold(newer)) {
      add(newer);
      if (isUntold(each)) add({ ...each, outdated: true });
    }
  }
  return told;
}

const comparisons = new RecentMap<string, boolean>(REMEMBERED_PAIRS);

function corrects(newer: Entry, older: Entry): boolean {
  if (newer.createdAt <= older.createdAt || newer.namespace !== older.namespace) return false;
  const pair = `${newer.contentHash.slice(0, HASH_CHARS)}${older.contentHash.slice(0, HASH_CHARS)}`;
  let isCorrection = comparisons.get(pair);
  if (isCorrection === undefined) comparisons.set(pair, (isCorrection = mayOutdate(newer.content, older.content)));
  return isCorrection;
}

/** The first entries that fit, each text once, all but the first in `lineChars`; an outdated one only after the newer one. */
function fitting(found: readonly LineItem[], { chars, most, lineChars }: { chars: number; most: number; lineChars: number }): LineItem[] {
  const chosen: LineItem[] = [];
  const lines = new Set<string>();
  let left = chars;
  let isNewerIn = false;
  for (const [nth, one] of found.entries()) {
    const each = nth === 0 ? one : { ...one, chars: lineChars };
    const line = lineOf(itemOf(each));
    const fits: boolean = chosen.length < most && line.length + 1 <= left && !lines.has(line) && (each.outdated !== true || isNewerIn);
    if (each.outdated !== true) isNewerIn = fits;
    if (!fits) continue;
    lines.add(line);
    chosen.push(each);
    left -= line.length + 1;
  }
  return chosen;
}

/** Decisions and similar first, the newest first; an entry that a newer one mentions stays after it. */
function arranged(chosen: readonly LineItem[]): LineItem[] {
  const groups: [LineItem, ...LineItem[]][] = [];
  for (const each of chosen) {
    const before =
      each.outdated === true ? groups.at(-1) : groups.find((group) => group.some(({ entry }) => each.newer?.includes(entry.id) === true));
    if (before === undefined) groups.push([each]);
    else before.push(each);
  }
  const lasting = groups.filter(([first]) => isLasting(first.entry));
  const others = groups.filter((group) => !lasting.includes(group));
  return [...lasting.toSorted(([a], [b]) => b.entry.createdAt - a.entry.createdAt), ...others].flat();
}
