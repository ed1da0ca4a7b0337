import { createHash } from 'node:crypto';
import { MAX_TAGS } from '../../memory/entry.ts';
import { LoreError, type ErrorCode } from '../../memory/errors.ts';
import {
  MAX_PASSAGES,
  MAX_SOURCES,
  type SourceOperations,
  type SourcePassage,
  type StoredSource,
} from '../../memory/operations/source-operations.ts';
import type { DocumentFile } from './document-files.ts';
import { IngestBatch, type PendingDocument } from './batch.ts';
import { FileProgress, reportOf, type IngestReport } from './report.ts';
import type { DocumentReader } from '../readers/document-reader.ts';
import type { LeftOut } from '../readers/findings.ts';
import { MEGABYTE, SPLIT_HINT, tooManyEntries, type FormatName, type ReadOptions } from '../readers/reader.ts';

/** Increased when reading changes, so that documents are read again. */
const READING_VERSION = 1;
/** Maximum request size: below the default limit of a server. */
const MAX_REQUEST_BYTES = 8 * MEGABYTE;
const PREVIEWED = 3;
const HASH_CHARS = 32;
/** Characters of the hash in the path of a document version. */
const VERSION_CHARS = 12;
/** Root of documents without a path. */
export const STANDARD_INPUT = 'standard input';
/** Errors of one document; the next one may succeed. */
const OF_DOCUMENT: ReadonlySet<ErrorCode> = new Set(['invalid_input', 'unsupported_media_type', 'too_large', 'filesystem']);
/** Errors with which a store rejects a document; others are faults of the store. */
const REFUSED: ReadonlySet<ErrorCode> = new Set(['invalid_input', 'too_large']);

export interface IngestOptions extends ReadOptions {
  readonly namespace: string;
  /** Tags added to every entry. */
  readonly tags: readonly string[];
  /** Format to use for all documents. */
  readonly format: FormatName | undefined;
  /** Store a changed document next to its previous version. */
  readonly keep: boolean;
  readonly dryRun: boolean;
  readonly signal?: AbortSignal | undefined;
}

interface Parts {
  readonly sources: Pick<SourceOperations, 'list' | 'replace'>;
  readonly reader: DocumentReader;
  readonly options: IngestOptions;
}

type KnownPaths = Map<string, Pick<StoredSource, 'hash' | 'entries'>>;

/**
 * Ingests documents one after the other: reads each and replaces its stored passages. Unchanged documents are not touched. Each document is
 * stored as a whole or not at all; an unreadable one does not affect the others.
 */
export class Ingestion {
  readonly #parts: Parts;
  readonly #known = new Map<string, KnownPaths>();
  readonly #files: FileProgress[] = [];
  readonly #preview: SourcePassage[] = [];
  readonly #batch = new IngestBatch();
  /** Time of passages without their own time, equal for the whole run. */
  readonly #readAt = new Date().toISOString();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Reads a document; it is stored now or in a later batch. Rejects with errors that are not the document's, such as an unwritable store.
   */
  async add(document: DocumentFile): Promise<void> {
    this.#parts.options.signal?.throwIfAborted();
    const file = new FileProgress(document.name);
    this.#files.push(file);
    const bytes = await document.load().catch((error: unknown) => refuse(error, file, document));
    if (bytes === undefined) return;
    const hash = this.#hashOf(bytes, document);
    const place = document.place ?? { root: STANDARD_INPUT, path: hash };
    const known = whichIs(await this.#knownBelow(place.root), place.path, hash);
    if (known === undefined) await this.#read(document, { bytes, hash, place, file });
    else file.entries += known.entries;
  }

  /** Reports a document that does not exist. */
  addMissing(name: string, error: LoreError): void {
    const file = new FileProgress(name);
    this.#files.push(file);
    file.markRefused('failed', error);
  }

  /** Stores the last batch and returns the report. `leftOut`: the skipped files. */
  async finish(leftOut: readonly LeftOut[]): Promise<IngestReport> {
    await this.#store();
    const { dryRun, namespace } = this.#parts.options;
    const report = reportOf(this.#files);
    return { dryRun, namespace, ...report, leftOut, ...(dryRun ? { preview: this.#preview } : {}) };
  }

  async #read(
    document: DocumentFile,
    { bytes, hash, place, file }: Pick<PendingDocument, 'hash' | 'file'> & { bytes: Uint8Array; place: { root: string; path: string } },
  ): Promise<void> {
    const { reader, options } = this.#parts;
    const { name, extension, format = options.format } = document;
    const { split, size, overlap } = options;
    const reading = await reader
      .read({ bytes, name, extension }, { split, size, overlap }, format)
      .catch((error: unknown) => refuse(error, file, document));
    if (reading === undefined) return;
    file.readAs(reading);
    for (const { key, passages } of reading.documents) {
      const own = key && { ...key, hash: digest(JSON.stringify([READING_VERSION, options.tags, passages])) };
      await this.#take({ ...(own ?? { ...place, hash }), passages, file });
    }
    if (reading.documents.every(({ passages }) => passages.length === 0)) {
      refuse(new LoreError('unsupported_media_type', `${name} contains no text.`), file, document);
    }
  }

  /** Hash of everything that determines the stored passages. */
  #hashOf(bytes: Uint8Array, { format, extension }: DocumentFile): string {
    const { split, size, overlap, tags, format: named } = this.#parts.options;
    return digest(JSON.stringify([READING_VERSION, format ?? named ?? extension, split, size, overlap, tags]), bytes);
  }

  async #knownBelow(root: string): Promise<KnownPaths> {
    const { sources, options } = this.#parts;
    const earlier = this.#known.get(root);
    if (earlier !== undefined) return earlier;
    const known: KnownPaths = new Map();
    const scope = { namespace: options.namespace, kind: 'ingest', root, limit: MAX_SOURCES } as const;
    for (let offset = 0, total = 1; offset < total; offset += MAX_SOURCES) {
      const page = await sources.list({ ...scope, offset }, { signal: options.signal });
      for (const source of page.sources) known.set(source.path, source);
      total = page.total;
    }
    this.#known.set(root, known);
    return known;
  }

  async #take(document: PendingDocument): Promise<void> {
    const { keep, dryRun } = this.#parts.options;
    const { root, path, hash, passages, file } = document;
    const known = await this.#knownBelow(root);
    file.entries += passages.length;
    const isEmpty = passages.length === 0;
    // A document without text only removes its stored passages.
    if (whichIs(known, path, hash) !== undefined || (isEmpty && (keep || !known.has(path)))) return;
    const isAnother = keep && known.has(path);
    const next = { ...document, path: isAnother ? versionPath(path, hash) : path, passages: passages.map((each) => this.#tagged(each)) };
    const fault = faultOf(next.passages, file.name);
    if (fault !== undefined) return file.markRefused('failed', fault);
    known.set(next.path, { hash, entries: passages.length });
    if (dryRun) return this.#addToPreview(next);
    if (this.#batch.has(next)) await this.#store();
    this.#batch.add(next);
    if (this.#batch.isFull) await this.#store();
  }

  #tagged(passage: SourcePassage): SourcePassage {
    const tags = [...new Set([...this.#parts.options.tags, ...(passage.tags ?? [])])].slice(0, MAX_TAGS);
    return tags.length === 0 ? passage : { ...passage, tags };
  }

  #addToPreview({ passages, file }: PendingDocument): void {
    file.markStored({ stored: passages.length, kept: 0, removed: 0 });
    this.#preview.push(...passages.slice(0, PREVIEWED - this.#preview.length));
  }

  async #store(): Promise<void> {
    for (const [root, documents] of this.#batch.take()) await this.#replace(root, documents);
  }

  async #replace(root: string, documents: readonly PendingDocument[]): Promise<void> {
    const { sources, options } = this.#parts;
    const { namespace, signal } = options;
    const createdAt = this.#readAt;
    const files = documents.map(({ path, hash, passages }) => ({
      path,
      hash,
      passages: passages.map((passage) => ({ createdAt, ...passage })),
    }));
    try {
      const results = await sources.replace({ namespace, kind: 'ingest', root, files }, { signal });
      for (const [at, result] of results.entries()) documents[at]?.file.markStored(result);
    } catch (error) {
      if (!(error instanceof LoreError) || !REFUSED.has(error.code)) throw error;
      // One document is rejected: store the others individually.
      if (documents.length > 1) for (const document of documents) await this.#replace(root, [document]);
      else documents[0]?.file.markRefused('failed', error);
    }
  }
}

/** Marks a document as rejected. Rethrows errors that are not the document's. */
function refuse(error: unknown, file: FileProgress, { isNamed }: DocumentFile): undefined {
  if (!(error instanceof LoreError) || !OF_DOCUMENT.has(error.code)) throw error;
  const isNothing = error.code === 'unsupported_media_type' || error.code === 'too_large';
  file.markRefused(isNothing && !isNamed ? 'skipped' : 'failed', error);
}

/** Path of a version stored next to another. */
const versionPath = (path: string, hash: string): string => `${path}@${hash.slice(0, VERSION_CHARS)}`;

/** The stored record of exactly this version. */
function whichIs(known: KnownPaths, path: string, hash: string): Pick<StoredSource, 'hash' | 'entries'> | undefined {
  return [known.get(path), known.get(versionPath(path, hash))].find((each) => each?.hash === hash);
}

function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, HASH_CHARS);
}

/** The error for a document that is too large to store; undefined if it is not. */
function faultOf(passages: readonly SourcePassage[], name: string): LoreError | undefined {
  if (passages.length > MAX_PASSAGES) return tooManyEntries(name);
  const bytes = Buffer.byteLength(JSON.stringify(passages));
  if (bytes <= MAX_REQUEST_BYTES) return undefined;
  return new LoreError('too_large', `${name} contains more than ${MAX_REQUEST_BYTES / MEGABYTE} MB of text.`, { hint: SPLIT_HINT });
}
