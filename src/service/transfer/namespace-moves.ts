import { randomUUID } from 'node:crypto';
import type { Clock } from '../../memory/clock.ts';
import { GLOBAL_NAMESPACE } from '../../memory/entry.ts';
import { entryNotFound, LoreError } from '../../memory/errors.ts';
import type {
  MergeNamespacesRequest,
  MoveReport,
  MoveRequest,
  NamespaceOperations,
  RenameNamespaceRequest,
} from '../../memory/operations/namespace-operations.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import type { Store } from '../../store/store.ts';
import { dropUnfinishedRename, keepUnfinishedRename, readUnfinishedRename } from '../../store/files/unfinished-rename.ts';
import { narrow } from '../entry-conditions.ts';
import { selectionOf } from '../changes/entry-selection.ts';
import { Moving, type Move, type Moved } from './moving.ts';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import type { WriteLimiter } from '../write-limiter.ts';

const MAX_NAMED = 1000;

interface Parts {
  readonly store: Store;
  readonly clock: Clock;
  readonly limiter: WriteLimiter;
  /** Called for every moved entry. */
  readonly onMoved: (id: string) => void;
}

interface Work extends Move {
  readonly dryRun: boolean;
  /** Namespaces that are emptied, including their archive. */
  readonly emptied?: ReadonlySet<string>;
  /** Whether the entries get new neighbours. */
  readonly tell: boolean;
}

/** Renames and merges namespaces, and moves entries between them; one operation at a time. */
export class NamespaceMoves implements NamespaceOperations {
  readonly #parts: Parts;
  readonly #yielder = new EventLoopYielder();
  readonly #moving: Moving;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#moving = new Moving({ ...parts, yielder: this.#yielder });
  }

  /** An interrupted rename continues where it stopped. */
  rename({ from, to, dryRun = false }: RenameNamespaceRequest, { source = 'api' }: CallOptions = {}): Promise<MoveReport> {
    return this.#alone(async () => {
      refuseGlobal({ from, to });
      if (from === to) throw new LoreError('invalid_input', '`to` must differ from `from`.');
      await this.#refuseTaken({ from, to });
      const { localPath } = this.#parts.store;
      if (!dryRun) await keepUnfinishedRename(localPath, { from, to });
      const report = await this.#apply({ ...emptying([from]), to, dryRun, by: source, run: randomUUID(), tell: false });
      if (!dryRun) await dropUnfinishedRename(localPath);
      return report;
    });
  }

  merge({ from, into, dryRun = false }: MergeNamespacesRequest, { source = 'api' }: CallOptions = {}): Promise<MoveReport> {
    return this.#alone(async () => {
      if (from.includes(GLOBAL_NAMESPACE)) throw new LoreError('invalid_input', `from must not contain ${GLOBAL_NAMESPACE}: it stays.`);
      if (from.includes(into)) throw new LoreError('invalid_input', 'into must be another namespace than those in `from`.');
      return await this.#apply({ ...emptying(from), to: into, dryRun, by: source, run: randomUUID(), tell: true });
    });
  }

  move({ ids, to, dryRun = false, ...conditions }: MoveRequest, { source = 'api' }: CallOptions = {}): Promise<MoveReport> {
    return this.#alone(async () => {
      if (ids !== undefined && narrow(conditions))
        throw new LoreError('invalid_input', 'Name entries by `ids` or by conditions, not both.');
      const applies = selectionOf({ ids, ...conditions }, 'move');
      const { catalog } = this.#parts.store;
      if (ids?.every((id) => catalog.get(id) === undefined) === true) throw entryNotFound(ids[0] ?? '');
      return await this.#apply({ applies: applies, to, dryRun, by: source, run: randomUUID(), tell: true });
    });
  }

  /** Stops after the current batch. */
  async close(): Promise<void> {
    this.#yielder.stop();
    await this.#queue;
  }
  /** Waits for a running operation. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Only an interrupted rename may continue into a namespace that has entries. */
  async #refuseTaken({ from, to }: { from: string; to: string }): Promise<void> {
    const { store } = this.#parts;
    if (store.catalog.count({ namespaces: [to] }) === 0) return;
    const begun = await readUnfinishedRename(store.localPath);
    if (begun?.from === from && begun.to === to) return;
    throw new LoreError('invalid_input', `to must name an unused namespace; ${JSON.stringify(to)} holds entries: merge the two instead.`, {
      hint: 'Merge with `lore namespace merge`.',
    });
  }

  async #apply({ dryRun, emptied, tell, ...move }: Work): Promise<MoveReport> {
    const { matches, moved, duplicates } = dryRun ? this.#moving.preview(move) : await this.#moving.moveAll(move);
    if (tell && !dryRun) for (const { id } of moved) this.#parts.onMoved(id);
    const archived = emptied === undefined ? 0 : await this.#archived(emptied, move, dryRun);
    return {
      dryRun,
      to: move.to,
      matches,
      moved: moved.length,
      merged: duplicates.length,
      duplicates: duplicates.slice(0, MAX_NAMED),
      archived,
      left: matches - moved.length - duplicates.length,
      ...(!dryRun && emptied === undefined && { cameFrom: byOrigin(moved) }),
      ...(!dryRun && duplicates.length > 0 && { run: move.run }),
    };
  }

  async #archived(emptied: ReadonlySet<string>, move: Move, dryRun: boolean): Promise<number> {
    if (!dryRun) return await this.#moving.moveArchived(emptied, move);
    const cells = await this.#parts.store.auxiliary.archive.cells();
    return cells.filter((row) => emptied.has(String(row['namespace']))).length;
  }
}

function emptying(namespaces: readonly string[]): Required<Pick<Work, 'applies' | 'emptied'>> {
  const emptied = new Set(namespaces);
  return { applies: ({ namespace }) => emptied.has(namespace), emptied };
}

function byOrigin(moved: readonly Moved[]): { namespace: string; ids: string[] }[] {
  const origins = new Map<string, string[]>();
  for (const { id, from } of moved) {
    const ids = origins.get(from);
    if (ids === undefined) origins.set(from, [id]);
    else ids.push(id);
  }
  return [...origins].map(([namespace, ids]) => ({ namespace, ids }));
}

function refuseGlobal(names: Readonly<Record<'from' | 'to', string>>): void {
  const [field] = Object.entries(names).find(([, name]) => name === GLOBAL_NAMESPACE) ?? [];
  if (field === undefined) return;
  throw new LoreError('invalid_input', `${field} must not be ${GLOBAL_NAMESPACE}: that namespace keeps its name.`);
}
