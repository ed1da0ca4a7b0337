import type { RecordBatch } from 'apache-arrow';
import type { Entry, Priority, Source } from '../../memory/entry.ts';
import { asciiColumn, NameReader, numberColumn, optionalNumbers } from '../format/columns.ts';
import { ARRIVED_AT, importanceOf, priorityOf, sourceOf, SUPERSEDED, type EntryTexts, type StoredRow } from '../format/rows.ts';

/** What is known of every entry without asking a table. */
export interface Known {
  readonly id: string;
  readonly namespace: string;
  readonly container: string;
  readonly tags: readonly string[];
  readonly priority: Priority;
  readonly importance: number;
  readonly source: Source;
  readonly contentHash: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When an import or a sync brought it here, epoch milliseconds. */
  readonly arrivedAt?: number;
  /** A newer entry takes its place. */
  readonly superseded: boolean;
  /** Fingerprint of the embedder of its vectors; empty while pending. */
  readonly embedder: string;
  /** Passages beyond the first. */
  readonly passages: number;
  /** Which version of the row this is; rises with every write. */
  readonly writtenAt: number;
}

export const KNOWN_COLUMNS = [
  'id',
  'namespace',
  'container',
  'tags',
  'priority',
  'importance',
  'source',
  'status',
  'content_hash',
  'created_at',
  'updated_at',
  ARRIVED_AT,
  'embedder',
  'passage_count',
  'written_at',
] as const;

/** Reads `KNOWN_COLUMNS` of the rows of many batches. */
export class KnownReader {
  readonly #names = new NameReader();

  read(batch: RecordBatch): Known[] {
    const [ids, hashes] = [asciiColumn(batch, 'id'), asciiColumn(batch, 'content_hash')];
    const [namespaces, containers, priorities, sources, statuses, embedders] = [
      'namespace',
      'container',
      'priority',
      'source',
      'status',
      'embedder',
    ].map((name) => this.#names.column(batch, name)) as [string[], string[], string[], string[], string[], string[]];
    const tags = this.#names.lists(batch, 'tags');
    const [weights, created, updated, passages, written] = ['importance', 'created_at', 'updated_at', 'passage_count', 'written_at'].map(
      (name) => numberColumn(batch, name),
    ) as [ArrayLike<number>, ArrayLike<number>, ArrayLike<number>, ArrayLike<number>, ArrayLike<number>];
    const arrived = optionalNumbers(batch, ARRIVED_AT);
    return ids.map((id, row) => ({
      id,
      namespace: namespaces[row]!,
      container: containers[row]!,
      tags: tags[row]!,
      priority: priorityOf(priorities[row]!),
      importance: importanceOf(weights[row]!),
      source: sourceOf(sources[row]!),
      contentHash: hashes[row]!,
      createdAt: created[row]!,
      updatedAt: updated[row]!,
      ...arrivalOf(arrived?.[row]),
      superseded: statuses[row] === SUPERSEDED,
      embedder: embedders[row]!,
      passages: passages[row]!,
      writtenAt: written[row]!,
    }));
  }
}

/** What is known of an entry as it is stored now. */
export function knownOf({ entry, vectors, writtenAt }: StoredRow): Known {
  const { id, namespace, container, tags, priority, importance, source, contentHash, createdAt, updatedAt } = entry;
  const facts = { id, namespace, container, tags, priority, importance, source, contentHash, createdAt, updatedAt, writtenAt };
  const upkeep = { superseded: entry.superseded === true, embedder: vectors?.embedder ?? '', passages: vectors?.further.length ?? 0 };
  return { ...facts, ...arrivalOf(entry.arrivedAt), ...upkeep };
}

const arrivalOf = (arrivedAt: number | undefined): { arrivedAt?: number } => (arrivedAt === undefined ? {} : { arrivedAt });

/** The whole entry: what is known of it, and its texts. */
export function entryOf(known: Known, texts: EntryTexts): Entry {
  const { id, namespace, container, tags, priority, importance, source, contentHash, createdAt, updatedAt, superseded } = known;
  const facts = { id, namespace, container, tags, priority, importance, source, contentHash, createdAt, updatedAt };
  return { ...texts, ...facts, ...arrivalOf(known.arrivedAt), ...(superseded ? { superseded } : {}) };
}
