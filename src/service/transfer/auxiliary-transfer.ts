import { LoreError } from '../../memory/errors.ts';
import type { ArchivedEntry, EntryVersion } from '../../memory/lifecycle.ts';
import { storedName } from '../../memory/names.ts';
import type { AuxiliaryLine, ImportLine } from '../../memory/operations/operations.ts';
import { relationKey, type Relation } from '../../memory/relation.ts';
import type { Store } from '../../store/store.ts';
import { contentHash } from '../../store/format/content-hash.ts';
import { relatedWithin } from '../lifecycle/restoring.ts';

/** Values that are read together. */
const BATCH = 500;

/**
 * The additional data of these entries and, for the archive, of this namespace: relations, archived entries, earlier versions; oldest
 * first. Leaves out the past of an entry in another namespace, and its relations to entries there.
 */
export async function* exportAuxiliary(store: Store, exported: ReadonlySet<string>, namespace?: string): AsyncGenerator<AuxiliaryLine> {
  const { archive, history } = store.auxiliary;
  for (const relation of relationsAmong(store, exported)) yield { relation };
  const archived = (await archive.cells()).filter(
    (cells) => namespace === undefined || storedName(String(cells['namespace'])) === namespace,
  );
  const archivedIds = keysBy('archived_at', archived);
  const known = new Set([...exported, ...archivedIds]);
  for await (const value of inBatches(archivedIds, (keys) => archive.getMany(keys))) {
    const { arrivedAt: _ofThisStore, ...entry } = value.entry;
    const archived = { ...value, entry };
    yield { archived: namespace === undefined ? archived : relatedWithin(archived, (id) => known.has(id)) };
  }
  const versions = (await history.cells()).filter((cells) => known.has(String(cells['entry_id'])));
  for await (const version of inBatches(keysBy('written_at', versions), (keys) => history.getMany(keys))) {
    if (namespace === undefined || storedName(version.state.namespace) === namespace) yield { version };
  }
}

/** Oldest first. */
export function relationsAmong(store: Store, ids: ReadonlySet<string>): Relation[] {
  const relations = [...store.auxiliary.graph.all()].filter(({ sourceId, targetId }) => ids.has(sourceId) && ids.has(targetId));
  return relations.toSorted(byAge);
}

function byAge(a: Relation, b: Relation): number {
  return a.createdAt - b.createdAt || (relationKey(a) < relationKey(b) ? -1 : 1);
}

function keysBy(column: string, cells: readonly ({ readonly key: string } & Readonly<Record<string, string | number>>)[]): string[] {
  return cells.toSorted((a, b) => Number(a[column]) - Number(b[column]) || (a.key < b.key ? -1 : 1)).map(({ key }) => key);
}

async function* inBatches<Value>(keys: readonly string[], read: (keys: readonly string[]) => Promise<Value[]>): AsyncGenerator<Value> {
  for (let start = 0; start < keys.length; start += BATCH) yield* await read(keys.slice(start, start + BATCH));
}

/** A line that is not an entry. */
export interface AuxiliaryInput {
  readonly line: number;
  readonly auxiliary: AuxiliaryLine;
  /** The parts of it that were replaced. */
  readonly notes?: readonly string[];
}

/**
 * Imports the data that accompanies entries. A line that names a missing entry waits, because that entry may come later. If an entry exists
 * under another id, the line refers to that one.
 */
export class AuxiliaryImport {
  readonly counts = { lines: 0, relations: 0, archived: 0, versions: 0 };
  readonly #store: Store;
  readonly #dryRun: boolean;
  /** Id in the file -> id in the store, if they differ. */
  readonly #names = new Map<string, string>();
  /** Dry runs only: the entries that would exist. */
  readonly #previewed = new Set<string>();
  #waiting: AuxiliaryInput[] = [];

  constructor(store: Store, { dryRun }: { readonly dryRun: boolean }) {
    this.#store = store;
    this.#dryRun = dryRun;
  }

  /** Call for every entry line, with its id in the file and its id in the store, if it was stored. */
  noteEntry(named: string | undefined, { status, id }: ImportLine): void {
    if (named === undefined || status === 'invalid') return;
    if (this.#dryRun) this.#previewed.add(named);
    else if (id !== undefined && id !== named) this.#names.set(named, id);
  }

  /** The results of these lines, without those that must wait. */
  async take(inputs: readonly AuxiliaryInput[]): Promise<ImportLine[]> {
    this.counts.lines += inputs.length;
    return await this.#takeAll(inputs, false);
  }

  /** Call after the last entry. */
  async finish(): Promise<ImportLine[]> {
    const waiting = this.#waiting.splice(0);
    return await this.#takeAll(waiting, true);
  }

  async #takeAll(inputs: readonly AuxiliaryInput[], isLast: boolean): Promise<ImportLine[]> {
    const done: ImportLine[] = [];
    const settle = (input: AuxiliaryInput, status: ImportLine['status'] | undefined, error?: string): void => {
      if (status === undefined && !isLast) this.#waiting.push(input);
      else
        done.push({
          line: input.line,
          status: status ?? 'invalid',
          ...(status === undefined ? { error: NOT_THERE } : error && { error }),
          ...(input.notes && { notes: input.notes }),
        });
    };
    const kinds = {
      relation: (batch: readonly AuxiliaryInput[]) => this.#relate(batch),
      archived: (batch: readonly AuxiliaryInput[]) => this.#archive(batch),
      version: (batch: readonly AuxiliaryInput[]) => this.#keep(batch),
    };
    // In this order, because a version may belong to an entry that one of these lines archives.
    for (const kind of ['relation', 'archived', 'version'] as const) {
      const some = inputs.filter(({ auxiliary }) => kind in auxiliary);
      for (let start = 0; start < some.length; start += BATCH) {
        const batch = some.slice(start, start + BATCH);
        const results = await kinds[kind](batch);
        for (const [nth, input] of batch.entries()) settle(input, ...(results[nth] ?? [undefined]));
      }
    }
    return done.toSorted((a, b) => a.line - b.line);
  }

  async #relate(inputs: readonly AuxiliaryInput[]): Promise<Result[]> {
    const { graph } = this.#store.auxiliary;
    return await Promise.all(
      inputs.map(async ({ auxiliary }): Promise<Result> => {
        const { relation: given } = auxiliary as { relation: Relation };
        const relation = { ...given, sourceId: this.#nameOf(given.sourceId), targetId: this.#nameOf(given.targetId) };
        // Two lines with the same content became one entry.
        const isMerged = relation.sourceId === relation.targetId && given.sourceId !== given.targetId;
        if (isMerged || graph.get(relationKey(relation)) !== undefined) return ['duplicate'];
        if (!this.#isThere(relation.sourceId) || !this.#isThere(relation.targetId)) return [undefined];
        return await this.#write('relations', () => this.#store.entries.changes.relate(relation));
      }),
    );
  }

  async #archive(inputs: readonly AuxiliaryInput[]): Promise<Result[]> {
    const values = inputs.map(({ auxiliary }) => (auxiliary as { archived: ArchivedEntry }).archived);
    const there = new Set((await this.#store.auxiliary.archive.getMany(values.map(({ entry }) => entry.id))).map(({ entry }) => entry.id));
    return await Promise.all(
      values.map(async (given): Promise<Result> => {
        const { id, content } = given.entry;
        if (there.has(id) || this.#isThere(id)) return ['duplicate'];
        there.add(id);
        if (this.#dryRun) this.#previewed.add(id);
        const value = { ...given, entry: { ...given.entry, contentHash: contentHash(content) } };
        return await this.#write('archived', () => this.#store.entries.changes.adopt({ op: 'side', table: 'archive', key: id, value }));
      }),
    );
  }

  async #keep(inputs: readonly AuxiliaryInput[]): Promise<Result[]> {
    const values = inputs.map(({ auxiliary }) => (auxiliary as { version: EntryVersion }).version);
    const { history, archive } = this.#store.auxiliary;
    const known = new Set((await history.getMany(values.map(versionKey))).map(versionKey));
    const archived = new Set((await archive.getMany(values.map(({ entryId }) => entryId))).map(({ entry }) => entry.id));
    return await Promise.all(
      values.map(async (value): Promise<Result> => {
        const key = versionKey(value);
        // An existing entry keeps its own history.
        if (known.has(key) || this.#nameOf(value.entryId) !== value.entryId) return ['duplicate'];
        if (!archived.has(value.entryId) && !this.#isThere(value.entryId)) return [undefined];
        known.add(key);
        return await this.#write('versions', () => this.#store.entries.changes.adopt({ op: 'side', table: 'history', key, value }));
      }),
    );
  }

  async #write(count: 'relations' | 'archived' | 'versions', write: () => Promise<void>): Promise<Result> {
    try {
      if (!this.#dryRun) await write();
      this.counts[count] += 1;
      return ['stored'];
    } catch (error) {
      if (error instanceof LoreError && error.code === 'not_found') return [undefined];
      if (error instanceof LoreError && error.code === 'invalid_input') return ['invalid', error.message];
      throw error;
    }
  }

  #nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  #isThere(id: string): boolean {
    return this.#store.catalog.get(id) !== undefined || this.#previewed.has(id);
  }
}

/** Undefined if an entry is missing that may still come. */
type Result = [status: ImportLine['status'] | undefined, error?: string];

const NOT_THERE = 'names an entry that is neither in the store nor in the import';
const versionKey = ({ entryId, writtenAt }: EntryVersion): string => `${entryId} ${writtenAt}`;
