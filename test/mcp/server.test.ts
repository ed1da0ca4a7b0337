import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import {
  CallToolResultSchema,
  EmptyResultSchema,
  GetPromptResultSchema,
  ReadResourceResultSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMcpServer } from '../../src/mcp/server.ts';
import type { McpMemories } from '../../src/mcp/caller.ts';
import { LoreError } from '../../src/memory/errors.ts';
import { silentLog } from '../../src/memory/log.ts';
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { failureOf } from '../helpers/failure.ts';
import { textOf } from '../helpers/mcp.ts';

interface Found {
  readonly id: string;
  readonly content: string;
  readonly score?: number;
  readonly namespace: string;
  readonly tags?: readonly string[];
  readonly cut?: true;
  readonly place?: string;
}

const UNKNOWN = '0190a000-0000-7000-8000-000000000000';
/** Words of the validator and of the protocol's library. */
const FOREIGN = /zod|-32\d{3}|invalid (arguments|input|type)|expected|received|unrecognized|MCP error/i;

let app: TestApp;
let client: Client;
beforeEach(async () => {
  app = await openTestApp();
  client = await connected(app.memories);
});
afterEach(async () => {
  await client.close();
  await app[Symbol.asyncDispose]();
});

async function connected(memories: McpMemories): Promise<Client> {
  const server = createMcpServer(memories, { version: '1.2.3', namespace: () => Promise.resolve('here'), log: silentLog });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const other = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(theirs), other.connect(ours)]);
  return other;
}

const raw = async (name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
  (await client.callTool({ name, arguments: args })) as CallToolResult;

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each test says what it expects
async function call<T = Record<string, unknown>>(name: string, args?: Record<string, unknown>): Promise<T> {
  const result = await raw(name, args);
  expect(result.isError, textOf(result)).toBeUndefined();
  return result.structuredContent as T;
}

const save = async (content: string, args: Record<string, unknown> = {}): Promise<string> =>
  (await call<{ id: string }>('memory_save', { content, ...args })).id;

describe('a request', () => {
  it('with invalid params is rejected in plain words', async () => {
    for (const [method, params] of [
      ['completion/complete', { ref: {} }],
      ['initialize', { protocolVersion: 5 }],
      ['logging/setLevel', { level: 'x' }],
    ] as const) {
      const failure = await failureOf(client.request({ method, params }, EmptyResultSchema));
      expect(String(failure), method).toMatch(/The params are not valid for `[a-z/]+`\.$|Method not found$/);
    }
  });

  it('is refused if 256 of the same client are in progress, and each is answered', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 400 }, () => client.callTool({ name: 'memory_recall', arguments: {} })));
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : []));
    expect(refused).toHaveLength(144);
    expect(new Set(refused)).toEqual(
      new Set(['McpError: MCP error -32000: More than 256 requests at once. Wait for some of the answers.']),
    );
    expect(await call('memory_recall')).toMatchObject({ results: [] });
  });
});

describe('the tools', () => {
  it('have titles, descriptions, annotations and input schemas', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'memory_context',
      'memory_recall',
      'memory_save',
      'memory_update',
      'memory_forget',
      'memory_relate',
    ]);
    for (const tool of tools) {
      expect(tool).toMatchObject({ title: expect.stringMatching(/\w/), description: expect.stringMatching(/\.$/) });
      expect(tool.inputSchema.type).toBe('object');
      expect(Object.keys(tool.inputSchema.properties ?? {})).not.toEqual([]);
    }
    const writes = tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name);
    expect(writes.toSorted()).toEqual(['memory_forget', 'memory_relate', 'memory_save', 'memory_update']);
    const destroys = tools.filter(({ annotations }) => annotations?.destructiveHint === true).map(({ name }) => name);
    expect(destroys).toEqual(['memory_update', 'memory_forget']);
  });

  it('cost a session few tokens: no patterns, no references, short texts', async () => {
    const { tools } = await client.listTools();
    const text = JSON.stringify(tools);
    expect(text).not.toContain('"pattern"');
    expect(text).not.toContain('$ref');
    expect(countTokens(text)).toBeLessThan(1_600);
    expect(countTokens(client.getInstructions() ?? '')).toBeLessThan(220);
  });

  it('return structured content and the same as text', async () => {
    const id = await save('The staging database runs on port 5433', { tags: ['db'] });
    const result = await raw('memory_recall', { query: 'port of the staging database' });
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    const { results } = result.structuredContent as { results: Found[] };
    expect(results).toEqual([
      {
        id,
        kind: 'note',
        content: 'The staging database runs on port 5433',
        score: expect.any(Number),
        namespace: 'here',
        tags: ['db'],
        createdAt: expect.stringMatching(/T\d\d:\d\dZ$/),
      },
    ]);
  });

  it('reject wrong arguments with a result that names the field', async () => {
    for (const [name, args, words] of [
      ['memory_save', {}, 'content is required.'],
      ['memory_save', { content: ' ' }, 'content must not be blank.'],
      ['memory_save', { content: 'x', tags: 'decision' }, 'tags must be an array.'],
      ['memory_recall', { query: 'x', limit: 1000 }, 'limit must be at most 100.'],
      ['memory_recall', { query: 'x', limit: '5' }, 'limit must be a number.'],
      ['memory_search', { query: 'x', createdAfter: 'yesterday' }, 'createdAfter must be an ISO 8601 date or time.'],
      ['memory_get', { id: 'no id' }, 'id must be the id of an entry.'],
      ['memory_context', { task: 'x', maxTokens: 1 }, 'maxTokens must be at least 50.'],
      ['memory_relate', { sourceId: 'x' }, 'targetId is required.'],
      ['memory_health', { namespce: 'x' }, 'Unknown argument `namespce`. This request takes no arguments.'],
    ] as const) {
      const result = await raw(name, args);
      expect(result.isError, name).toBe(true);
      expect(textOf(result)).toBe(`${words} Correct the arguments and call again.`);
    }
  });

  it('reject an unknown argument with a suggestion, and do nothing', async () => {
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      expect([name, inputSchema['additionalProperties']]).toEqual([name, false]);
      const known = Object.keys(inputSchema.properties ?? {});
      for (const unknown of ['none_such', ...known.map((argument) => argument.toUpperCase())]) {
        const words = textOf(await raw(name, { content: 'Not to be saved', id: UNKNOWN, query: 'x', [unknown]: true }));
        expect(words).toMatch(/^Unknown argument `/);
        expect(words).not.toMatch(FOREIGN);
        for (const argument of known) expect(words).toContain(`\`${argument}\``);
      }
    }
    const misspelt = await raw('memory_search', { query: 'x', created_after: '2026-01-31' });
    expect(textOf(misspelt)).toMatch(/^Unknown argument `created_after`\. Did you mean `createdAfter`\? Known arguments: `query`, /);
    expect((await app.memories.list({ allNamespaces: true })).total).toBe(0);
  });

  it('that do not exist are answered with the existing ones, in plain words', async () => {
    const unknown = await raw('memory_recal', { query: 'x' });
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toMatch(
      /^There is no tool `memory_recal`\. Did you mean `memory_recall`\? The tools are `memory_context`, .*\.$/,
    );
    for (const name of ['constructor', '__proto__', ' ']) expect(textOf(await raw(name))).toMatch(/^There is no tool /);
    for (const params of [{}, { name: 5 }, { name: 'memory_health', arguments: 'x' }, { name: 'memory_health', arguments: [1] }]) {
      const answer = await client.request({ method: 'tools/call', params }, CallToolResultSchema);
      expect([answer.isError, textOf(answer)]).toEqual([
        true,
        expect.stringMatching(/^(There is no tool|The arguments must be an object)/),
      ]);
      expect(textOf(answer)).not.toMatch(FOREIGN);
    }
  });

  it('report what went wrong and what to do next', async () => {
    const result = await raw('memory_forget', { id: UNKNOWN });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toBe(`No entry has the id "${UNKNOWN}". memory_recall shows valid ids.`);
  });

  it('pass the signal of a cancelled call on', async () => {
    const taken = new AbortController();
    const signals: AbortSignal[] = [];
    const waiting: McpMemories = Object.assign(Object.create(app.memories) as McpMemories, {
      recall: (_request: unknown, { signal }: { signal: AbortSignal }) => {
        signals.push(signal);
        taken.abort();
        return new Promise(() => {});
      },
    });
    const other = await connected(waiting);
    await failureOf(other.callTool({ name: 'memory_recall', arguments: { query: 'x' } }, undefined, { signal: taken.signal }));
    await other.ping();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await other.close();
  });
});

describe('memory_save', () => {
  it('saves into the project of the client, with the source mcp', async () => {
    const saved = await call<{ id: string; status: string; namespace: string }>('memory_save', { content: 'Ana prefers tabs' });
    expect(saved).toEqual({ id: expect.any(String), status: 'stored', namespace: 'here' });
    expect(await app.memories.get(saved.id)).toMatchObject({ source: 'mcp', namespace: 'here', content: 'Ana prefers tabs' });
  });

  it('returns the same id for the same text, and near duplicates', async () => {
    const id = await save('The deploy pipeline runs make ship on every push to main');
    expect(await call('memory_save', { content: 'The deploy pipeline runs make ship on every push to main' })).toMatchObject({
      id,
      status: 'duplicate',
    });
    expect(await call('memory_save', { content: 'The deploy pipeline runs "make ship" on every push to main!' })).toMatchObject({
      status: 'stored',
      near: [{ id, similarity: expect.any(Number), content: expect.stringContaining('make ship') }],
    });
  });

  it('saves for every project on request', async () => {
    expect(await call('memory_save', { content: 'Ana lives in Porto', global: true })).toMatchObject({ namespace: 'global' });
    expect(await call<{ results: Found[] }>('memory_recall', { query: 'where does Ana live' })).toMatchObject({
      results: [{ namespace: 'global' }],
    });
    expect(await call('memory_recall', { query: 'where does Ana live', includeGlobal: false })).toEqual({ results: [] });
  });
});

describe('a correction', () => {
  const found = async (query: string): Promise<string[]> =>
    (await call<{ results: Found[] }>('memory_recall', { query })).results.map(({ content }) => content);

  it('is one call: a save with the replaced id', async () => {
    const old = await save('The nightly job starts at 05:00');
    const saved = await call('memory_save', { content: 'The nightly job starts at 04:00', supersedes: old });
    expect(saved).toMatchObject({ status: 'stored', supersedes: old });
    expect(saved).not.toHaveProperty('near');
    expect(await found('when does the nightly job start')).toEqual(['The nightly job starts at 04:00']);
  });

  it('with an unknown id saves nothing', async () => {
    const refused = await raw('memory_save', { content: 'The nightly job starts at 04:00', supersedes: UNKNOWN });
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining('No entry has the id')]);
    expect(await found('nightly job')).toEqual([]);
    const id = await save('The tea is black');
    const itself = await call('memory_save', { content: 'The tea is black', supersedes: id });
    expect(itself).toMatchObject({ id, status: 'duplicate' });
    expect(itself).not.toHaveProperty('supersedes');
  });

  it('changes an entry in place, with its history', async () => {
    const id = await save('The tea is bleck', { tags: ['tea'] });
    expect(await call('memory_update', { id, content: 'The tea is black' })).toMatchObject({
      id,
      content: 'The tea is black',
      tags: ['tea'],
    });
    expect((await app.memories.lifecycle.history(id)).versions).toHaveLength(1);
    expect(textOf(await raw('memory_update', { id }))).toMatch(/^Give content, tags or priority/);
    expect(textOf(await raw('memory_update', { id: UNKNOWN, content: 'x' }))).toContain('No entry has the id');
  });
});

describe('memory_forget', () => {
  it('archives, and can be undone', async () => {
    const id = await save('The tea is black');
    expect(await call('memory_forget', { id })).toEqual({ id, forgotten: true, undo: `lore archive restore ${id}` });
    expect((await raw('memory_forget', { id })).isError).toBe(true);
    expect((await app.memories.lifecycle.restore({ ids: [id] })).restored).toEqual([id]);
    expect(await app.memories.get(id)).toMatchObject({ content: 'The tea is black' });
  });

  it('deletes permanently only on request', async () => {
    const id = await save('The tea is black');
    expect(await call('memory_forget', { id, permanent: true })).toEqual({ id, forgotten: true, permanent: true });
    expect((await app.memories.lifecycle.archived({})).total).toBe(0);
    expect(textOf(await raw('memory_forget', { id, permanent: true }))).toContain('No entry has the id');
  });
});

describe('reading', () => {
  const recalled = async (args: Record<string, unknown>): Promise<Found[]> =>
    (await call<{ results: Found[] }>('memory_recall', args)).results;

  it('recalls this project, or all', async () => {
    await save('The tea is in the kitchen');
    await save('The tea is in the cellar', { namespace: 'other' });
    expect((await recalled({ query: 'tea' })).map(({ namespace }) => namespace)).toEqual(['here']);
    const all = await recalled({ query: 'tea', allProjects: true });
    expect(all.map(({ namespace }) => namespace).toSorted()).toEqual(['here', 'other']);
    expect((await recalled({ allProjects: true })).map(({ namespace }) => namespace)).toEqual(['other', 'here']);
  });

  it('accepts conditions: kind, tags and time, with and without a query', async () => {
    const decision = await save('The tea is in the kitchen', { kind: 'decision', tags: ['tea'] });
    const plain = await save('The tea is black');
    for (const query of [{ query: 'tea' }, {}]) {
      expect((await recalled(query)).map(({ id }) => id).toSorted()).toEqual([decision, plain].toSorted());
      expect(await recalled({ ...query, kind: 'decision' })).toMatchObject([{ id: decision, kind: 'decision', tags: ['decision', 'tea'] }]);
      expect(await recalled({ ...query, tags: ['tea'] })).toMatchObject([{ id: decision }]);
      expect(await recalled({ ...query, kind: 'code' })).toEqual([]);
      expect(await recalled({ ...query, createdAfter: '2999-01-01' })).toEqual([]);
      expect(await recalled({ ...query, createdBefore: '2999-01-01' })).toHaveLength(2);
    }
  });

  it('names the argument that does not go with the others', async () => {
    for (const [args, words] of [
      [{ id: UNKNOWN, query: 'tea' }, 'id names one entry: leave out query.'],
      [{ cursor: '5-x' }, 'cursor needs the id of its entry.'],
      [{ includeArchived: true }, 'includeArchived needs a query.'],
      [{ query: 'tea', offset: 5 }, 'offset is for calls without a query.'],
    ] as const)
      expect(textOf(await raw('memory_recall', args))).toBe(`${words} Correct the arguments and call again.`);
  });

  it('returns the location and kind of a file passage', async () => {
    const file = { path: 'src/tea.ts', hash: 'a'.repeat(64) };
    const passages = [{ content: 'export const brew = (leaves) => leaves;', start: 3, end: 10 }];
    await app.memories.sources.replace({ kind: 'index', namespace: 'here', root: '/projects/tea', files: [{ ...file, passages }] });
    const [found] = await recalled({ query: 'brew leaves', kind: 'code' });
    expect(found).toMatchObject({ kind: 'code', place: 'src/tea.ts:3-10', namespace: 'here', createdAt: expect.any(String) });
    const { contents } = await client.readResource({ uri: `lore://entry/${found!.id}` });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('code src/tea.ts:3-10 here') });
  });

  it('returns memories, and passages of files in one line each', async () => {
    const passages = [{ content: '// brews the tea\nexport const brew = (tea) => tea;', start: 3, end: 4 }];
    const file = { path: 'src/tea.ts', hash: 'a'.repeat(64), passages };
    await app.memories.sources.replace({ kind: 'index', namespace: 'here', root: '/projects/tea', files: [file] });
    // Where nothing else is there, they are the answer.
    expect(await call('memory_recall', { query: 'brew the tea' })).toMatchObject({ results: [{ kind: 'code' }] });
    const id = await save('We brew the tea for four minutes');
    for (const place of [{}, { allProjects: true }])
      expect(await call('memory_recall', { query: 'brew the tea', ...place })).toEqual({
        results: [expect.objectContaining({ id, kind: 'note' })],
        files: [{ place: 'src/tea.ts:3-4', line: '// brews the tea', id: expect.any(String), score: expect.any(Number) }],
      });
    expect(await recalled({})).toMatchObject([{ id }]);
    expect(await recalled({ kind: 'code' })).toMatchObject([{ place: 'src/tea.ts:3-4' }]);
  });

  it('returns the matching lines of a long passage', async () => {
    const lines = Array.from({ length: 60 }, (_, nth) => `const filler${nth} = 'nothing of note is said in this line';`);
    lines[49] = `const zebra = 'the zebra feeder is filled at noon';`;
    const file = { path: 'src/zoo.ts', hash: 'a'.repeat(64), passages: [{ content: lines.join('\n'), start: 101, end: 160 }] };
    await app.memories.sources.replace({ kind: 'index', namespace: 'here', root: '/projects/zoo', files: [file] });
    const [found] = await recalled({ query: 'zebra feeder filled', kind: 'code' });
    const [first, last] = found!.place!.replace('src/zoo.ts:', '').split('-').map(Number) as [number, number];
    expect(found!.content.split('\n')).toHaveLength(last - first + 1);
    expect([first > 101, first <= 150, last >= 150, found!.cut]).toEqual([true, true, true, true]);
    expect(lines.slice(first - 101, last - 100).join('\n')).toContain(found!.content.split('\n')[0]);
  });

  it('mentions matching archived memories if nothing else matches, and finds them', async () => {
    const id = await save('The lathe needs a belt of size 17');
    const { token } = await app.memories.lifecycle.forgetMany({ ids: [id] });
    await app.memories.lifecycle.forgetMany({ ids: [id], confirm: token! });
    for (const name of ['memory_recall', 'memory_search']) {
      expect(await call(name, { query: 'lathe belt' })).toEqual({
        results: [],
        note: 'Nothing here matches well, but 1 archived memory matches: call again with includeArchived.',
      });
      expect(await call(name, { query: 'lathe belt', includeArchived: true })).toMatchObject({
        results: [{ id, archived: 'forgotten' }],
        note: expect.stringContaining(`\`lore archive restore ${id}\``),
      });
    }
  });

  it('shows the answering passage of a long text, and all of it by id', async () => {
    const filler = 'Nothing of note happened on that day in the office. '.repeat(60);
    const content = `${filler}\n\nThe zebra password rotates every ninety days.\n\n${filler}`;
    const id = await save(content);
    const { results } = await call<{ results: Found[] }>('memory_recall', { query: 'zebra password rotates' });
    expect(results[0]).toMatchObject({ id, cut: true, content: expect.stringContaining('zebra password') });
    expect(results[0]!.content.length).toBeLessThan(1_500);
    expect(await recalled({ id })).toEqual([expect.objectContaining({ id, content, source: 'mcp' })]);
    expect((await recalled({}))[0]!.content.length).toBeLessThan(1_600);
  });

  it('lists page by page, newest first', async () => {
    for (const name of ['one', 'two', 'three']) await save(`Entry ${name}`, { tags: [name] });
    const page = await call('memory_recall', { limit: 2 });
    expect(page).toMatchObject({ total: 3, offset: 0, results: [{ content: 'Entry three' }, { content: 'Entry two' }] });
    expect(await call('memory_recall', { offset: 2 })).toMatchObject({ total: 3, results: [{ content: 'Entry one' }] });
    expect(await call('memory_recall', { tags: ['one'], offset: 0 })).toMatchObject({ total: 1 });
  });

  it('shows relations of an entry, and hides superseded ones', async () => {
    const old = await save('We deploy with Jenkins');
    const now = await save('We deploy with GitHub Actions');
    expect(await call('memory_relate', { sourceId: now, type: 'supersedes', targetId: old })).toEqual({
      sourceId: now,
      type: 'supersedes',
      targetId: old,
      strength: 1,
    });
    const { results } = await call<{ results: Found[] }>('memory_recall', { query: 'how do we deploy' });
    expect(results.map(({ id }) => id)).toEqual([now]);
    expect(await recalled({ id: old })).toMatchObject([{ superseded: true, relations: [{ type: 'supersedes', sourceId: now }] }]);
    expect(await recalled({ id: now })).toMatchObject([{ relations: [{ type: 'supersedes', targetId: old }] }]);
  });
});

describe('a tool of an earlier version', () => {
  it('is not listed, and still works', async () => {
    const id = await save('The tea is in the kitchen');
    await save('The tea is in the cellar', { namespace: 'other' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).filter((name) => /search|list|_get$|health/.test(name))).toEqual([]);
    expect(await call('memory_search', { query: 'tea' })).toMatchObject({ results: [{}, {}] });
    expect(await call('memory_search', { query: 'tea', createdAfter: '2999-01-01' })).toEqual({ results: [] });
    expect(await call('memory_list', { limit: 1 })).toMatchObject({ total: 1, offset: 0, entries: [{ id }] });
    expect(await call('memory_list', { allNamespaces: true, sort: 'createdAt' })).toMatchObject({ entries: [{ id }, {}] });
    expect(await call('memory_get', { id })).toMatchObject({ id, content: 'The tea is in the kitchen', source: 'mcp' });
  });

  it('accepts arguments that are no longer listed', async () => {
    await save('The tea is in the kitchen');
    const args = { query: 'tea', searchMode: 'keyword', minScore: 0.1, includeGlobal: false };
    expect(await call('memory_recall', args)).toMatchObject({ results: [{}] });
  });

  it('reports the health of the store', async () => {
    await save('A fact');
    await save('A fact of all', { global: true });
    expect(await call('memory_health')).toMatchObject({
      status: 'healthy',
      namespace: 'here',
      entriesHere: 1,
      globalEntries: 1,
      totalEntries: 2,
    });
  });
});

describe('memory_context', () => {
  const context = async (args: Record<string, unknown>) =>
    await call<{ context: string; ids: string[]; tokens: number }>('memory_context', args);

  it('returns relevant entries, decisions first and newest first', async () => {
    await save('The payment service logs to Loki');
    const old = await save('We decided to retry a failed payment three times', { tags: ['decision'] });
    const now = await save('Decision: the payment service uses Postgres', { tags: ['decision'] });
    await save('The office plant needs water on Mondays');
    const { context: text, ids, tokens } = await context({ task: 'Change how the payment service retries a failed payment and logs it' });
    expect(ids).toEqual([now, old, expect.any(String)]);
    const lines = text.split('\n').slice(1);
    expect(lines.map((line) => line.replace(/^.*\] /, ''))).toEqual([
      'Decision: the payment service uses Postgres',
      'We decided to retry a failed payment three times',
      'The payment service logs to Loki',
    ]);
    expect(tokens).toBeGreaterThan(20);
  });

  it('returns nothing if nothing is relevant', async () => {
    await save('The office plant needs water on Mondays');
    const result = await raw('memory_context', { task: 'Rewrite the billing cron job' });
    expect(result.structuredContent).toEqual({ context: '', ids: [], tokens: 0 });
    expect(textOf(result)).toBe('Nothing is remembered about this.');
  });

  it('returns the rules of a session start without a task', async () => {
    const id = await save('We decided to deploy on Tuesdays', { tags: ['decision'] });
    expect(await context({})).toMatchObject({ ids: [id], context: expect.stringContaining('on Tuesdays') });
  });

  it('respects its token limit', async () => {
    for (let n = 0; n < 20; n += 1) await save(`Room ${n} of the office has ${n} plants, and they need water`);
    for (let n = 0; n < 12; n += 1)
      await save(`Fact ${n} about the walrus feeder: ${`it needs ${n} kilograms of fish before noon; `.repeat(4)}`);
    const small = await context({ task: 'the walrus feeder', maxTokens: 200 });
    expect(small.tokens).toBeGreaterThan(0);
    expect(small.tokens).toBeLessThanOrEqual(200);
    expect((await context({ task: 'the walrus feeder', maxTokens: 2000 })).ids.length).toBeGreaterThan(small.ids.length);
  });

  it('includes global entries by default', async () => {
    const id = await save('Ana prefers tabs over spaces', { global: true });
    const task = 'Which indentation does Ana prefer, tabs or spaces?';
    expect(await context({ task })).toMatchObject({ ids: [id] });
    expect(await context({ task, includeGlobal: false })).toMatchObject({ ids: [] });
  });
});

describe('the resources', () => {
  it('are the newest entries and the namespaces', async () => {
    const id = await save('The tea is in the kitchen', { tags: ['tea'] });
    await save('Elsewhere', { namespace: 'owner/repo' });
    const { resources } = await client.listResources();
    expect(resources).toEqual([
      expect.objectContaining({ uri: 'lore://inbox', name: 'inbox' }),
      expect.objectContaining({
        uri: `lore://entry/${id}`,
        name: 'The tea is in the kitchen',
        mimeType: 'text/markdown',
        description: expect.stringContaining('#tea'),
      }),
      expect.objectContaining({ uri: 'lore://namespace/here', name: 'here', description: 'The newest of its 1 memories.' }),
      expect.objectContaining({ uri: 'lore://namespace/owner%2Frepo', name: 'owner/repo' }),
    ]);
    const templates = (await client.listResourceTemplates()).resourceTemplates;
    expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual(['lore://entry/{id}', 'lore://namespace/{ns}']);
  });

  it('are read by their URI', async () => {
    const id = await save('The tea is in the kitchen', { tags: ['tea'], namespace: 'owner/repo' });
    const [entry] = (await client.readResource({ uri: `lore://entry/${id}` })).contents;
    expect(entry).toMatchObject({
      uri: `lore://entry/${id}`,
      mimeType: 'text/markdown',
      text: expect.stringMatching(/^The tea is in the kitchen\n\n_.*#tea/),
    });
    const [namespace] = (await client.readResource({ uri: 'lore://namespace/owner%2Frepo' })).contents;
    expect(namespace).toMatchObject({ text: expect.stringMatching(/^# owner\/repo: 1 of 1 memories, newest first\n\nThe tea/) });
  });

  it('have an inbox of unreviewed captures', async () => {
    const read = async (): Promise<unknown> => (await client.readResource({ uri: 'lore://inbox' })).contents[0];
    expect(await read()).toMatchObject({ text: expect.stringMatching(/^# Captured, not reviewed: 0 of 0, newest first/) });
    await app.memories.save({ content: 'We deploy on Tuesdays.', namespace: 'here' }, { source: 'auto-capture' });
    expect(await read()).toMatchObject({ text: expect.stringMatching(/: 1 of 1, newest first\n\n.*\n\nWe deploy on Tuesdays\./) });
  });

  it('are refused in plain words if they do not exist', async () => {
    for (const uri of ['lore://entry/0190a000-0000-7000-8000-000000000000', 'lore://entry/walrus'])
      expect(await failureOf(client.readResource({ uri }))).toMatchObject({
        code: -32_602,
        message: expect.stringContaining('No entry has the id'),
      });
    expect(await failureOf(client.readResource({ uri: 'lore://namespace/%ff' }))).toMatchObject({ code: -32_602 });
    for (const params of [{ uri: 'lore://none' }, { uri: 'no address' }, { uri: 5 }, {}]) {
      const { message } = (await failureOf(client.request({ method: 'resources/read', params }, ReadResourceResultSchema))) as Error;
      // What the library of the client puts before the words of the server.
      expect(message.replace(/^MCP error -32602: /, '')).toMatch(/^There is no resource `[^`]*`\. Resources are `lore:\/\/entry\/` /);
    }
  });

  it('complete ids and namespaces', async () => {
    const id = await save('The tea is in the kitchen');
    await save('Elsewhere', { namespace: 'owner/repo' });
    const complete = async (uri: string, name: string, value: string) =>
      (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion.values;
    expect(await complete('lore://entry/{id}', 'id', id.slice(0, 8))).toEqual([id]);
    expect(await complete('lore://namespace/{ns}', 'ns', 'own')).toEqual(['owner/repo']);
    expect(await complete('lore://namespace/{ns}', 'ns', 'x')).toEqual([]);
  });
});

describe('the prompts', () => {
  it('add memories to a conversation', async () => {
    await save('We decided to deploy on Tuesdays', { tags: ['decision'] });
    const { messages } = await client.getPrompt({ name: 'recall-context', arguments: { task: 'When do we deploy?' } });
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: expect.stringMatching(/^When do we deploy\?\n\n[^]*on Tuesdays$/) } },
    ]);
  });

  it('ask the model to save a decision', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name, arguments: args }) => [name, args?.map((arg) => [arg.name, arg.required])])).toEqual([
      ['recall-context', [['task', true]]],
      [
        'save-decision',
        [
          ['decision', true],
          ['reason', false],
        ],
      ],
    ]);
    const { messages } = await client.getPrompt({ name: 'save-decision', arguments: { decision: 'Use Postgres', reason: 'Ana knows it' } });
    expect(messages[0]!.content).toMatchObject({
      text: expect.stringMatching(/memory_save[^]*Decision: Use Postgres\nReason: Ana knows it$/),
    });
  });
});

describe('a prompt', () => {
  it.each([
    ['recall-context', {}, 'task is required.'],
    ['recall-context', { task: 5 }, 'task must be a string.'],
    ['recall-context', { tsak: 'x' }, 'Unknown argument `tsak`. Did you mean `task`? Known arguments: `task`.'],
    ['recal-context', { task: 'x' }, 'There is no prompt `recal-context`. Did you mean `recall-context`?'],
  ])('%s with %j is refused in plain words', async (name, args, words) => {
    const error = await failureOf(client.request({ method: 'prompts/get', params: { name, arguments: args } }, GetPromptResultSchema));
    // What the library of the client puts before the words of the server.
    const message = (error as Error).message.replace(/^MCP error -32602: /, '');
    expect(message.startsWith(words)).toBe(true);
    expect(message).not.toMatch(FOREIGN);
  });
});

describe('a failure of the store', () => {
  it('is reported without messages of other libraries and without paths', async () => {
    const broken: McpMemories = Object.assign(Object.create(app.memories) as McpMemories, {
      recall: () => Promise.reject(new LoreError('filesystem', 'The folder /home/ana/store is gone.')),
      search: () => Promise.reject(new TypeError('cannot read properties of undefined')),
    });
    const other = await connected(broken);
    for (const name of ['memory_recall', 'memory_search']) {
      const result = (await other.callTool({ name, arguments: { query: 'x' } })) as CallToolResult;
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/^Something went wrong in Lore; its log has the details\. \w/);
    }
    await other.close();
  });
});
