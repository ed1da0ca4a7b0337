import type { Embedder } from './embedder.ts';

/** Version of the embedded text, the last part of every fingerprint. 1: content only; 2: tags and content. */
export const DOCUMENT_VERSION = 2;

/** provider/model/dimensions/version; the name of a model may hold slashes. */
const FINGERPRINT = /^(builtin|local|openai|gemini)\/(.+)\/(\d+)\/\d+$/;

/** The model in a fingerprint; undefined if it is not a fingerprint. */
export function fingerprintParts(fingerprint: string): Pick<Embedder, 'provider' | 'model' | 'dimensions'> | undefined {
  const [, provider, model, digits] = FINGERPRINT.exec(fingerprint) ?? [];
  if (provider === undefined || model === undefined) return undefined;
  return { provider: provider as Embedder['provider'], model, dimensions: Number(digits) };
}

/** Whether two fingerprints are of one model and differ at most in the embedded text. */
export function isSameModel(fingerprint: string, other: string): boolean {
  return modelOf(fingerprint) === modelOf(other);
}

const modelOf = (fingerprint: string): string => fingerprint.slice(0, fingerprint.lastIndexOf('/'));

/** Earlier versions of an embedder; closed together with it. */
export class EarlierVersions {
  readonly #embedder: Embedder;
  readonly #made = new Map<string, Embedder>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /** The embedder for an earlier fingerprint; undefined for another model or an unknown version. */
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
