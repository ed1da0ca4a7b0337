import type { SourcePassage } from '../../memory/operations/source-operations.ts';
import type { FileProgress } from './report.ts';
import { MEGABYTE } from '../readers/reader.ts';

/** Documents that are stored together, up to one of these. */
const FULL = { documents: 200, passages: 2000, chars: 2 * MEGABYTE } as const;

/** A document that is to be stored, and the file that it comes from. */
export interface PendingDocument {
  readonly root: string;
  readonly path: string;
  readonly hash: string;
  readonly passages: readonly SourcePassage[];
  readonly file: FileProgress;
}

/** Documents on their way into the store: a request for each file would cost a commit for each. */
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

  /** What is in it, by root; it is empty afterwards. */
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
