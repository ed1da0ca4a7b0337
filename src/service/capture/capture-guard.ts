import type { Entry } from '../../memory/entry.ts';
import { redact } from '../../memory/secrets/redaction.ts';
import { bareWords, isKnownText, shinglesOf } from '../../memory/words/shingles.ts';

/** Returned entries that wait to be learned, because learning costs more than a search may. */
const MAX_WAITING = 2000;
const MAX_WAITING_CHARS = 16 * 1024 * 1024;
/** Only the beginning of a long entry is learned; UTF-16 units. */
const LEARNED_CHARS = 65_536;
/** In each of two generations: about 4,000 long paragraphs. */
const MAX_SHINGLES = 250_000;

/**
 * The loop guard: remembers text that Lore returned in this process, so that it is not captured as new. Bounded: the oldest text is
 * dropped first. Dropped text, and text from before a restart, is still found among the entries.
 */
export class CaptureGuard {
  readonly #waiting = new Map<string, string>();
  #waitingChars = 0;
  #young = new Set<number>();
  #old: ReadonlySet<number> = new Set();

  /** Records returned entries. Very cheap. */
  note(entries: readonly Pick<Entry, 'id' | 'content'>[]): void {
    for (const { id, content } of entries) {
      this.#drop(id);
      this.#waiting.set(id, content);
      this.#waitingChars += content.length;
    }
    for (const id of this.#waiting.keys()) {
      if (this.#waiting.size <= MAX_WAITING && this.#waitingChars <= MAX_WAITING_CHARS) break;
      this.#drop(id);
    }
  }

  /** Whether a text only repeats returned text. */
  isOwn(text: string): boolean {
    this.#learn();
    return isKnownText(text, { has: (shingle) => this.#young.has(shingle) || this.#old.has(shingle) });
  }

  #learn(): void {
    for (const content of this.#waiting.values()) {
      const text = content.slice(0, LEARNED_CHARS);
      // Compared without secrets: a model receives entries without them, and hooks remove them from its answers.
      for (const form of new Set([text, redact(text).text])) for (const shingle of shinglesOf(bareWords(form))) this.#young.add(shingle);
      if (this.#young.size < MAX_SHINGLES) continue;
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#waiting.clear();
    this.#waitingChars = 0;
  }

  #drop(id: string): void {
    const content = this.#waiting.get(id);
    if (content === undefined) return;
    this.#waiting.delete(id);
    this.#waitingChars -= content.length;
  }
}
