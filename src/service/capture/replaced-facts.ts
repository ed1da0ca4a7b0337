import { toolKind } from '../../memory/capture/capture-commands.ts';
import type { Clock } from '../../memory/clock.ts';
import {
  editsOf,
  isOfOtherFile,
  namesValue,
  replacesTrace,
  valueOf,
  type Edit,
  type EditedValue,
} from '../../memory/capture/edited-values.ts';
import { sentencesOf } from '../../memory/capture/capture-text.ts';
import { GLOBAL_NAMESPACE, type Entry } from '../../memory/entry.ts';
import type { CaptureRequest } from '../../memory/operations/capture-operations.ts';
import { contentTokens } from '../../memory/relation-cues/relation-cues-evidence.ts';
import { tokenize } from '../../memory/words/tokens.ts';
import type { Store } from '../../store/store.ts';
import type { WriteLimiter } from '../write-limiter.ts';
import type { CaptureGate } from './capture-gate.ts';
import type { CaptureStoring } from './capture-storing.ts';
import { supersede } from './superseding.ts';

/** Entries with the replaced value that are compared. */
const COMPARED = 20;
/** Captured entries, the newest first, whose traces of edits are compared. */
const TRACED = 300;
/** A longer prompt has other things to say. UTF-16 units. */
const LONGEST_UNKEPT = 360;
/** In an edit that replaces more words, no number is looked for. */
const MOST_OF_NUMBER = 3;
const NUMBER = /^\d/;
/** A word with a capital inside a sentence. */
const NAME = /(?<=[\p{L}\p{N},;:'’] )\p{Lu}[\p{L}\p{N}]{2,}/gu;

interface Parts {
  readonly store: Store;
  readonly limiter: WriteLimiter;
  readonly clock: Clock;
  readonly gate: CaptureGate;
  readonly storing: CaptureStoring;
}

/** A statement captured from the current turn. */
export interface CapturedFact {
  readonly id: string;
  readonly text: string;
  /** Whether it replies to an answer that offered something, or has words of that answer. */
  readonly isReply: boolean;
  readonly offer?: string | undefined;
}

/** A prompt of which nothing was kept, and the answer that it may reply to. */
export interface UncapturedPrompt {
  readonly event: CaptureRequest;
  readonly text: string;
  readonly offer: string | undefined;
}

/** The prompt of the current turn. */
interface Turn {
  readonly said: readonly CapturedFact[];
  readonly unkept: UncapturedPrompt | undefined;
}

/** An edit of the turn and the value that it replaces. */
interface Change {
  readonly edit: Edit;
  readonly value: EditedValue;
  readonly namespace: string;
  /** Ids of the entries captured in the turn. */
  readonly own: ReadonlySet<string>;
}

/**
 * Finds the older fact that a person just changed, by the edits of the turn. An edit shows it in two ways: it replaces the value of the
 * older fact by the value of the newer one ("make it 5 mites" after "more than 10 mites", with `ALARM = 10` edited to `ALARM = 5`), or it
 * replaces what an edit after the older statement had brought in.
 */
export class ReplacedFacts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Relates the statements of a turn by its edits. Captures a prompt without lasting content of its own ("450") if an edit shows that it
   * changed a fact, and returns it. Costs a search per replaced value.
   */
  async look(edits: readonly Edit[], { said, unkept }: Turn, namespace: string): Promise<CapturedFact | undefined> {
    for (const edit of edits) {
      const value = valueOf(edit);
      if (value === undefined) continue;
      const change = { edit, value, namespace, own: new Set(said.map(({ id }) => id)) };
      if (said.length > 0) await this.#relate(said, change);
      const kept = said.length > 0 || unkept === undefined ? undefined : await this.#keepChanging(unkept, change);
      if (kept !== undefined) return kept;
    }
    return undefined;
  }

  /** Relates the statement that names the new value, or the only one of the turn if the older fact names the replaced value. */
  async #relate(said: readonly CapturedFact[], change: Change): Promise<void> {
    const { before, after } = change.value;
    const traced = await this.#traced(change);
    const isOlder = traced !== undefined && namesValue(traced.content, before);
    const newer = said.find(({ text }) => namesValue(text, after)) ?? (isOlder && said.length === 1 ? said[0] : undefined);
    if (newer === undefined) return;
    const isMatch = traced !== undefined && (isOlder || sharesSubject(traced.content, newer.text));
    const older = isMatch ? traced : await this.#olderThan(newer.text, change);
    if (older !== undefined) await supersede(this.#parts, newer.id, older.id);
  }

  /** Keeps a prompt that changed an older fact, and relates them. */
  async #keepChanging(unkept: UncapturedPrompt, change: Change): Promise<CapturedFact | undefined> {
    const text = changingText(unkept, change.value);
    if (text === undefined) return undefined;
    const traced = await this.#traced(change);
    const isOlder = traced !== undefined && namesValue(traced.content, change.value.before);
    const older = isOlder ? traced : await this.#olderThan(text, change);
    const kept = older === undefined ? undefined : await this.#keep(text, unkept, change.namespace);
    if (older !== undefined && kept !== undefined) await supersede(this.#parts, kept.id, older.id);
    return kept;
  }

  /** The newest entry whose edit added what this one replaces. */
  async #traced({ edit, own, namespace }: Change): Promise<Entry | undefined> {
    const { catalog, entries } = this.#parts.store;
    const captured = catalog
      .entries()
      .filter(
        ({ id, source, superseded, namespace: of }) =>
          source === 'auto-capture' && !superseded && (of === namespace || of === GLOBAL_NAMESPACE) && !own.has(id),
      )
      .toSorted((one, other) => other.createdAt - one.createdAt)
      .slice(0, TRACED);
    const found = (await entries.getMany(captured.map(({ id }) => id))).filter(({ sourceRef }) => replacesTrace(edit, tracesIn(sourceRef)));
    return found.toSorted((one, other) => other.createdAt - one.createdAt)[0];
  }

  /** The entry that has the replaced value: one on the same subject, else the only one with this number or name. */
  async #olderThan(text: string, { edit, value: { before, after }, own, namespace }: Change): Promise<Entry | undefined> {
    const { store } = this.#parts;
    const filter = { namespaces: [...new Set([namespace, GLOBAL_NAMESPACE])], current: true, kind: 'memory' } as const;
    const subject = new Set(contentTokens(text).filter((token) => !isNumber(token)));
    // An older entry may have the value in another notation.
    const hits = await store.searchKeywords({ tokens: [...new Set([...before, ...subject])], filter, limit: COMPARED });
    const entries = (await store.entries.getMany(hits.map(({ id }) => id))).filter(
      ({ id, content, superseded }) =>
        !own.has(id) && superseded !== true && namesValue(content, before) && !namesValue(content, after.filter(isNumber)),
    );
    const shared = (entry: Entry): number => contentTokens(entry.content).filter((token) => subject.has(token)).length;
    const [best] = entries.toSorted((one, other) => shared(other) - shared(one) || other.createdAt - one.createdAt);
    if (best === undefined) return undefined;
    const isName = hasName(best.content, before) && hasName(text, after);
    // Among many replaced words, a number is there by chance.
    if (Math.max(before.length, after.length) > MOST_OF_NUMBER) return isName && entries.length === 1 ? best : undefined;
    // The same number in another file is another value.
    const isNumberHere = before.some(isNumber) && !isOfOtherFile(edit, tracesIn(best.sourceRef));
    return shared(best) > 0 || (entries.length === 1 && (isName || isNumberHere)) ? best : undefined;
  }

  async #keep(text: string, { event, offer }: UncapturedPrompt, namespace: string): Promise<CapturedFact | undefined> {
    const { gate, storing } = this.#parts;
    const candidate = gate.fitting({ kind: 'decision', text }, { isKept: false });
    const id = candidate === undefined ? undefined : await storing.store(candidate, event, namespace);
    return id === undefined ? undefined : { id, text, isReply: offer !== undefined, offer };
  }
}

/** The edits of an event that succeeded; none for other events. */
export function editsIn({ event, tool = '', input = '', output = '', failed, cwd }: CaptureRequest): Edit[] {
  if (event !== 'tool' || failed === true || toolKind(tool, input) !== 'edit') return [];
  return input.includes('\n') ? editsOf(input) : editsOf(output, withinFolder(input.trim(), cwd));
}

/** The path below the folder that an agent works in, which is the same in another clone. */
function withinFolder(file: string, cwd = ''): string {
  const folder = cwd.replace(/[\\/]+$/, '');
  const isBelow = folder !== '' && file.startsWith(folder) && /^[\\/]/.test(file.slice(folder.length));
  return isBelow ? file.slice(folder.length + 1) : file;
}

/** A short prompt that names the new value, or replies to an answer whose last such sentence does. */
function changingText({ text, offer = '' }: UncapturedPrompt, { after }: EditedValue): string | undefined {
  if (text.length > LONGEST_UNKEPT) return undefined;
  if (namesValue(text, after)) return text;
  const offered = sentencesOf(offer).findLast((sentence) => namesValue(sentence.text, after));
  return offered === undefined ? undefined : `${offered.text} ${text}`;
}

function tracesIn(sourceRef: Entry['sourceRef']): string[] {
  const edits = sourceRef?.['edits'];
  return Array.isArray(edits) ? edits.filter((edit) => typeof edit === 'string') : [];
}

function sharesSubject(one: string, other: string): boolean {
  const words = new Set(contentTokens(one).filter((token) => !isNumber(token)));
  return contentTokens(other).some((token) => words.has(token));
}

function hasName(text: string, words: readonly string[]): boolean {
  const names = new Set((text.match(NAME) ?? []).flatMap((name) => tokenize(name)));
  return words.some((word) => names.has(word));
}

const isNumber = (token: string): boolean => NUMBER.test(token);
