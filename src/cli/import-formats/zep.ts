import { dateOf, instantOf, referenceOf, tagsOf, textOf, textsOf } from '../../sources/readers/field-values.ts';
import { isRecord, type JsonRecord } from '../../sources/readers/json-record.ts';
import { entryLines } from './entry-lines.ts';
import type { EntryLine, Item } from '../../sources/readers/markdown-note.ts';
import type { Format, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { statementAbout, firstRecords, recordsOfAll, type FoundRecord } from './records.ts';

const STORE = 'zep';
const LISTS = ['edges', 'facts', 'nodes', 'entities', 'episodes', 'results'] as const;
/** Labels common to all nodes of a kind. */
const PLAIN_LABELS = new Set(['entity', 'node', 'episodic', 'community']);

/**
 * Graphs of Zep and Graphiti: edges with a fact, nodes with a summary, and the episodes they come from. Either lists under `edges` (or
 * `facts`), `nodes` and `episodes`, as in the APIs; or one node or relationship per line, as exported by the graph database.
 */
export const zep: Format = {
  name: STORE,
  unit: ['edge, node or episode', 'edges, nodes and episodes'],
  recognise: (input) => {
    const records = LISTS.flatMap((list) => firstRecords(input, [list])).map(plain);
    return records.some((record) => kindOf(record) !== undefined && ('uuid' in record || 'uuid_' in record))
      ? 'it has edges with a "fact", or nodes and episodes with a "uuid", like graphs of Zep and Graphiti'
      : undefined;
  },
  read: (input, options) => entryLines(itemsOf(input, options)),
};

/** A record of the graph database has its fields under `properties`. */
function plain(record: JsonRecord): JsonRecord {
  const { properties } = record;
  if (!isRecord(properties)) return record;
  const [start, end] = [record['start'], record['end']].map((node) =>
    isRecord(node) && isRecord(node['properties']) ? node['properties'] : {},
  );
  return { labels: record['labels'], source_node_name: start?.['name'], target_node_name: end?.['name'], ...properties };
}

type Kind = 'edge' | 'node' | 'episode';

function kindOf(record: JsonRecord): Kind | undefined {
  if (textOf(record['fact']) !== undefined) return 'edge';
  if ('memory' in record) return undefined;
  if (
    textOf(record['content']) !== undefined &&
    ('source_description' in record || 'episode_metadata' in record || 'reference_time' in record || 'role_type' in record)
  )
    return 'episode';
  return textOf(record['name']) !== undefined && ('summary' in record || 'labels' in record) ? 'node' : undefined;
}

async function* itemsOf(input: Input, options: ReadOptions): AsyncGenerator<Item> {
  const { findings } = options;
  const all: (FoundRecord & { readonly kind?: Kind | undefined })[] = [];
  for await (const found of recordsOfAll(input, LISTS, options.findings)) {
    const record = 'record' in found ? plain(found.record) : undefined;
    all.push(record === undefined ? found : { place: found.place, record, kind: kindOf(record) });
  }
  const isDrawn = all.some(({ kind }) => kind === 'edge' || kind === 'node');
  const names = new Map<unknown, string>();
  for (const found of all) {
    if (!('record' in found) || found.kind !== 'node') continue;
    const name = textOf(found.record['name']);
    if (name !== undefined) names.set(uuidOf(found.record), name);
  }
  for (const found of all) {
    if ('problem' in found) {
      yield found;
      continue;
    }
    const { place, record, kind } = found;
    if (kind === undefined && isRelationship(record)) findings.leaveOut('relationships without a fact');
    else if (kind === undefined) yield { place, problem: 'is neither an edge with a fact, nor a node with a summary, nor an episode' };
    else if (kind === 'episode' && isDrawn) findings.leaveOut('episodes, whose facts are imported separately');
    else {
      const entry = ENTRIES[kind](record, names, options);
      if (entry !== undefined) yield { place, entry };
    }
  }
}

/** Such as the edge from an episode to what it mentions. */
const isRelationship = (record: JsonRecord): boolean => 'source_node_name' in record || record['type'] === 'relationship';

const uuidOf = (record: JsonRecord): unknown => record['uuid'] ?? record['uuid_'];

const ENTRIES: Record<Kind, (record: JsonRecord, names: ReadonlyMap<unknown, string>, options: ReadOptions) => EntryLine | undefined> = {
  edge: (record, names, { findings }) => {
    const fact = textOf(record['fact']) ?? '';
    const ended = [record['invalid_at'], record['expired_at']]
      .map(instantOf)
      .find((at) => at !== undefined && Date.parse(at) <= Date.now());
    if (ended !== undefined) {
      findings.leaveOut('facts that are no longer valid', fact);
      return undefined;
    }
    findings.count('facts');
    const type = textOf(record['name']);
    return {
      ...common(record, findings),
      content: fact,
      tags: tagsOf([type?.toLowerCase()], findings),
      sourceRef: referenceOf({
        store: STORE,
        from: textOf(record['source_node_name']) ?? names.get(record['source_node_uuid']),
        relationType: type,
        to: textOf(record['target_node_name']) ?? names.get(record['target_node_uuid']),
        validAt: instantOf(record['valid_at']),
      }),
    };
  },
  node: (record, _names, { findings }) => {
    const [name = '', summary] = [textOf(record['name']), textOf(record['summary'])];
    if (summary === undefined) {
      findings.leaveOut('nodes without a summary', name);
      return undefined;
    }
    findings.count('nodes');
    const labels = textsOf(record['labels']).filter((label) => !PLAIN_LABELS.has(label.toLowerCase()));
    return {
      ...common(record, findings),
      content: statementAbout(name, summary),
      tags: tagsOf(
        labels.map((label) => label.toLowerCase()),
        findings,
      ),
      sourceRef: referenceOf({ store: STORE, entity: name }),
    };
  },
  episode: (record, _names, { findings }) => {
    findings.count('episodes');
    return {
      ...common(record, findings),
      content: textOf(record['content']) ?? '',
      tags: tagsOf(['episode'], findings),
      sourceRef: referenceOf({ store: STORE, description: record['source_description'], role: record['role'] ?? record['role_type'] }),
    };
  },
};

function common(record: JsonRecord, findings: ReadOptions['findings']): Pick<EntryLine, 'id' | 'container' | 'createdAt'> {
  return {
    id: textOf(uuidOf(record)),
    // Keeps the partitions of one graph apart, but in one tree.
    container: textOf(record['group_id']),
    createdAt: dateOf(record['created_at'], findings),
  };
}
