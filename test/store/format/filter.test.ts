import { connect, makeArrowTable, type Table } from '@lancedb/lancedb';
import { Field, Float32, Float64, List, Schema, Utf8 } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EntryFilter } from '../../../src/memory/entry.ts';
import {
  differsOrIsEmpty,
  containsStream,
  isSameText,
  literal,
  hasAnyEntity,
  oneOf,
  passes,
  predicate,
  type Filterable,
} from '../../../src/store/format/predicates.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

const DAY = 1_700_000_000_000;

interface Row extends Filterable {
  readonly id: string;
}
const ROWS: readonly Row[] = [
  { id: 'a', namespace: 'one', container: 'left', tags: ['red'], priority: 'low', source: 'api', importance: 0.1, createdAt: DAY },
  // Times are kept finer than they are shown.
  {
    id: 'b',
    namespace: 'one',
    container: 'right',
    tags: ['red', 'blue'],
    priority: 'normal',
    source: 'mcp',
    importance: 0.3,
    createdAt: DAY + 1.5,
  },
  { id: 'c', namespace: 'two', container: "l'été", tags: [], priority: 'high', source: 'cli', importance: 0.7, createdAt: DAY + 2 },
  { id: 'd', namespace: 'three', container: 'right', tags: ['blue'], priority: 'high', source: 'api', importance: 0.9, createdAt: DAY + 3 },
].map((row) => row as Row);
/** The same as the first, but for one that takes its place. */
const REPLACED: Row = { ...ROWS[0]!, id: 'e', superseded: true };
const ALL = [...ROWS, REPLACED];

async function tableOf(folder: string): Promise<Table> {
  const texts = (name: string): Field => new Field(name, new List(new Field('item', new Utf8(), true)), false);
  const schema = new Schema([
    ...['id', 'namespace', 'container', 'source', 'priority', 'status'].map((name) => new Field(name, new Utf8(), false)),
    texts('tags'),
    new Field('importance', new Float32(), false),
    new Field('created_at', new Float64(), false),
  ]);
  const rows = ALL.map(({ superseded, createdAt, ...row }) => ({
    ...row,
    tags: [...row.tags],
    created_at: createdAt,
    status: superseded === true ? 'superseded' : 'active',
  }));
  return await (await connect(folder)).createTable('rows', makeArrowTable(rows, { schema }));
}

async function idsWhere(table: Table, where: string | undefined): Promise<string> {
  const query = table.query().select(['id']);
  const rows = (await (where === undefined ? query : query.where(where)).toArray()) as { id: string }[];
  return rows
    .map(({ id }) => id)
    .toSorted()
    .join('');
}

describe('a filter', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let table: Table;
  beforeAll(async () => {
    folder = await temporaryFolder();
    table = await tableOf(folder.path);
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  it.each<[string, EntryFilter, string]>([
    ['of nothing lets all pass', {}, 'abcde'],
    ['of a namespace', { namespaces: ['one'] }, 'abe'],
    ['of two namespaces', { namespaces: ['one', 'three'] }, 'abde'],
    ['of no namespace at all', { namespaces: ['four'] }, ''],
    ['of a container', { container: 'right' }, 'bd'],
    ['of a container with a quote in its name', { container: "l'été" }, 'c'],
    ['of a tag', { tags: ['red'] }, 'abe'],
    ['of two tags wants both', { tags: ['red', 'blue'] }, 'b'],
    ['of no tags lets all pass', { tags: [] }, 'abcde'],
    ['of a priority', { priority: 'high' }, 'cd'],
    ['of a source', { source: 'api' }, 'ade'],
    ['of a least importance includes what is shown as that', { importance: { min: 0.3 } }, 'bcd'],
    ['of a greatest importance includes what is shown as that', { importance: { max: 0.7 } }, 'abce'],
    ['of both', { importance: { min: 0.3, max: 0.7 } }, 'bc'],
    ['of a little more than an importance', { importance: { min: 0.300002 } }, 'cd'],
    ['of a little less than an importance', { importance: { max: 0.699998 } }, 'abe'],
    ['of a time after', { createdAfter: DAY }, 'bcd'],
    ['of a time after, in whole milliseconds', { createdAfter: DAY + 1 }, 'cd'],
    ['of a time before', { createdBefore: DAY + 3 }, 'abce'],
    ['of a time between', { createdAfter: DAY + 1, createdBefore: DAY + 3 }, 'c'],
    ['of how an id begins', { idPrefix: 'b' }, 'b'],
    ['of what holds today', { current: true }, 'abcd'],
    ['of all these at once', { namespaces: ['one'], container: 'left', tags: ['red'], priority: 'low', source: 'api', current: true }, 'a'],
    ['is a conjunction', { namespaces: ['one'], container: 'right' }, 'b'],
  ])('%s, in the table and in memory', async (_, filter, expected) => {
    expect(await idsWhere(table, predicate(filter))).toBe(expected);
    expect(
      ALL.filter((row) => passes(filter, row))
        .map(({ id }) => id)
        .join(''),
    ).toBe(expected);
  });

  it('combines further conditions', async () => {
    expect(await idsWhere(table, predicate({}, [oneOf('id', ['a', 'c'])]))).toBe('ac');
    expect(await idsWhere(table, predicate({ namespaces: ['one'] }, [oneOf('id', ['a', 'c'])]))).toBe('a');
  });

  it('with an invalid number or text is rejected as input', () => {
    for (const filter of [{ createdAfter: NaN }, { createdBefore: Infinity }, { importance: { min: NaN } }, { container: '\ud800' }])
      expect(() => predicate(filter)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    expect(() => literal('\udc00')).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

describe('a condition on a text', () => {
  const CONTENTS = [
    'The cache (v1.2) is on',
    'the  CACHE\n(V1.2) is on ',
    'The cache (v1x2) is on',
    'Thecache(v1.2)ison',
    'The cache (v1.2) is on.',
    'Café',
    'a|b',
  ];
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let table: Table;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const list = new List(new Field('item', new Utf8(), true));
    const schema = new Schema([
      ...['id', 'content', 'search_text', 'embedder'].map((name) => new Field(name, new Utf8(), false)),
      new Field('vector', new Utf8(), true),
      new Field('entities', list, false),
    ]);
    const rows = CONTENTS.map((content, at) => ({
      id: String(at),
      content,
      search_text: content.toLowerCase(),
      embedder: at < 3 ? 'new' : 'old',
      vector: at === 0 ? null : 'there',
      entities: [[], ['ana'], ['ana', 'bo'], ['bo'], ['cy'], [], []][at],
    }));
    table = await (await connect(folder.path)).createTable('texts', makeArrowTable(rows, { schema }));
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  it.each([
    ['The cache (v1.2) is on', '01'],
    ['  THE cache (v1.2)  is on\n', '01'],
    ['The cache (v1.2) is', ''],
    ['cache (v1.2) is on', ''],
    ['cafe\u0301', '5'],
    ['a|b', '6'],
    ['a', ''],
  ])('matches %j in any letter case and white space', async (text, expected) => {
    expect(await idsWhere(table, isSameText(text))).toBe(expected);
  });

  it('matches a contained text', async () => {
    expect(await idsWhere(table, containsStream('cache (v1.2'))).toBe('04');
  });

  it('finds entries of another model, and without vectors', async () => {
    expect(await idsWhere(table, differsOrIsEmpty({ column: 'embedder', value: 'new', filled: 'vector' }))).toBe('03456');
  });

  it('finds entries with any of several names', async () => {
    expect(await idsWhere(table, hasAnyEntity(['ana']))).toBe('12');
    expect(await idsWhere(table, hasAnyEntity(['ana', 'cy']))).toBe('124');
  });
});
