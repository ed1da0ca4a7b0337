import type {
  DetailOperations,
  EntryPassage,
  NearEntries,
  NearRequest,
  SimilarEntries,
  SimilarRequest,
} from '../../memory/operations/detail-operations.ts';
import { GLOBAL_NAMESPACE, type EntryFilter } from '../../memory/entry.ts';
import { entryNotFound } from '../../memory/errors.ts';
import type { CallOptions } from '../../memory/operations/operations.ts';
import { searchText } from '../../memory/words/tokens.ts';
import type { Store } from '../../store/store.ts';
import { split, type PassageShape } from './best-passage.ts';
import { LEAST_SCORE } from './fusion.ts';
import { nearDuplicates } from '../changes/near-duplicates.ts';
import { requestedNamespace, namespaceOfSave } from '../requested-namespace.ts';

const DEFAULT_LIMIT = 5;
const PREVIEW_CHARS = 200;

interface Parts {
  readonly store: Store;
  readonly passages: PassageShape;
  /** Used if a request names none. */
  readonly namespace: string;
  /** `memory.deduplicationThreshold`. */
  readonly threshold: number;
}

/** The neighbours of an entry, and its passages. */
export class Details implements DetailOperations {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async similar(id: string, request: SimilarRequest, { signal }: CallOptions = {}): Promise<SimilarEntries> {
    const { store } = this.#parts;
    const row = (await store.entries.rows([id])).get(id);
    if (row === undefined) throw entryNotFound(id);
    const filter: EntryFilter = { ...namespacesOf(row.entry.namespace, request), current: true };
    signal?.throwIfAborted();
    if (row.vectors === undefined) return { vector: 'pending', results: [] };
    const { first: vector, embedder: fingerprint } = row.vectors;
    const limit = request.limit ?? DEFAULT_LIMIT;
    // One more, because the entry is its own nearest neighbour.
    const hits = await store.searchVectors({ vector, fingerprint, filter, limit: limit + 1 });
    const near = hits.filter((hit) => hit.id !== id && hit.score >= LEAST_SCORE).slice(0, limit);
    const scores = new Map(near.map((hit) => [hit.id, Math.min(1, Math.round(hit.score * 1e6) / 1e6)]));
    const entries = await store.entries.getMany([...scores.keys()]);
    return {
      vector: 'stored',
      results: entries.map((entry) => {
        const score = scores.get(entry.id) ?? 0;
        return { entry, score, scores: { vector: score } };
      }),
    };
  }

  async near(request: NearRequest, { signal }: CallOptions = {}): Promise<NearEntries> {
    const { store, threshold } = this.#parts;
    const entry = { namespace: namespaceOfSave(request, this.#parts.namespace), content: request.content };
    const compared = { entry, searchText: await searchText(request.content, []) };
    signal?.throwIfAborted();
    const near = await nearDuplicates(store, compared, { threshold, others: true });
    const known = new Map(near.map(({ id, similarity, ...more }) => [id, { score: similarity, ...more }]));
    const entries = await store.entries.getMany([...known.keys()]);
    return { threshold, results: entries.map((found) => ({ score: 0, ...known.get(found.id), entry: found, scores: {} })) };
  }

  async passages(id: string): Promise<readonly EntryPassage[]> {
    const { content } = await this.#parts.store.entries.get(id);
    return split(content, this.#parts.passages).map(({ text, start, end }) => ({
      start,
      end,
      chars: end - start,
      preview: previewOf(text),
    }));
  }
}

/** The named namespace, or none for all; by default the project's namespace and the global one. */
function namespacesOf(own: string, request: SimilarRequest): EntryFilter {
  const only = requestedNamespace(request, own);
  if (only === undefined) return {};
  return { namespaces: request.namespace === undefined ? [...new Set([own, GLOBAL_NAMESPACE])] : [only] };
}

function previewOf(text: string): string {
  const line = text
    .slice(0, 2 * PREVIEW_CHARS)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= PREVIEW_CHARS && text.length <= 2 * PREVIEW_CHARS) return line;
  // Never splits a character.
  return `${line
    .slice(0, PREVIEW_CHARS)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}
