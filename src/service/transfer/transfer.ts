import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { v7 as newId } from 'uuid';
import { carriedOf } from '../../memory/entry-fields.ts';
import type { Entry } from '../../memory/entry.ts';
import { LoreError } from '../../memory/errors.ts';
import { EXPORT_FORMAT } from '../../memory/operations/export-header.ts';
import type {
  ExportLine,
  ExportRequest,
  ImportLine,
  ImportOptions,
  ImportPreview,
  ImportReport,
  ImportRequest,
} from '../../memory/operations/operations.ts';
import type { Tombstone } from '../../memory/tombstone.ts';
import type { EntryRow } from '../../store/format/rows.ts';
import type { Store } from '../../store/store.ts';
import type { CompactionRules } from '../lifecycle/compaction-plan.ts';
import { nextTimeAfter, type Clock } from '../../memory/clock.ts';
import { AuxiliaryImport, type AuxiliaryInput } from './auxiliary-transfer.ts';
import { contentHash } from '../../store/format/content-hash.ts';
import { temporaryFolder } from '../../store/tables/engine-temp.ts';
import { draftEntry, type Drafting } from '../changes/drafting.ts';
import { exported } from './exporting.ts';
import { ImportCounts } from './import-counts.ts';
import { parseImportLine, type ImportedEntry } from './import-line.ts';
import { readLines, type Line } from './lines.ts';
import { Secrets } from '../secrets.ts';
import type { WriteLimiter, WriteSize } from '../write-limiter.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

/** Lines that are embedded and committed together. */
const BATCH_LINES = 500;
/** … or fewer, if they are long. */
const BATCH_CHARS = 2 * 1024 * 1024;
const MAX_ERRORS = 1000;
/** Entries that a dry run shows. */
const PREVIEWED = 3;

interface Parts {
  readonly store: Store;
  readonly drafting: Drafting;
  readonly secrets: Secrets;
  readonly limiter: WriteLimiter;
  readonly clock: Clock;
  readonly namespace: string;
  /** Longest accepted line, bytes. */
  readonly maxLineBytes: number;
  /** Of the active embedder: vectors of the same model are kept, others are computed again. */
  readonly space: () => { readonly fingerprint: string; readonly width: number };
  readonly rules: Pick<CompactionRules, 'enabled' | 'maxEntries'>;
  /** Called for every new entry. */
  readonly onStored: (id: string) => void;
}

/** A line that should contain an entry. */
interface Parsed {
  readonly line: number;
  readonly entry?: ImportedEntry;
  /** The result for the secrets in it. */
  readonly secrets?: 'none' | 'redacted' | 'kept';
  readonly error?: string;
  /** The parts of it that were left out or replaced. */
  readonly notes?: readonly string[];
}
interface Batch {
  readonly entries: Parsed[];
  readonly auxiliary: AuxiliaryInput[];
  readonly tombstones: Tombstone[];
}

const newBatch = (): Batch => ({ entries: [], auxiliary: [], tombstones: [] });

/** Import and export: JSON Lines, one entry per line. */
export class Transfer {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  export(request: ExportRequest): AsyncGenerator<ExportLine> {
    return exported(this.#parts, request);
  }

  /** Reads lines in order; a bad one is reported and skipped, or with `strict` nothing at all is stored. */
  async import(chunks: AsyncIterable<Uint8Array>, request: ImportRequest, options: ImportOptions): Promise<ImportReport> {
    if (request.strict !== true) return await this.#read(chunks, request, options);
    const folder = await mkdtemp(path.join(await temporaryFolder(), 'lore-import-'));
    try {
      const file = path.join(folder, 'lines.jsonl');
      await pipeline(chunks, createWriteStream(file, { mode: 0o600 }));
      const check = await this.#read(createReadStream(file), { ...request, dryRun: true }, { signal: options.signal });
      if (check.invalid > 0) {
        for (const line of check.errors) options.onLine?.(line);
        const { preview: _preview, redacted: _redacted, withSecrets: _withSecrets, warnings: _warnings, besides, ...counts } = check;
        const none = besides && { besides: { ...besides, relations: 0, archived: 0, versions: 0 } };
        return { ...counts, ...none, dryRun: request.dryRun === true, stored: 0, duplicates: 0, vectors: { kept: 0, remade: 0 } };
      }
      return await this.#read(createReadStream(file), request, options);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #read(chunks: AsyncIterable<Uint8Array>, request: ImportRequest, options: ImportOptions): Promise<ImportReport> {
    const { signal, onLine, asTheyAre = false } = options;
    const dryRun = request.dryRun === true;
    const report = newReport();
    const preview: ImportPreview[] = [];
    let redacted = 0;
    let withSecrets = 0;
    const perNamespace = new ImportCounts(this.#parts);
    const seen = new Set<string>();
    const imported = new AuxiliaryImport(this.#parts.store, { dryRun });
    const tell = (line: ImportLine): void => {
      countAuxiliary(report, line);
      onLine?.(line);
    };
    for await (const { entries: batch, auxiliary, tombstones } of this.#batches(chunks, asTheyAre)) {
      signal?.throwIfAborted();
      await this.#entomb(tombstones);
      const lines = dryRun ? this.#preview(batch, request, seen) : await this.#storeWhenRoom(batch, request, options);
      for (const [at, read] of lines.entries()) {
        const line = noted(read, batch[at]?.notes);
        count(report, line);
        imported.noteEntry(batch[at]?.entry?.id, line);
        const entry = line.status === 'stored' ? batch[at]?.entry : undefined;
        if (entry !== undefined) perNamespace.note(this.#place(entry, request).namespace);
        if (line.status === 'stored' && batch[at]?.secrets === 'redacted') redacted += 1;
        if (line.status === 'stored' && batch[at]?.secrets === 'kept') withSecrets += 1;
        if (entry?.embedding !== undefined) report.vectors[this.#carriedVector(entry) === undefined ? 'remade' : 'kept'] += 1;
        if (dryRun && entry !== undefined && preview.length < PREVIEWED) preview.push(this.#previewOf(entry, request));
        onLine?.(line);
      }
      for (const line of await imported.take(auxiliary)) tell(line);
    }
    for (const line of await imported.finish()) tell(line);
    const warnings = perNamespace.warnings({ dryRun });
    const { notes, ...counts } = report;
    return {
      dryRun,
      ...counts,
      ...(notes.length > 0 ? { notes } : {}),
      ...(redacted > 0 ? { redacted } : {}),
      ...(withSecrets > 0 ? { withSecrets } : {}),
      ...(imported.counts.lines > 0 ? { besides: { ...imported.counts } } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
      ...(dryRun ? { preview } : {}),
    };
  }

  async *#batches(chunks: AsyncIterable<Uint8Array>, asTheyAre: boolean): AsyncGenerator<Batch> {
    const { maxLineBytes } = this.#parts;
    const secrets = asTheyAre ? new Secrets('never') : this.#parts.secrets;
    let batch = newBatch();
    let chars = 0;
    for await (const line of readLines(chunks, asTheyAre ? Infinity : maxLineBytes)) {
      if (line.text?.trim() === '') continue;
      const parsed = parse(line);
      if (parsed === undefined) continue;
      // Only lines of a backup may delete anything.
      if ('tombstone' in parsed) batch.tombstones.push(...(asTheyAre ? [parsed.tombstone] : []));
      else if ('auxiliary' in parsed) batch.auxiliary.push({ ...parsed, auxiliary: secrets.ofAuxiliary(parsed.auxiliary) });
      else batch.entries.push(parsed.entry === undefined ? parsed : { ...parsed, ...secrets.ofImported(parsed.entry) });
      chars += line.text?.length ?? 0;
      if (sizeOfAll(batch) < BATCH_LINES && chars < BATCH_CHARS) continue;
      yield batch;
      [batch, chars] = [newBatch(), 0];
    }
    if (sizeOfAll(batch) > 0) yield batch;
  }

  async #entomb(tombstones: readonly Tombstone[]): Promise<void> {
    const { changes } = this.#parts.store.entries;
    await Promise.all(tombstones.map((tombstone) => changes.putTombstone(tombstone, { archived: false, place: undefined })));
  }

  #place(entry: ImportedEntry, request: ImportRequest): { namespace: string; container: string } {
    const namespace = entry.namespace ?? request.namespace ?? this.#parts.namespace;
    return { namespace, container: entry.container ?? namespace };
  }

  /** The result that storing would have, without storing. */
  #preview(batch: readonly Parsed[], request: ImportRequest, seen: Set<string>): ImportLine[] {
    const { catalog } = this.#parts.store;
    return batch.map(({ line, entry, error }) => {
      if (entry === undefined) return invalid(line, error);
      const place = { ...this.#place(entry, request), contentHash: contentHash(entry.content) };
      const key = JSON.stringify(place);
      const duplicate = catalog.same(place);
      if (duplicate === undefined && entry.id !== undefined && catalog.get(entry.id) !== undefined) return invalid(line, idTaken(entry.id));
      const isDuplicate = duplicate !== undefined || seen.has(key);
      seen.add(key);
      return { line, status: isDuplicate ? 'duplicate' : 'stored' };
    });
  }

  #storeWhenRoom(batch: readonly Parsed[], request: ImportRequest, options: ImportOptions): Promise<ImportLine[]> {
    return this.#parts.limiter.many(sizeOf(batch), () => this.#store(batch, request, options), options.signal);
  }

  async #store(batch: readonly Parsed[], request: ImportRequest, { signal, asTheyAre }: ImportOptions): Promise<ImportLine[]> {
    if (batch.length === 0) return [];
    const good = batch.flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
    const rows = await this.#rows(good, request, signal);
    let next = 0;
    return await Promise.all(
      batch.map(async ({ line, entry, error }): Promise<ImportLine> => {
        const row = rows[entry === undefined ? -1 : next++];
        if (row === undefined) return invalid(line, error);
        try {
          const { status, entry: stored } = await this.#parts.store.entries.insert(row);
          if (status === 'stored' && asTheyAre !== true) this.#parts.onStored(stored.id);
          return { line, status, id: stored.id };
        } catch (fault) {
          // Errors of a line are reported; errors of the store stop the import.
          if (fault instanceof LoreError && fault.code === 'invalid_input') return invalid(line, fault.message);
          throw fault;
        }
      }),
    );
  }

  /** Rows in the order of `imported`; an imported vector of the active model is kept. */
  async #rows(imported: readonly ImportedEntry[], request: ImportRequest, signal: AbortSignal | undefined): Promise<EntryRow[]> {
    const { drafting } = this.#parts;
    const all = imported.map((line) => ({ entry: this.#entry(line, request), first: this.#carriedVector(line) }));
    const [carried, fresh] = await Promise.all([
      drafting.carried(all.flatMap(({ entry, first }) => (first === undefined ? [] : [{ entry, first }]))),
      drafting.rows(
        all.flatMap(({ entry, first }) => (first === undefined ? [entry] : [])),
        signal,
      ),
    ]);
    const [nextCarried, nextFresh] = [carried.values(), fresh.values()];
    return all.map(({ first }) => (first === undefined ? nextFresh : nextCarried).next().value as EntryRow);
  }

  #carriedVector({ content, embedder, embedding }: ImportedEntry): Float32Array | undefined {
    const { fingerprint, width } = this.#parts.space();
    if (embedding === undefined || embedder !== fingerprint || embedding.length !== width) return undefined;
    const length = Math.hypot(...embedding);
    return Math.abs(length - 1) < 0.01 && this.#parts.drafting.isShort(content) ? embedding : undefined;
  }

  #previewOf(imported: ImportedEntry, request: ImportRequest): ImportPreview {
    const { id, contentHash: _hash, arrivedAt: _arrival, createdAt, updatedAt, ...entry } = this.#entry(imported, request);
    return {
      ...(imported.id === undefined ? {} : { id }),
      ...entry,
      ...(imported.createdAt === undefined ? {} : { createdAt: iso(createdAt) }),
      ...(imported.createdAt === undefined && imported.updatedAt === undefined ? {} : { updatedAt: iso(updatedAt) }),
    };
  }

  #entry(entry: ImportedEntry, request: ImportRequest): Entry {
    const { clock, store } = this.#parts;
    const createdAt = entry.createdAt ?? clock.now();
    const given = entry.updatedAt ?? createdAt;
    const tombstone = entry.id === undefined ? undefined : store.auxiliary.tombstones.get(entry.id);
    return draftEntry({
      id: entry.id ?? newId(),
      content: entry.content,
      ...this.#place(entry, request),
      tags: [...new Set(entry.tags ?? [])],
      priority: entry.priority ?? 'normal',
      source: entry.source ?? 'import',
      ...withoutUndefined({ importance: entry.importance }),
      ...carriedOf(entry),
      createdAt,
      // Restoring what was permanently deleted is a change just later than the deletion: other stores apply it, but it does not override
      // their edits.
      updatedAt: tombstone === undefined ? given : Math.max(given, nextTimeAfter(tombstone.at)),
      arrivedAt: Date.now(),
    });
  }
}

/**
 * Undefined for the header of an export. Throws `invalid_input` for a later format, because the following lines may have another meaning.
 */
function parse({ number, text, error }: Line): Parsed | AuxiliaryInput | { readonly tombstone: Tombstone } | undefined {
  if (text === undefined) return { line: number, error: error ?? 'cannot be read' };
  const parsed = parseImportLine(text);
  if ('tombstone' in parsed) return parsed;
  if (!('header' in parsed)) return { line: number, ...parsed };
  const { format } = parsed.header;
  if (format <= EXPORT_FORMAT) return undefined;
  throw new LoreError('invalid_input', `Line ${number} begins an export of format ${format}; this Lore reads format ${EXPORT_FORMAT}.`, {
    hint: 'Import it with the version of Lore that wrote it, or a later one.',
  });
}

const sizeOfAll = ({ entries, auxiliary, tombstones }: Batch): number => entries.length + auxiliary.length + tombstones.length;

function sizeOf(batch: readonly Parsed[]): WriteSize {
  return { changes: batch.length, chars: batch.reduce((sum, { entry }) => sum + (entry?.content.length ?? 0), 0) };
}

const newReport = () => ({
  lines: 0,
  stored: 0,
  duplicates: 0,
  invalid: 0,
  errors: [] as ImportLine[],
  notes: [] as Pick<ImportLine, 'line' | 'notes'>[],
  vectors: { kept: 0, remade: 0 },
});

function count(report: ReturnType<typeof newReport>, line: ImportLine): void {
  report.lines += 1;
  note(report, line);
  if (line.status === 'stored') report.stored += 1;
  else if (line.status === 'duplicate') report.duplicates += 1;
  else {
    report.invalid += 1;
    if (report.errors.length < MAX_ERRORS) report.errors.push(line);
  }
}

/** For lines other than entries: `stored` and `duplicates` count only those. */
function countAuxiliary(report: ReturnType<typeof newReport>, line: ImportLine): void {
  if (line.status === 'invalid') {
    count(report, line);
    return;
  }
  report.lines += 1;
  note(report, line);
}

function note({ notes }: ReturnType<typeof newReport>, line: ImportLine): void {
  if (line.notes !== undefined && notes.length < MAX_ERRORS) notes.push({ line: line.line, notes: line.notes });
}

const noted = (line: ImportLine, notes: readonly string[] | undefined): ImportLine => (notes === undefined ? line : { ...line, notes });
const invalid = (line: number, error = 'cannot be read'): ImportLine => ({ line, status: 'invalid', error });
const idTaken = (id: string): string => `The id ${id} belongs to another entry with other content.`;
const iso = (ms: number): string => new Date(ms).toISOString();
