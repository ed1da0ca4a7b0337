import type { Entry } from '../../memory/entry.ts';
import type { Clock } from '../../memory/clock.ts';
import { LoreError } from '../../memory/errors.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import { findSecrets, redactPart } from '../../memory/secrets/redaction.ts';
import { keyLeftOpen, type OpenKey } from '../../memory/secrets/secret-blocks.ts';
import {
  SOURCE_KINDS,
  type RemovedSource,
  type RemoveSourcesRequest,
  type ReplacedSource,
  type ReplaceSourcesRequest,
  type SourceFile,
  type SourceKind,
  type SourceOperations,
  type SourcePage,
  type SourcePassage,
  type SourcesRequest,
  type StoredSource,
} from '../../memory/operations/source-operations.ts';
import type { CatalogEntry } from '../../store/catalog/catalog-entry.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import { contentHash } from '../../store/format/content-hash.ts';
import { type Drafting } from '../changes/drafting.ts';
import type { Secrets } from '../secrets.ts';
import { EarlierEntries, planFile, type CleanFile, type FilePlan, type MovedEntry, type PlanContext } from './source-plan.ts';
import { containerOf, containerPrefix, isAsRead, sourcePositionOf } from './source-locations.ts';
import { EventLoopYielder } from '../event-loop-yielder.ts';
import type { WriteLimiter, WriteSize } from '../write-limiter.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

const DEFAULT_LIMIT = 100;
/** Passages that are embedded together. */
const BATCH = 500;

interface Parts {
  readonly store: Store;
  readonly drafting: Drafting;
  readonly secrets: Secrets;
  readonly limiter: WriteLimiter;
  readonly clock: Clock;
  /** Namespace of files if a request names none. */
  readonly namespace: string;
  /** Called for every new entry of an ingested document. */
  readonly onIngested: (id: string) => void;
}

/**
 * Stores passages of files as entries. All changes of a file go into one commit, new entries first. If the process ends within the
 * commit, the entries of the file disagree on its version or number, and `list` leaves out its hash.
 */
export class Sources implements SourceOperations {
  readonly #parts: Parts;
  /** One request at a time, because two concurrent replacements of a file would mix. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async list({ namespace = this.#parts.namespace, kind, root, limit = DEFAULT_LIMIT, offset = 0 }: SourcesRequest): Promise<SourcePage> {
    const kinds = kind === undefined ? SOURCE_KINDS : [kind];
    const files = new Map<string, CatalogEntry[]>();
    for (const known of this.#parts.store.catalog.entries()) {
      const { source, container } = known;
      const own = known.namespace === namespace ? kinds.find((each) => each === source) : undefined;
      if (own === undefined || !container.startsWith(root === undefined ? `${own}:` : containerPrefix(own, root))) continue;
      const others = files.get(container);
      if (others === undefined) files.set(container, [known]);
      else others.push(known);
    }
    const page = [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(offset, offset + limit);
    const refs = await this.#parts.store.entries.sourceRefs(page.flatMap(([, known]) => known.map(({ id }) => id)));
    const sources = page.flatMap(([, known]) => storedSource(known, refs));
    return { sources, total: files.size, offset, limit };
  }

  replace(request: ReplaceSourcesRequest, { signal }: CallOptions = {}): Promise<readonly ReplacedSource[]> {
    return this.#inTurn(() => this.#parts.limiter.many(sizeOf(request), () => this.#replace(request, signal), signal));
  }

  remove(request: RemoveSourcesRequest, { signal }: CallOptions = {}): Promise<readonly RemovedSource[]> {
    return this.#inTurn(async () => {
      signal?.throwIfAborted();
      const { kind, root, paths } = request;
      const containers = new Map(paths.map((path) => [containerOf(kind, root, path), path]));
      const gone = await this.#entriesIn(request, new Set(containers.keys()));
      const counts = new Map<string, number>();
      await this.#parts.limiter.many({ changes: gone.length, chars: 0 }, () => Promise.all(this.#takeOut(gone)), signal);
      for (const { container } of gone) counts.set(container, (counts.get(container) ?? 0) + 1);
      return [...containers].map(([container, path]) => ({ path, removed: counts.get(container) ?? 0 }));
    });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#queue.then(work);
    this.#queue = run.catch(() => undefined);
    return await run;
  }

  async #replace(request: ReplaceSourcesRequest, signal: AbortSignal | undefined): Promise<ReplacedSource[]> {
    signal?.throwIfAborted();
    const { clock } = this.#parts;
    const { kind, root, namespace = this.#parts.namespace } = request;
    const yielder = new EventLoopYielder();
    const context: PlanContext = { kind, root, namespace, now: () => clock.now() };
    const containers = new Set(
      request.files.flatMap(({ path, from }) => [path, from ?? path]).map((path) => containerOf(kind, root, path)),
    );
    const earlier = new EarlierEntries(await this.#entriesIn(request, containers));
    const plans: FilePlan[] = [];
    for (const file of request.files) {
      plans.push(await planFile(await this.#clean(file, kind, yielder), earlier, context, yielder.pause));
    }
    const rows = await this.#rows(
      plans.flatMap(({ drafts }) => drafts),
      signal,
    );
    return await this.#commit(plans, rows, earlier.left);
  }

  /** The passages of a file, each once, without secrets that must not be stored. */
  async #clean(file: SourceFile, kind: SourceKind, yielder: EventLoopYielder): Promise<CleanFile> {
    const passages = new Map<string, SourcePassage>();
    const secrets = new Set<string>();
    const isRedacted = this.#parts.secrets.redacts(kind);
    let open: OpenKey | undefined;
    for (const passage of file.passages) {
      const found = isRedacted
        ? this.#redacted(passage, open)
        : { passage, kinds: findSecrets(passage.content).map((secret) => secret.kind) };
      open = keyLeftOpen(passage.content, open);
      for (const each of found.kinds) secrets.add(each);
      const hash = contentHash(found.passage.content);
      if (!passages.has(hash)) passages.set(hash, found.passage);
      await yielder.pause();
    }
    return { file, passages: [...passages.values()], secrets: [...secrets] };
  }

  #redacted(
    passage: SourcePassage,
    { before }: OpenKey = { before: '' },
  ): { readonly passage: SourcePassage; readonly kinds: readonly string[] } {
    const { tags, heading, details } = passage;
    const whole = before + passage.content;
    const content = before === '' ? whole : redactPart(whole, { start: before.length, end: whole.length });
    const { texts, kinds } = this.#parts.secrets.redacted({ content, tags, sourceRef: { heading, details } });
    if (kinds.length === 0 && content === passage.content) return { passage, kinds };
    // Redacting text of these shapes keeps their shapes.
    const about = texts.sourceRef as Pick<SourcePassage, 'heading' | 'details'>;
    return { passage: { ...passage, ...(texts.tags && { tags: [...texts.tags] }), ...about, content: texts.content }, kinds };
  }

  async #rows(drafts: readonly Entry[], signal: AbortSignal | undefined): Promise<ReadonlyMap<string, EntryRow>> {
    const rows = new Map<string, EntryRow>();
    for (let start = 0; start < drafts.length; start += BATCH) {
      signal?.throwIfAborted();
      for (const row of await this.#parts.drafting.rows(drafts.slice(start, start + BATCH), signal)) rows.set(row.entry.id, row);
    }
    return rows;
  }

  /** Writes everything in one turn, so that it shares a commit; new entries first. */
  async #commit(plans: readonly FilePlan[], rows: ReadonlyMap<string, EntryRow>, left: readonly Entry[]): Promise<ReplacedSource[]> {
    const { store, onIngested } = this.#parts;
    const writes = plans.flatMap(({ drafts, moved }) => [
      ...drafts.flatMap(({ id }) => {
        const row = rows.get(id);
        return row === undefined ? [] : [store.entries.insert(row).then(({ entry }) => entry)];
      }),
      ...moved.map((each) => this.#move(each)),
    ]);
    const settled = await Promise.allSettled([...writes, ...this.#takeOut(left)]);
    for (const result of settled) if (result.status === 'rejected' && !isOvertaken(result.reason)) throw result.reason;
    for (const { drafts } of plans) for (const entry of drafts) if (entry.source === 'ingest') onIngested(entry.id);
    return plans.map((plan) => replacedSource(plan, left));
  }

  async #move({ entry: next, searchText }: MovedEntry): Promise<unknown> {
    const { id, source, container, sourceRef, tags, entities, updatedAt } = next;
    const place = { container, tags, updatedAt, ...withoutUndefined({ sourceRef, entities }) };
    const change = (row: EntryRow): EntryRow => ({ ...row, entry: { ...row.entry, ...place }, searchText });
    return await this.#parts.store.entries.update(id, change, source);
  }

  /** Removes entries of files; an edited one stays as a separate entry. */
  #takeOut(entries: readonly Entry[]): Promise<unknown>[] {
    const { store, clock } = this.#parts;
    return entries.map((entry) => {
      const { id, namespace } = entry;
      const isElsewhere = store.catalog.same({ ...entry, container: namespace }) !== undefined;
      if (isAsRead(entry) || isElsewhere) return unlessOvertaken(store.entries.remove(id));
      const freed = (row: EntryRow): EntryRow => ({ ...row, entry: { ...row.entry, container: namespace, updatedAt: clock.now() } });
      return unlessOvertaken(store.entries.update(id, freed, entry.source));
    });
  }

  async #entriesIn(
    { kind, namespace = this.#parts.namespace }: { readonly kind: SourceKind; readonly namespace?: string | undefined },
    containers: ReadonlySet<string>,
  ): Promise<Entry[]> {
    const { catalog, entries } = this.#parts.store;
    const ids = catalog
      .entries()
      .flatMap((known) => (known.source === kind && known.namespace === namespace && containers.has(known.container) ? [known.id] : []));
    return await entries.getMany(ids);
  }
}

/** Embeds all texts, but only as many at once as the model takes, so that one long document does not block other requests. */
function sizeOf({ files }: ReplaceSourcesRequest): WriteSize {
  const passages = files.flatMap((file) => file.passages);
  return { changes: Math.min(passages.length, BATCH), chars: passages.reduce((sum, { content }) => sum + content.length, 0) };
}

/** Undefined if none of the entries names its origin. */
function storedSource(known: readonly CatalogEntry[], refs: ReadonlyMap<string, NonNullable<Entry['sourceRef']>>): StoredSource[] {
  const places = known.flatMap(({ id }) => sourcePositionOf({ sourceRef: refs.get(id) }) ?? []);
  const [first] = places;
  const kind = SOURCE_KINDS.find((each) => each === known[0]?.source);
  if (first === undefined || kind === undefined) return [];
  const isWhole = known.length === first.of && places.every(({ hash, of }) => hash === first.hash && of === first.of);
  const { root, file: path, hash } = first;
  const updatedAt = known.reduce((latest, entry) => Math.max(latest, entry.updatedAt), 0);
  return [{ kind, root, path, ...(isWhole ? { hash } : {}), entries: known.length, updatedAt }];
}

function replacedSource({ clean: { file, secrets }, drafts, moved, unchanged }: FilePlan, left: readonly Entry[]): ReplacedSource {
  const paths = new Set([file.path, file.from]);
  const removed = left.filter((entry) => paths.has(sourcePositionOf(entry)?.file)).length;
  return { path: file.path, stored: drafts.length, kept: moved.length + unchanged, removed, ...(secrets.length > 0 ? { secrets } : {}) };
}

/** The entry was removed, or one with this text was added, in the meantime: the next run corrects it. */
function isOvertaken(error: unknown): boolean {
  return error instanceof LoreError && (error.code === 'not_found' || error.code === 'invalid_input');
}

async function unlessOvertaken(change: Promise<unknown>): Promise<void> {
  await change.catch((error: unknown) => {
    if (!isOvertaken(error)) throw error;
  });
}
