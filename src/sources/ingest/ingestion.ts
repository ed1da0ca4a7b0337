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
import { MEGABYTE, SHORTER, tooManyEntries, type FormatName, type ReadOptions } from '../readers/reader.ts';

/** Counts up whenever documents are read in another way, so that they are read again. */
const READING_VERSION = 1;
/** What a server takes in one request, with room to spare. */
const MAX_REQUEST_BYTES = 8 * MEGABYTE;
const PREVIEWED = 3;
const HASH_CHARS = 32;
/** Of the hash, where it tells versions of a document apart. */
const VERSION_CHARS = 12;
/** Root of documents without a place of their own. */
export const NO_PLACE = 'standard input';
/** Faults of one document, after which the next may be fine. */
const OF_DOCUMENT: ReadonlySet<ErrorCode> = new Set(['invalid_input', 'unsupported_media_type', 'too_large', 'filesystem']);
/** Those of them that a store means when it refuses a document; any other is its own. */
const REFUSED: ReadonlySet<ErrorCode> = new Set(['invalid_input', 'too_large']);

export interface IngestOptions extends ReadOptions {
  readonly namespace: string;
  /** For every entry, beside its own. */
  readonly tags: readonly string[];
  /** Read everything as this. */
  readonly format: FormatName | undefined;
  /** Store a changed document beside what it was. */
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
 * Takes documents in, one after the other: reads each and puts its passages in the place of those that it had. What is stored already is not
 * touched; a document is stored as a whole or not at all, and one that cannot be read does not keep the others from being stored.
 */
export class Ingestion {
  readonly #parts: Parts;
  readonly #known = new Map<string, KnownPaths>();
  readonly #files: FileProgress[] = [];
  readonly #preview: SourcePassage[] = [];
  readonly #batch = new IngestBatch();
  /** Of all passages that have no time of their own: none of one run is newer than another. */
  readonly #readAt = new Date().toISOString();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads a document; it is stored now or with one of the next. Rejects with what is no fault of the document, such as a store that cannot be written. */
  async add(document: DocumentFile): Promise<void> {
    this.#parts.options.signal?.throwIfAborted();
    const file = new FileProgress(document.name);
    this.#files.push(file);
    const bytes = await document.load().catch((error: unknown) => refuse(error, file, document));
    if (bytes === undefined) return;
    const hash = this.#hashOf(bytes, document);
    const place = document.place ?? { root: NO_PLACE, path: hash };
    const known = whichIs(await this.#knownBelow(place.root), place.path, hash);
    if (known === undefined) await this.#read(document, { bytes, hash, place, file });
    else file.entries += known.entries;
  }

  /** To be told of a document that is not even there. */
  addMissing(name: string, error: LoreError): void {
    const file = new FileProgress(name);
    this.#files.push(file);
    file.markRefused('failed', error);
  }

  /** Stores what is still to be stored, and says what became of everything. `leftOut` is what was not even looked at. */
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
      refuse(new LoreError('unsupported_media_type', `${name} holds no text.`), file, document);
    }
  }

  /** Of everything that decides what is stored of a document. */
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
    // Of a document without text only what was stored of it is left to do.
    if (whichIs(known, path, hash) !== undefined || (isEmpty && (keep || !known.has(path)))) return;
    const isAnother = keep && known.has(path);
    const next = { ...document, path: isAnother ? versionPath(path, hash) : path, passages: passages.map((each) => this.#tagged(each)) };
    const fault = faultOf(next.passages, file.name);
    if (fault !== undefined) return file.markRefused('failed', fault);
    known.set(next.path, { hash, entries: passages.length });
    if (dryRun) return this.#foresee(next);
    if (this.#batch.has(next)) await this.#store();
    this.#batch.add(next);
    if (this.#batch.isFull) await this.#store();
  }

  #tagged(passage: SourcePassage): SourcePassage {
    const tags = [...new Set([...this.#parts.options.tags, ...(passage.tags ?? [])])].slice(0, MAX_TAGS);
    return tags.length === 0 ? passage : { ...passage, tags };
  }

  #foresee({ passages, file }: PendingDocument): void {
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
      // One of them is refused: the others are not to suffer for it.
      if (documents.length > 1) for (const document of documents) await this.#replace(root, [document]);
      else documents[0]?.file.markRefused('failed', error);
    }
  }
}

/** Notes that a document is refused. Throws what is no fault of it. */
function refuse(error: unknown, file: FileProgress, { isNamed }: DocumentFile): undefined {
  if (!(error instanceof LoreError) || !OF_DOCUMENT.has(error.code)) throw error;
  const isNothing = error.code === 'unsupported_media_type' || error.code === 'too_large';
  file.markRefused(isNothing && !isNamed ? 'skipped' : 'failed', error);
}

/** Where a version of a document is kept beside another one. */
const versionPath = (path: string, hash: string): string => `${path}@${hash.slice(0, VERSION_CHARS)}`;

/** What is stored of this very version of a document. */
function whichIs(known: KnownPaths, path: string, hash: string): Pick<StoredSource, 'hash' | 'entries'> | undefined {
  return [known.get(path), known.get(versionPath(path, hash))].find((each) => each?.hash === hash);
}

function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, HASH_CHARS);
}

/** Why a document cannot be stored as a whole. */
function faultOf(passages: readonly SourcePassage[], name: string): LoreError | undefined {
  if (passages.length > MAX_PASSAGES) return tooManyEntries(name);
  const bytes = Buffer.byteLength(JSON.stringify(passages));
  if (bytes <= MAX_REQUEST_BYTES) return undefined;
  return new LoreError('too_large', `${name} holds more than ${MAX_REQUEST_BYTES / MEGABYTE} MB of text.`, { hint: SHORTER });
}
