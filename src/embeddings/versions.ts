import type { Embedder } from './embedder.ts';

/** Of what is embedded, the last part of every fingerprint. 1: the content alone; 2: the tags and the content. */
export const DOCUMENT_VERSION = 2;

/** Whether two fingerprints are of one model: their vectors differ in what was embedded, not in how. */
export function isSameModel(fingerprint: string, other: string): boolean {
  return modelOf(fingerprint) === modelOf(other);
}

const modelOf = (fingerprint: string): string => fingerprint.slice(0, fingerprint.lastIndexOf('/'));

/** The same embedder as it was in earlier versions of Lore; it is closed with the one that it is made of. */
export class EarlierVersions {
  readonly #embedder: Embedder;
  readonly #made = new Map<string, Embedder>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /** Undefined where the fingerprint is of another model, or of no earlier version. */
  get(fingerprint: string): Embedder | undefined {
    if (!isSameModel(fingerprint, this.#embedder.fingerprint) || fingerprint.slice(modelOf(fingerprint).length) !== '/1') return undefined;
    const made = this.#made.get(fingerprint) ?? asBefore(this.#embedder, fingerprint);
    this.#made.set(fingerprint, made);
    return made;
  }
}

function asBefore(embedder: Embedder, fingerprint: string): Embedder {
  const { provider, model, dimensions, kind } = embedder;
  return {
    provider,
    model,
    dimensions,
    kind,
    fingerprint,
    withoutTags: true,
    embedDocuments: (texts, options) => embedder.embedDocuments(texts, options),
    embedQuery: (text, options) => embedder.embedQuery(text, options),
    report: () => embedder.report(),
    close: () => Promise.resolve(),
  };
}
