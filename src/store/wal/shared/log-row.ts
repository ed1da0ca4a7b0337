import type { DataType, Field, Schema } from 'apache-arrow';
import { LoreError } from '../../../memory/errors.ts';
import { decodeRecords, encodeAppend, type LogRecord } from '../../format/log-record.ts';
import type { EntriesVersions } from '../../format/checkpoint.ts';
import { arrow } from '../../format/schema.ts';
import type { VectorSpace } from '../../format/vector-space.ts';

/** A position in the log: the number of the segment and the row within it. */
export interface LogPosition {
  readonly segment: number;
  readonly row: number;
}

/** Below zero if the first position precedes the second. */
export function comparePositions(first: LogPosition, second: LogPosition): number {
  return first.segment - second.segment || first.row - second.row;
}

/** A checkpoint: table versions that contain all changes up to a mark. */
export interface SharedCheckpoint {
  readonly entries: EntriesVersions;
  readonly format: number;
  /** Versions of the auxiliary tables, by name. */
  readonly sides: Readonly<Record<string, number>>;
  /** The space of the vectors since the last change of the model; undefined before the first one. */
  readonly space?: VectorSpace | undefined;
}

/** State carried over to the next segment. */
export interface Carried {
  /** Number of the last batch of records that counts. */
  readonly sequence: number;
  readonly term: number;
  /** The server with the lease of this term; undefined after it was released. */
  readonly holder?: string | undefined;
  /** Number of heartbeats in this term. */
  readonly signs: number;
  /** The last batch that counts. */
  readonly mark?: LogPosition | undefined;
  /** The id of its row. */
  readonly markId?: string | undefined;
}

interface Stamp {
  /** A UUID; a row written twice has the same one. */
  readonly id: string;
  readonly server: string;
  /** Epoch milliseconds by the clock of its server. */
  readonly at: number;
}

export type LogRow = Stamp &
  (
    | { readonly kind: 'begin'; readonly carried: Carried }
    | { readonly kind: 'records'; readonly base: number; readonly records: () => readonly LogRecord[] }
    | { readonly kind: 'lease'; readonly term: number; /** Signs of the holder before that its taker knew of. */ readonly seen: number }
    | { readonly kind: 'beat' | 'release' | 'mark'; readonly term: number }
    | { readonly kind: 'head'; readonly term: number; readonly mark: LogPosition; readonly head: SharedCheckpoint }
    | { readonly kind: 'seal'; readonly term: number; readonly next: string }
  );

/** A row without the fields that its writer adds to every row. */
export type LogContent = LogRow extends infer Row ? (Row extends LogRow ? Omit<Row, keyof Stamp> : never) : never;

/** The event of a row that counts. */
export type LogEvent = { readonly position: LogPosition; readonly at: number; readonly server: string } & (
  | { readonly kind: 'records'; /** Its id. */ readonly batch: string; readonly records: readonly LogRecord[] }
  | { readonly kind: 'lease' | 'beat' | 'release' | 'mark'; readonly term: number }
  | { readonly kind: 'head'; readonly term: number; readonly mark: LogPosition; readonly head: SharedCheckpoint }
);

/** The event of a row that counts; undefined for internal rows. */
export function eventOf(row: LogRow, position: LogPosition): LogEvent | undefined {
  const { at, server } = row;
  const where = { position, at, server };
  switch (row.kind) {
    case 'begin':
    case 'seal':
      return undefined;
    case 'records':
      return { ...where, kind: row.kind, batch: row.id, records: row.records() };
    case 'head':
      return { ...where, kind: row.kind, term: row.term, mark: row.mark, head: row.head };
    case 'lease':
    case 'beat':
    case 'release':
    case 'mark':
      return { ...where, kind: row.kind, term: row.term };
  }
}

/** A row in its table. `note` is JSON with small fields that only some kinds have. */
export interface LogColumns extends Stamp {
  readonly kind: string;
  readonly base: number | null;
  readonly term: number | null;
  readonly note: string | null;
  /** Encoded records. */
  readonly payload: Uint8Array | null;
}

export function logSchema(): Schema {
  const field = (name: string, type: DataType, nullable = false): Field => new arrow.Field(name, type, nullable);
  return new arrow.Schema([
    field('id', new arrow.Utf8()),
    field('server', new arrow.Utf8()),
    field('kind', new arrow.Utf8()),
    field('base', new arrow.Float64(), true),
    field('term', new arrow.Float64(), true),
    field('at', new arrow.Float64()),
    field('note', new arrow.Utf8(), true),
    field('payload', new arrow.Binary(), true),
  ]);
}

export function toColumns(row: LogRow): LogColumns & Record<string, unknown> {
  const { id, server, kind, at } = row;
  const stamp = { id, server, kind, at, base: null, term: null, note: null, payload: null };
  switch (row.kind) {
    case 'begin':
      return { ...stamp, note: JSON.stringify(row.carried) };
    case 'records': {
      const records = row.records();
      const payload = Buffer.concat(encodeAppend(records, 0));
      return { ...stamp, base: row.base, note: JSON.stringify({ count: records.length, bytes: payload.length }), payload };
    }
    case 'head':
      return { ...stamp, term: row.term, note: JSON.stringify({ mark: row.mark, head: row.head }) };
    case 'seal':
      return { ...stamp, term: row.term, note: JSON.stringify({ next: row.next }) };
    case 'lease':
      return { ...stamp, term: row.term, base: row.seen };
    case 'beat':
    case 'release':
    case 'mark':
      return { ...stamp, term: row.term };
  }
}

/** Throws `filesystem` for a row that this format does not allow. */
export function fromColumns({ id, server, kind, at, base, term, note, payload }: LogColumns): LogRow {
  const stamp = { id, server, at };
  switch (kind) {
    case 'begin':
      return { ...stamp, kind, carried: noteOf(note) as Carried };
    case 'records':
      return { ...stamp, kind, base: base ?? -1, records: () => recordsOf(id, payload, (noteOf(note) as { count: number }).count) };
    case 'head': {
      const { mark, head } = noteOf(note) as { mark: LogPosition; head: SharedCheckpoint | EarlierCheckpoint };
      return { ...stamp, kind, term: term ?? -1, mark, head: 'entries' in head ? head : presentCheckpoint(head) };
    }
    case 'seal':
      return { ...stamp, kind, term: term ?? -1, ...(noteOf(note) as { next: string }) };
    case 'lease':
      return { ...stamp, kind, term: term ?? -1, seen: base ?? -1 };
    case 'beat':
    case 'release':
    case 'mark':
      return { ...stamp, kind, term: term ?? -1 };
    default:
      throw new LoreError(
        'filesystem',
        `The log of the store has a row of the kind ${JSON.stringify(kind)}, which this version of Lore does not know.`,
        {
          hint: 'Install the newest version of Lore on all servers of the store.',
        },
      );
  }
}

/** The form from before there were shards. */
type EarlierCheckpoint = Omit<SharedCheckpoint, 'entries'> & EntriesVersions[number];

function presentCheckpoint({ version, rows, ...head }: EarlierCheckpoint): SharedCheckpoint {
  return { ...head, entries: [{ version, rows }] };
}

/** Size of the payload, from the note of its row. */
export function payloadBytes(note: string | null): number {
  return (noteOf(note) as { bytes?: number }).bytes ?? 0;
}

function noteOf(note: string | null): unknown {
  return JSON.parse(note ?? '{}');
}

function recordsOf(id: string, payload: Uint8Array | null, count: number): readonly LogRecord[] {
  const bytes = payload ?? new Uint8Array();
  const { records } = decodeRecords(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (records.length === count) return records;
  throw new LoreError('filesystem', `Batch ${id} of the store's log is damaged: ${records.length} of its ${count} records can be read.`, {
    hint: 'Nothing was changed. Check the object storage; earlier versions of its objects may be intact.',
  });
}
