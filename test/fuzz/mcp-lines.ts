/** Lines and bodies for an MCP server: messages of three revisions, whole, broken and hostile. */
import * as fc from 'fast-check';
import { META } from '../helpers/mcp-modern.ts';
import { hostileName, hostileText, hostileValue } from './hostile.ts';
import { mcpMessage } from './mcp-messages.ts';

export const REVISIONS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'completion/complete',
  'logging/setLevel',
  'server/discover',
  'tasks/get',
  'sampling/createMessage',
  'roots/list',
  'notifications/initialized',
  'notifications/progress',
  'notifications/roots/list_changed',
  '__proto__',
  'constructor',
  '',
] as const;

const metaFields = fc.record(
  {
    'io.modelcontextprotocol/protocolVersion': fc.oneof(fc.constantFrom(...REVISIONS, '1999-01-01', ''), hostileValue),
    'io.modelcontextprotocol/clientInfo': fc.oneof(fc.constant({ name: 'x', version: '1' }), hostileValue),
    'io.modelcontextprotocol/clientCapabilities': fc.oneof(fc.constant({}), hostileValue),
    progressToken: hostileValue,
  },
  { requiredKeys: [] },
);
const meta = fc.oneof(
  { weight: 4, arbitrary: fc.constant<unknown>(META) },
  { weight: 2, arbitrary: metaFields },
  { weight: 1, arbitrary: hostileValue },
);

/** Deeper than a recursive program goes, or larger than a message has any reason to be. */
const extreme = fc.oneof(
  fc.integer({ min: 1_000, max: 100_000 }).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
  fc.integer({ min: 1_000, max: 100_000 }).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  fc.integer({ min: 1_000, max: 400_000 }).map((length) => JSON.stringify({ a: 'x'.repeat(length) })),
);

/** The text of a message without an id: `ID` stands where one belongs. */
const messageText = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(mcpMessage, meta).map(([message, _meta]) => {
      const { params, ...rest } = message as { params?: unknown };
      const isObject = typeof params === 'object' && params !== null && !Array.isArray(params);
      return JSON.stringify({ ...rest, id: 'ID', ...(params !== undefined && { params: isObject ? { ...params, _meta } : params }) });
    }),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ method: fc.oneof(fc.constantFrom<unknown>(...METHODS), hostileValue), params: hostileValue, _meta: meta })
      .map(({ method, params, _meta }) => JSON.stringify({ jsonrpc: '2.0', id: 'ID', method, params: { ...Object(params), _meta } })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...METHODS), extreme)
      .map(([method, params]) => `{"jsonrpc":"2.0","id":"ID","method":"${method}","params":${params}}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(hostileName, hostileValue)
      .map(([name, value]) => JSON.stringify({ jsonrpc: '2.0', id: 'ID', method: 'tools/list', params: { _meta: META }, [name]: value })),
  },
  { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
);

const idText = fc.oneof(
  { weight: 6, arbitrary: fc.integer().map(String) },
  { weight: 3, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: hostileValue.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.constantFrom('1.5', '1e300', '-0', '9007199254740993', '{"a":1}') },
);

const whole = fc.tuple(messageText, idText).map(([text, id]) => text.replace('"ID"', () => id));
const batch = fc.array(whole, { maxLength: 4 }).map((messages) => `[${messages.join(',')}]`);
const cut = fc.tuple(whole, fc.double({ min: 0, max: 1, noNaN: true })).map(([text, at]) => text.slice(0, Math.floor(at * text.length)));
const cancel = idText.map((id) => `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
const answer = idText.map((id) => `{"jsonrpc":"2.0","id":${id},"result":{}}`);

/** One line of text, whatever it is. */
export const mcpText: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 10, arbitrary: whole },
    { weight: 2, arbitrary: cut },
    { weight: 1, arbitrary: batch },
    { weight: 1, arbitrary: cancel },
    { weight: 1, arbitrary: answer },
    { weight: 1, arbitrary: hostileText },
  )
  .map((text) => text.replaceAll('\n', ' '));

export interface Due {
  /** The ids under which an answer has to come, as JSON; `null` where the line has none that could be sent back. */
  readonly id: string;
}

/** What has to be answered to a line, by the rules of JSON-RPC and by nothing that the server is made of. */
export function dueTo(line: string): Due | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line.replace(/^\ufeff/, ''));
  } catch {
    return line.replace(/^\ufeff/, '').trim() === '' ? undefined : { id: 'null' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { id: 'null' };
  const { id, method, result, error } = value as Readonly<Record<string, unknown>>;
  if (method === undefined && (result !== undefined || error !== undefined)) return undefined;
  if (typeof method === 'string' && id === undefined) return undefined;
  return { id: typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : 'null' };
}
