import type { ListResponse, Memory } from '../api/responses.ts';

/** Entries per request: about two windows of rows, so that the first arrive soon. */
export const PAGE = 32;
/** Number of cached pages; the farthest ones are dropped. */
const KEPT = 190;
/** Delay before a page is loaded, so that pages scrolled past are not requested. */
const SETTLE_MS = 40;

export type LoadPage = (offset: number, signal: AbortSignal) => Promise<ListResponse>;

interface Parts {
  readonly load: LoadPage;
  readonly total: number;
  /** Called when rows are loaded. */
  readonly onRows: () => void;
  /** Called when the total count changed, so that indexes have shifted. */
  readonly onShift: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Indexes from the first to the second, exclusive. */
export type Range = readonly [number, number];

/** A long list of which only visible parts are loaded. */
export class MemoryPages {
  readonly total: number;
  readonly #parts: Parts;
  readonly #pages = new Map<number, readonly Memory[]>();
  readonly #asked = new Map<number, AbortController>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: Parts, pages: ReadonlyMap<number, readonly Memory[]>) {
    this.#parts = parts;
    this.total = parts.total;
    for (const [page, rows] of pages) this.#pages.set(page, rows);
  }

  /** Undefined while it is not loaded. */
  at(place: number): Memory | undefined {
    return this.#pages.get(Math.floor(place / PAGE))?.[place % PAGE];
  }

  /** All loaded entries in order, with their indexes. */
  *loaded(): Generator<readonly [number, Memory]> {
    for (const page of [...this.#pages.keys()].toSorted((a, b) => a - b)) {
      for (const [nth, memory] of this.#pages.get(page)!.entries()) yield [page * PAGE + nth, memory];
    }
  }

  /** Loads a range after a short delay, and cancels pending loads of earlier ranges. */
  look(ranges: readonly Range[]): void {
    clearTimeout(this.#timer);
    const wanted = pagesOf(ranges.map(([from, to]) => [from, Math.min(to, this.total)]));
    for (const [page, asked] of this.#asked) if (!wanted.includes(page)) asked.abort();
    if (wanted.every((page) => this.#pages.has(page) || this.#asked.has(page))) return;
    this.#timer = setTimeout(() => {
      for (const page of wanted) this.#fetch(page).catch(this.#parts.onFailure);
    }, SETTLE_MS);
  }

  /** The entries of a range, loaded if necessary; undefined if indexes have shifted. */
  async range([from, to]: Range, signal: AbortSignal): Promise<readonly Memory[] | undefined> {
    for (const page of pagesOf([[from, to]])) {
      if (!this.#pages.has(page) && !(await this.#load(page, signal))) return undefined;
    }
    const rows: Memory[] = [];
    for (let place = from; place < to; place += 1) {
      const memory = this.at(place);
      if (memory !== undefined) rows.push(memory);
    }
    return rows;
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const asked of this.#asked.values()) asked.abort();
  }

  async #fetch(page: number): Promise<void> {
    if (this.#pages.has(page) || this.#asked.has(page)) return;
    const asked = new AbortController();
    this.#asked.set(page, asked);
    try {
      await this.#load(page, asked.signal);
    } catch (error) {
      if (!asked.signal.aborted) throw error;
    } finally {
      if (this.#asked.get(page) === asked) this.#asked.delete(page);
    }
  }

  /** False if the total count changed: the rows then have other indexes. */
  async #load(page: number, signal: AbortSignal): Promise<boolean> {
    const { entries, total } = await this.#parts.load(page * PAGE, signal);
    if (total !== this.total) {
      this.#parts.onShift();
      return false;
    }
    this.#pages.set(page, entries);
    this.#dropFarFrom(page);
    this.#parts.onRows();
    return true;
  }

  #dropFarFrom(page: number): void {
    if (this.#pages.size <= KEPT) return;
    const byDistance = [...this.#pages.keys()].toSorted((a, b) => Math.abs(b - page) - Math.abs(a - page));
    for (const far of byDistance.slice(0, this.#pages.size - KEPT)) this.#pages.delete(far);
  }
}

/** The pages that contain a range. */
export function pagesOf(ranges: readonly Range[]): readonly number[] {
  const pages = ranges.flatMap(([from, to]) => {
    const first = Math.max(0, Math.floor(from / PAGE));
    const last = Math.max(first, Math.ceil(to / PAGE) - 1);
    return Array.from({ length: last - first + 1 }, (_, nth) => first + nth);
  });
  return [...new Set(pages)];
}
