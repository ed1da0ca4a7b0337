import type { Embedder } from '../../embeddings/embedder.ts';
import { entitiesOf } from '../../memory/entities/entities.ts';
import { isOfFile, type Entry } from '../../memory/entry.ts';
import { importance } from '../../memory/importance.ts';
import type { Log } from '../../memory/log.ts';
import { splitPassages } from '../../memory/words/passages.ts';
import { summarize } from '../../memory/words/summary.ts';
import { searchText } from '../../memory/words/tokens.ts';
import { contentHash } from '../../store/format/content-hash.ts';
import type { EntryRow, EntryVectors } from '../../store/format/rows.ts';
import { withoutUndefined } from '../../memory/without-undefined.ts';

export interface PassageSettings {
  /** `memory.chunkSize` and `memory.chunkOverlap`, characters. */
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  /** `index.chunkSize`: a passage of a file is embedded as a whole. */
  readonly fileChunkSize: number;
}

/** The given fields of an entry and those set by the server; the others are derived. */
export type EntryFacts = Omit<Entry, 'contentHash' | 'summary' | 'importance'> & { readonly importance?: number };

/** Builds an entry from these facts. Reads entities from the content, unless given. */
export function draftEntry(facts: EntryFacts): Entry {
  const summary = summarize(facts.content);
  return {
    ...withEntities(facts),
    contentHash: contentHash(facts.content),
    importance: facts.importance ?? importance(facts),
    ...withoutUndefined({ summary }),
  };
}

/** Adds missing entities from the content: entries of an old store have none. */
export function withEntities<T extends Pick<Entry, 'content' | 'entities'>>(entry: T): T {
  if (entry.entities !== undefined) return entry;
  const entities = entitiesOf(entry.content);
  return entities.length === 0 ? entry : { ...entry, entities };
}

/** The search text of an entry: content and tags. For a passage of a file it begins with the path and the definition or headings. */
export async function searchTextOf({
  content,
  tags,
  source,
  sourceRef = {},
}: Pick<Entry, 'content' | 'tags' | 'source' | 'sourceRef'>): Promise<string> {
  const { file, heading } = sourceRef;
  if (!isOfFile({ source }) || typeof file !== 'string') return await searchText(content, tags);
  return await searchText([file, ...(typeof heading === 'string' ? [heading] : []), content].join('\n'), tags);
}

/** The text that is embedded for a passage: tags first, in case the model cuts long texts. */
function taggedText(text: string, tags: readonly string[]): string {
  return tags.length === 0 ? text : `${tags.toSorted().join(', ')}\n${text}`;
}

interface Parts {
  readonly embedder: () => Embedder;
  readonly settings: PassageSettings;
  readonly log: Log;
  /** Called for rows without vectors. */
  readonly onPending: () => void;
}

/** Makes rows from entries: search text and vectors. */
export class Drafting {
  readonly #embedder: () => Embedder;
  readonly #settings: PassageSettings;
  readonly #log: Log;
  readonly #onPending: () => void;

  constructor({ embedder, settings, log, onPending }: Parts) {
    this.#embedder = embedder;
    this.#settings = settings;
    this.#log = log;
    this.#onPending = onPending;
  }

  /** Rows for these entries, in order, embedded in one batch. If the model fails, the vectors stay pending. */
  async rows(entries: readonly Entry[], signal?: AbortSignal): Promise<EntryRow[]> {
    const vectors = await this.vectors(entries, signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      this.#log.warn({ error: String(error) }, 'the embedding model failed; the entries are saved and their vectors follow');
      this.#onPending();
      return entries.map(() => undefined);
    });
    const texts = await Promise.all(entries.map(searchTextOf));
    return entries.map((entry, index) => ({ entry, searchText: texts[index] ?? '', vectors: vectors[index] }));
  }

  /** Rows for short entries with a given vector of the active model. */
  async carried(entries: readonly { entry: Entry; first: Float32Array }[]): Promise<EntryRow[]> {
    const embedder = this.#embedder().fingerprint;
    return await Promise.all(
      entries.map(async ({ entry, first }) => ({
        entry,
        searchText: await searchTextOf(entry),
        vectors: { embedder, first, further: [] },
      })),
    );
  }

  /** Whether the whole text is one passage. */
  isShort(content: string): boolean {
    return content.length <= this.#settings.chunkSize;
  }

  /** Number of passages of the text. */
  countPassages(content: string): number {
    const { chunkSize: size, chunkOverlap: overlap } = this.#settings;
    return splitPassages(content, { size, overlap }).length;
  }

  /** The vectors of these entries, in order, by the active or another embedder. Rejects as a whole. */
  async vectors(
    entries: readonly Pick<Entry, 'content' | 'tags' | 'source'>[],
    signal?: AbortSignal,
    embedder: Embedder = this.#embedder(),
  ): Promise<EntryVectors[]> {
    const { chunkSize, chunkOverlap: overlap, fileChunkSize } = this.#settings;
    const passages = entries.map(({ content, tags, source }) => {
      const size = isOfFile({ source }) ? Math.max(chunkSize, fileChunkSize) : chunkSize;
      const texts = splitPassages(content, { size, overlap }).map(({ text }) => text);
      return embedder.withoutTags === true ? texts : texts.map((text) => taggedText(text, tags));
    });
    const vectors = await embedder.embedDocuments(passages.flat(), signal === undefined ? {} : { signal });
    let next = 0;
    return passages.map(({ length }) => {
      const [first, ...further] = vectors.slice(next, next + length) as [Float32Array, ...Float32Array[]];
      next += length;
      return { embedder: embedder.fingerprint, first, further };
    });
  }
}
