import { setTimeout as sleep } from 'node:timers/promises';
import type { Embedder, EmbedderChoice } from '../../embeddings/embedder.ts';
import { LoreError } from '../../memory/errors.ts';
import type { Log } from '../../memory/log.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import type { NextVectors } from '../../store/vectors/next-vectors.ts';
import type { Store } from '../../store/store.ts';
import { withEntities, type Drafting } from '../changes/drafting.ts';
import { spaceOf } from '../recall/vector-leg.ts';

/** Entries embedded and stored together: a killed process loses at most this work. */
const BATCH = 100;
/** If no more entries than this arrived during the run, they are embedded after the switch. */
const FEW = 50;
const PROBES = 100;
const PROBE_CHARS = 200;
const PROBE_HITS = 10;
/** Probes that are embedded in parallel. */
const AT_ONCE = 2;
/** Interval for checking whether the server that maintains a shared store has made the change. */
const POLL_MS = 1_000;
/** Least share of the results of the old vectors that the new ones must find, or of everything. */
const LEAST_SHARE = 0.9;

interface Parts {
  readonly store: Store;
  readonly choice: EmbedderChoice;
  readonly drafting: Drafting;
  readonly log: Log;
}

/** The error if the new vectors do not find existing entries. */
export class VectorsRefused extends LoreError {}

/** Progress of a switch. */
export interface Progress {
  migrated: number;
  phase: 'starting' | 'waiting' | 'embedding' | 'checking' | 'switching';
}

interface Run {
  readonly progress: Progress;
  /** Entries whose vectors are to be replaced. */
  readonly isWanted: (known: CatalogEntry) => boolean;
  readonly isOver: () => boolean;
  /** Called once this process or, on a shared store, another server would finish the switch after a kill. */
  readonly onBegun: () => void;
}

/** How one attempt ended: `left` means that another server maintains the store. */
type Outcome = 'switched' | 'stopped' | 'left';

/**
 * Switches a store from the active model to the target: collects the new vectors, tests them by searching for existing entries, and
 * replaces the old ones all at once. Until then all searches and saves use the old model. Collected vectors are kept, so an interrupted
 * run continues. Of the servers of a shared store the one that maintains it does this; any other asks it, and waits.
 */
export class ModelSwitch {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves with whether the target is active now; false if stopped. Rejects with `VectorsRefused` if the new vectors fail the test. */
  async run(run: Run): Promise<boolean> {
    const { store } = this.#parts;
    for (;;) {
      if (run.isOver()) return false;
      const outcome = (await store.spaces.takeOver()) ? await this.#tryToSwitch(run) : await this.#ask(run);
      if (outcome !== 'left') return outcome === 'switched';
    }
  }

  /** A server that lost its role leaves the run, with the collected vectors, to its successor. */
  async #tryToSwitch(run: Run): Promise<Outcome> {
    try {
      return await this.#switch(run);
    } catch (error) {
      if (this.#parts.store.maintains || error instanceof VectorsRefused) throw error;
      return 'left';
    }
  }

  /** Asks the maintaining server by creating the table that it watches for. */
  async #ask({ progress, isOver, onBegun }: Run): Promise<Outcome> {
    const { store, choice } = this.#parts;
    const { target } = choice;
    progress.phase = 'waiting';
    (await store.spaces.collect(spaceOf(target))).close();
    onBegun();
    while (!isOver() && choice.target === target) {
      await sleep(POLL_MS, undefined, { ref: false });
      const isBegun = (await store.spaces.begun()) === target.fingerprint;
      await store.catchUp();
      if (choice.active === target) return 'switched';
      if (await store.spaces.takeOver()) return 'left';
      // Unless its reads are just moving to the new vectors.
      if (!isBegun && store.maintenance === 'idle') throw notSwitched(target);
    }
    return 'stopped';
  }

  async #switch({ progress, isWanted, isOver: isEnding, onBegun }: Run): Promise<Outcome> {
    const { store, choice, log } = this.#parts;
    const { target } = choice;
    const isOver = (): boolean => isEnding() || choice.target !== target || !store.maintains;
    const over = (): Outcome => (store.maintains ? 'stopped' : 'left');
    const space = spaceOf(target);
    const next = await store.spaces.collect(space);
    onBegun();
    progress.phase = 'embedding';
    try {
      const stale = (): CatalogEntry[] =>
        store.catalog.entries().filter((known) => known.embedder !== target.fingerprint && isWanted(known));
      progress.migrated = stale().filter((known) => next.has(known)).length;
      for (let left = Infinity; left > FEW;) {
        const missing = stale().filter((known) => !next.has(known));
        // If the number does not fall, entries change faster than they are embedded.
        if (missing.length === 0 || missing.length >= left) break;
        left = missing.length;
        await this.#collect({ next, target, ids: new Set(missing.map(({ id }) => id)), progress, isOver });
        if (isOver()) return over();
      }
      progress.phase = 'checking';
      await this.#check(next, target);
      if (isOver()) return over();
      progress.phase = 'switching';
      const switched = await store.spaces.switchTo({
        space,
        next,
        change: (row) => ({ ...row, entry: withEntities(row.entry) }),
        onSwitched: () => choice.promote(),
      });
      log.info({ entries: switched, embedder: target.fingerprint }, 'switched to the vectors of another model');
      await next.drop();
      return 'switched';
    } finally {
      next.close();
    }
  }

  async #collect({ next, target, ids, progress, isOver }: Collecting): Promise<void> {
    const { store, drafting } = this.#parts;
    for await (const rows of store.entries.scan((id) => ids.has(id))) {
      for (let start = 0; start < rows.length; start += BATCH) {
        if (isOver()) return;
        const batch = rows.slice(start, start + BATCH);
        const entries = batch.map(({ entry }) => entry);
        const vectors = await drafting.vectors(entries, undefined, target);
        await next.add(batch.map((row, nth) => ({ ...row, vectors: vectors[nth] })));
        progress.migrated += batch.length;
      }
    }
  }

  /** Searches for entries by the beginning of their own text, in both spaces. */
  async #check(next: NextVectors, target: Embedder): Promise<void> {
    const { store, choice } = this.#parts;
    const ids = store.catalog.entries().flatMap((known) => (next.has(known) ? [known.id] : []));
    const step = Math.max(1, Math.floor(ids.length / PROBES));
    const contents = await store.entries.contents(ids.filter((_, nth) => nth % step === 0).slice(0, PROBES));
    const probes = [...contents].map(([id, content]) => ({ id, text: content.slice(0, PROBE_CHARS).toWellFormed() }));
    const found = await shareFound(probes, async (text) => next.nearest(await target.embedQuery(text), PROBE_HITS));
    if (found >= LEAST_SHARE) return;
    const { active } = choice;
    const percent = (share: number): string => `${Math.round(share * 100)} %`;
    const finds = `The vectors of ${target.model} find ${percent(found)} of ${probes.length} entries by their own text`;
    if (active.isMissing === true) return await this.#refuse(next, finds);
    const before = await shareFound(probes, async (text) => {
      const vector = await active.embedQuery(text);
      return (await store.searchVectors({ vector, fingerprint: active.fingerprint, filter: {}, limit: PROBE_HITS })).map(({ id }) => id);
    });
    if (found >= LEAST_SHARE * before) return;
    await this.#refuse(next, `${finds}, the vectors of ${active.model} ${percent(before)}`);
  }

  async #refuse(next: NextVectors, finds: string): Promise<never> {
    await next.drop();
    throw new VectorsRefused('unavailable', `${finds}: Lore keeps the old model.`, {
      hint: 'Check the server at embeddings.baseUrl, or choose another model.',
    });
  }
}

function notSwitched({ model }: Embedder): LoreError {
  return new LoreError('unavailable', `The server that maintains the store did not change to the vectors of ${model}; its log says why.`, {
    hint: 'Its settings of embeddings.* must be the same. Then run `lore migrate` again.',
  });
}

interface Collecting extends Pick<Run, 'progress' | 'isOver'> {
  readonly next: NextVectors;
  readonly target: Embedder;
  readonly ids: ReadonlySet<string>;
}

interface Probe {
  readonly id: string;
  readonly text: string;
}

/** Share of the probes whose entry is among what `search` finds, 0..1. */
async function shareFound(probes: readonly Probe[], search: (text: string) => Promise<readonly string[]>): Promise<number> {
  let found = 0;
  for (let start = 0; start < probes.length; start += AT_ONCE) {
    const batch = probes.slice(start, start + AT_ONCE);
    const hits = await Promise.all(batch.map(async ({ id, text }) => (await search(text)).includes(id)));
    found += hits.filter(Boolean).length;
  }
  return probes.length === 0 ? 1 : found / probes.length;
}
