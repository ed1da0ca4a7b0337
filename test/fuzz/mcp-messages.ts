/** Messages of the Model Context Protocol. */
import * as fc from 'fast-check';
import { hostileText, hostileValue } from './hostile.ts';
import { valueFor } from './schema-values.ts';

const TOOLS = [
  'memory_save',
  'memory_update',
  'memory_recall',
  'memory_search',
  'memory_list',
  'memory_get',
  'memory_health',
  'memory_forget',
  'memory_relate',
  'memory_context',
];
const text = (field: string): fc.Arbitrary<unknown> => valueFor({ type: 'string' }, field);

const toolArguments = fc.record(
  {
    content: text('content'),
    query: text('query'),
    id: text('id'),
    ids: fc.array(text('id'), { maxLength: 2 }),
    namespace: text('namespace'),
    tags: fc.array(text('tags'), { maxLength: 2 }),
    limit: fc.oneof(fc.integer({ min: 1, max: 10 }), hostileValue),
    confirm: text('confirm'),
    permanent: fc.boolean(),
    allProjects: fc.boolean(),
    kind: fc.constantFrom('decision', 'code', 'none'),
    supersedes: text('id'),
    searchMode: fc.constantFrom('vector', 'keyword', 'hybrid', 'none'),
  },
  { requiredKeys: [] },
);

const call = fc.record({ name: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...TOOLS) }, hostileText), arguments: toolArguments });
const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
  'notifications/initialized',
  'x',
];

const id = fc.oneof(fc.integer(), fc.string({ maxLength: 5 }), fc.constant(null));

/** A request or a notification, good or not. */
export const mcpMessage: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ jsonrpc: fc.constant('2.0'), id, method: fc.constant('tools/call'), params: call }) },
  {
    weight: 1,
    arbitrary: fc.record({
      jsonrpc: fc.constant('2.0'),
      id,
      method: fc.constantFrom('resources/read', 'resources/subscribe'),
      params: fc.record({ uri: fc.oneof(fc.constantFrom('memory://recent', 'lore://entry/~id0~', 'memory://~id1~'), hostileText) }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      jsonrpc: fc.constant('2.0'),
      id,
      method: fc.constant('prompts/get'),
      params: fc.record({ name: fc.oneof(fc.constantFrom('recall', 'context'), hostileText), arguments: toolArguments }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      { jsonrpc: fc.constantFrom('2.0', '1.0'), id, method: fc.constantFrom(...METHODS), params: fc.oneof(fc.constant({}), hostileValue) },
      { requiredKeys: ['jsonrpc', 'method'] },
    ),
  },
);
