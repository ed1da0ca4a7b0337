/** Table operations of the simulated LanceDB service. */
import { Index, MatchQuery, Operator, type Connection, type IndexOptions, type Table } from '@lancedb/lancedb';
import type { DataType, Field, RecordBatch, Schema } from 'apache-arrow';
import { arrow } from '../../src/store/format/schema.ts';
import { fileOfStream } from './arrow-stream.ts';

export type Json = Readonly<Record<string, unknown>>;

/** An error in the service's format. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Handlers of raw request bodies. */
interface NativeConnection {
  createTable(name: string, file: Buffer, mode: string, namespace: readonly string[]): Promise<unknown>;
}

interface NativeTable {
  add(file: Buffer, mode: string): Promise<{ readonly version: number }>;
  mergeInsert(on: readonly string[]): NativeMerge;
}

interface NativeMerge {
  whenMatchedUpdateAll(): NativeMerge;
  whenNotMatchedInsertAll(): NativeMerge;
  execute(file: Buffer): Promise<{ readonly version: number; readonly numInsertedRows: number; readonly numUpdatedRows: number }>;
}

const nativeOf = (wrapped: object): NativeConnection & NativeTable => (wrapped as { readonly inner: NativeConnection & NativeTable }).inner;

/** Creates a table from the batches of a stream. */
export async function createFrom(connection: Connection, name: string, stream: Buffer): Promise<void> {
  await nativeOf(connection).createTable(name, fileOfStream(stream), 'create', []);
}

export async function insert(table: Table, body: Buffer): Promise<Json> {
  const { version } = await nativeOf(table).add(fileOfStream(body), 'append');
  return { version };
}

export async function merge(table: Table, body: Buffer, query: URLSearchParams): Promise<Json> {
  const isPut = query.get('when_matched_update_all') === 'true' && query.get('when_not_matched_insert_all') === 'true';
  if (!isPut || query.get('when_not_matched_by_source_delete') === 'true') throw new Refusal(400, 'Only whole rows are merged here');
  const builder = nativeOf(table).mergeInsert([query.get('on') ?? '']);
  const { version, numInsertedRows, numUpdatedRows } = await builder
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute(fileOfStream(body));
  return { version, num_inserted_rows: numInsertedRows, num_updated_rows: numUpdatedRows, num_deleted_rows: 0 };
}

export async function indexStats(table: Table, name: string): Promise<Json> {
  const stats = await table.indexStats(name);
  if (stats === undefined) throw new Refusal(404, `Index ${name} not found`);
  return {
    num_indexed_rows: stats.numIndexedRows,
    num_unindexed_rows: stats.numUnindexedRows,
    index_type: stats.indexType,
    distance_type: stats.distanceType,
  };
}

export function indexOptions(json: Json): Partial<IndexOptions> {
  const shape = { distanceType: json['metric_type'] as 'cosine', numPartitions: json['num_partitions'] as number };
  switch (json['index_type']) {
    case 'BTREE':
      return { config: Index.btree() };
    case 'BITMAP':
      return { config: Index.bitmap() };
    case 'LABEL_LIST':
      return { config: Index.labelList() };
    case 'IVF_RQ':
      return { config: Index.ivfRq(shape) };
    case 'IVF_HNSW_SQ':
      return { config: Index.hnswSq({ ...shape, m: json['m'] as number, efConstruction: json['ef_construction'] as number }) };
    case 'FTS':
      return {
        config: Index.fts({
          baseTokenizer: json['base_tokenizer'] as 'whitespace',
          lowercase: json['lower_case'] as boolean,
          stem: json['stem'] as boolean,
          removeStopWords: json['remove_stop_words'] as boolean,
          asciiFolding: json['ascii_folding'] as boolean,
          maxTokenLength: json['max_token_length'] as number,
          withPosition: json['with_position'] as boolean,
        }),
      };
    default:
      throw new Refusal(400, `Index type ${String(json['index_type'])} is not supported`);
  }
}

export async function query(table: Table, json: Json): Promise<Uint8Array> {
  if (json['with_row_id'] === true) throw new Refusal(400, 'Row ids are not given here');
  const base = table.query();
  const text = json['full_text_query'] as Json | undefined;
  const vector = json['vector'] as number[] | undefined;
  if (vector !== undefined && vector.length > 0) base.limit(json['k'] as number);
  let found =
    vector !== undefined && vector.length > 0 ? nearest(table, vector, json) : text === undefined ? base : base.fullTextSearch(match(text));
  if (typeof json['filter'] === 'string') found = found.where(json['filter']);
  const columns = json['columns'] as string[] | Json | undefined;
  if (columns !== undefined)
    found = found.select(Array.isArray(columns) ? columns : new Map(Object.entries(columns as Record<string, string>)));
  const k = json['k'] as number;
  if (k < Number.MAX_SAFE_INTEGER) found = found.limit(k);
  if (typeof json['offset'] === 'number') found = found.offset(json['offset']);
  const batches: RecordBatch[] = [];
  for await (const batch of found) batches.push(batch);
  const rows = batches.length > 0 ? new arrow.Table(batches) : new arrow.Table(await emptySchema(table, json), []);
  return arrow.tableToIPC(rows, 'file');
}

/** For a response without rows, LanceDB gives no batch with a schema. */
async function emptySchema(table: Table, json: Json): Promise<Schema> {
  const { fields } = await table.schema();
  const names = Array.isArray(json['columns']) ? (json['columns'] as string[]) : fields.map(({ name }) => name);
  const computed = (name: string): Field => new arrow.Field(name, new arrow.Float32(), true);
  return new arrow.Schema(names.map((name) => fields.find((field) => field.name === name) ?? computed(name)));
}

function nearest(table: Table, vector: number[], json: Json): ReturnType<ReturnType<Table['query']>['nearestTo']> {
  let found = table.query().nearestTo(vector);
  if (typeof json['vector_column'] === 'string') found = found.column(json['vector_column']);
  if (typeof json['distance_type'] === 'string') found = found.distanceType(json['distance_type'] as 'cosine');
  if (json['bypass_vector_index'] === true) found = found.bypassVectorIndex();
  if (typeof json['nprobes'] === 'number') found = found.nprobes(json['nprobes']);
  if (typeof json['ef'] === 'number') found = found.ef(json['ef']);
  if (typeof json['refine_factor'] === 'number') found = found.refineFactor(json['refine_factor']);
  if (json['prefilter'] === false) found = found.postfilter();
  return found;
}

function match({ query: given }: Json): MatchQuery {
  const { match: wanted } = given as { match?: { column: string; terms: string; operator: string } };
  if (wanted === undefined) throw new Refusal(400, 'Only match queries are spoken here');
  return new MatchQuery(wanted.terms, wanted.column, { operator: /^or$/i.test(wanted.operator) ? Operator.Or : Operator.And });
}

/** A schema in the service's format. */
export function schemaJson(schema: Schema): Json {
  return { fields: schema.fields.map(fieldJson), metadata: Object.fromEntries(schema.metadata) };
}

function fieldJson({ name, nullable, type }: Field): Json {
  return { name, nullable, type: typeJson(type as DataType) };
}

function typeJson(type: DataType): Json {
  if (arrow.DataType.isFixedSizeList(type)) return { type: 'fixed_size_list', length: type.listSize, fields: type.children.map(fieldJson) };
  if (arrow.DataType.isList(type)) return { type: 'list', fields: type.children.map(fieldJson) };
  if (arrow.DataType.isUtf8(type)) return { type: 'string' };
  if (arrow.DataType.isBool(type)) return { type: 'bool' };
  if (arrow.DataType.isInt(type)) return { type: `${type.isSigned ? '' : 'u'}int${type.bitWidth}` };
  if (arrow.DataType.isFloat(type)) return { type: type.precision === arrow.Precision.DOUBLE ? 'double' : 'float' };
  throw new Refusal(400, `A type of number ${type.typeId} is not described here`);
}
