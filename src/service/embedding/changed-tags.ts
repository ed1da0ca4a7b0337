import type { Log } from '../../memory/log.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import type { EntryChange } from '../../store/write/entry-changes.ts';

/** Rows embedded and written together. */
const BATCH = 100;

interface Parts {
  readonly store: Store;
  readonly log: Log;
  readonly embed: (rows: readonly EntryRow[]) => Promise<void>;
  readonly onFailure: () => void;
}

/** Updates vectors after tag changes, because tags are embedded with the text. */
export class ChangedTags {
  readonly #parts: Parts;
  readonly #waiting = new Set<string>();
  #running: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.store.tell((changes) => this.#note(changes));
  }

  /** Resolves when no update is running. */
  async finish(): Promise<void> {
    await this.#running;
  }

  #note(changes: readonly EntryChange[]): void {
    const { catalog } = this.#parts.store;
    for (const { id, before, after } of changes) {
      if (before !== undefined && after !== undefined && catalog.get(id)?.embedder === '') this.#waiting.add(id);
    }
    if (this.#waiting.size > 0) this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // Runs after the commit that was reported.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      while (this.#waiting.size > 0) {
        const ids = new Set(this.#waiting);
        this.#waiting.clear();
        for await (const rows of this.#parts.store.entries.scan((id) => ids.has(id))) {
          for (let start = 0; start < rows.length; start += BATCH) await this.#parts.embed(rows.slice(start, start + BATCH));
        }
      }
    } catch (error) {
      this.#parts.log.warn({ error: String(error) }, 'entries whose tags were changed wait for their vectors');
      this.#parts.onFailure();
    } finally {
      this.#running = undefined;
    }
  }
}
