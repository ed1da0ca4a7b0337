import { basename } from 'node:path';
import { dateOf, referenceOf, tagsOf, textOf } from '../../sources/readers/field-values.ts';
import type { Findings } from '../../sources/readers/findings.ts';
import { isRecord, type JsonRecord } from '../../sources/readers/json-record.ts';
import { jsonValue } from '../../sources/readers/json-text.ts';
import { entryLines } from './entry-lines.ts';
import type { Item } from '../../sources/readers/markdown-note.ts';
import type { Format, ReadOptions } from './format.ts';
import type { Input } from './input.ts';
import { statementAbout, documentOf, recordOmittedLists, listRecords, recordsOf, type FoundRecord } from './records.ts';

const STORE = 'mcp-memory';

/**
 * The file of the reference MCP memory server: a graph of entities with observations, and relations between them, as JSON Lines or as the
 * object that its tool `read_graph` returns. An observation becomes an entry that names its entity; a relation becomes a sentence.
 */
export const mcpMemory: Format = {
  name: STORE,
  unit: ['observation or relation', 'observations and relations'],
  recognise: (input) => {
    if (isGraph(input)) return 'it is a JSON document with "entities" and "relations"';
    const isNode = input.shape === 'lines' && input.start.split('\n').some((line) => kindOf(jsonValue(line)) !== undefined);
    if (!isNode) return undefined;
    const named = /^memory\.jsonl?$/.test(basename(input.name)) ? ', and so is its name' : '';
    return `its lines are entities and relations of an MCP memory server${named}`;
  },
  read: (input, options) => entryLines(itemsOf(input, options)),
};

const isGraph = ({ shape, first }: Input): boolean =>
  shape === 'document' && isRecord(first) && Array.isArray(first['entities']) && Array.isArray(first['relations']);

/** The kind of a record, or undefined if it is neither. */
function kindOf(record: unknown): 'entity' | 'relation' | undefined {
  if (!isRecord(record) || 'content' in record) return undefined;
  if (record['type'] === 'entity' && 'name' in record) return 'entity';
  return record['type'] === 'relation' && 'from' in record && 'to' in record ? 'relation' : undefined;
}

async function* itemsOf(input: Input, options: ReadOptions): AsyncGenerator<Item> {
  for await (const found of nodesOf(input, options.findings)) {
    if ('problem' in found) {
      yield found;
      continue;
    }
    const { place, record } = found;
    const kind = kindOf(record);
    if (kind === 'entity') yield* observationsOf(record, place, options.findings);
    else if (kind === 'relation') yield relationOf(record, place, options.findings);
    else yield { place, problem: 'is neither an entity nor a relation' };
  }
}

async function* nodesOf(input: Input, findings: Findings): AsyncGenerator<FoundRecord> {
  const document = input.shape === 'document' ? await documentOf(input) : undefined;
  if (!isRecord(document)) {
    yield* recordsOf(input, ['entities'], findings);
    return;
  }
  recordOmittedLists(document, new Set(['entities', 'relations']), findings);
  for (const [key, type] of [
    ['entities', 'entity'],
    ['relations', 'relation'],
  ] as const) {
    const list: unknown = document[key];
    for (const found of listRecords(Array.isArray(list) ? list : [], `${input.name} ${type}`)) {
      yield 'record' in found ? { place: found.place, record: { ...found.record, type } } : found;
    }
  }
}

function* observationsOf(entity: JsonRecord, place: string, findings: Findings): Generator<Item> {
  const name = textOf(entity['name']);
  const observations: unknown = entity['observations'];
  if (name === undefined || !Array.isArray(observations)) {
    yield { place, problem: 'an entity must have a name and a list of observations' };
    return;
  }
  findings.count('entities');
  if (observations.length === 0) findings.leaveOut('entities without observations', name);
  const entityType = textOf(entity['entityType']);
  for (const [at, observation] of observations.entries()) {
    const text = textOf(isRecord(observation) ? (observation['content'] ?? observation['text']) : observation);
    if (text === undefined) {
      yield { place, problem: `observation ${at + 1} of ${name} is not a text` };
      continue;
    }
    findings.count('observations');
    const sourceRef = referenceOf({ store: STORE, entity: name, entityType });
    const createdAt = dateOf(entity['createdAt'] ?? entity['created_at'], findings);
    yield { place, entry: { content: statementAbout(name, text), tags: tagsOf([entityType], findings), sourceRef, createdAt } };
  }
}

function relationOf(relation: JsonRecord, place: string, findings: Findings): Item {
  const [from, to, type] = [textOf(relation['from']), textOf(relation['to']), textOf(relation['relationType'])];
  if (from === undefined || to === undefined || type === undefined) {
    return { place, problem: 'a relation must have from, to and relationType' };
  }
  findings.count('relations');
  const content = `${from} ${type.replaceAll('_', ' ')} ${to}`;
  const createdAt = dateOf(relation['createdAt'] ?? relation['created_at'], findings);
  return {
    place,
    entry: { content, tags: tagsOf([type], findings), sourceRef: { store: STORE, from, relationType: type, to }, createdAt },
  };
}
