import type { SourcePassage } from '../../memory/operations/source-operations.ts';
import type { FileProgress } from './report.ts';
import { MEGABYTE } from '../readers/reader.ts';

/** Limits of one batch; it is stored when it reaches any of them. */
const FULL = { documents: 200, passages: 2000, chars: 2 * MEGABYTE } as const;

/** A document to store, and its file. */
export interface PendingDocument {
  readonly root: string;
  readonly path: string;
  readonly hash: string;
  readonly passages: readonly SourcePassage[];
  readonly file: FileProgress;
}

/** Collects documents to store them together: one request per file would cost one commit each. */
export class IngestBatch {
  #documents = new Map<string, PendingDocument>();
  #passages = 0;
  #chars = 0;

  has({ root, path }: Pick<PendingDocument, 'root' | 'path'>): boolean {
    return this.#documents.has(`${root}\n${path}`);
  }

  add(document: PendingDocument): void {
    this.#documents.set(`${document.root}\n${document.path}`, document);
    this.#passages += document.passages.length;
    this.#chars += document.passages.reduce((sum, { content }) => sum + content.length, 0);
  }

  get isFull(): boolean {
    return this.#documents.size >= FULL.documents || this.#passages >= FULL.passages || this.#chars >= FULL.chars;
  }

  /** Returns the documents by root and empties the batch. */
  take(): Map<string, PendingDocument[]> {
    const byRoot = new Map<string, PendingDocument[]>();
    for (const document of this.#documents.values()) {
      const others = byRoot.get(document.root);
      if (others === undefined) byRoot.set(document.root, [document]);
      else others.push(document);
    }
    this.#documents = new Map();
    [this.#passages, this.#chars] = [0, 0];
    return byRoot;
  }
}
