/** The calls of MCP that put names of somebody else into every place there is, from what the server itself lists and answers. */
import { TOOLS } from '../../src/mcp/tools.ts';
import type { TestServer } from '../helpers/server.ts';
import { NAMING } from './naming.ts';
import type { Names, World } from './two-namespaces.ts';

interface Listed {
  /** Of a call of `memory_save`. */
  readonly structuredContent?: { readonly id?: string; readonly status?: string };
  readonly resources: readonly { readonly uri: string }[];
  readonly resourceTemplates: readonly { readonly uriTemplate: string }[];
  readonly prompts: readonly { readonly name: string; readonly arguments?: readonly { readonly name: string }[] }[];
}

export type Rpc = (
  key: string,
  method: string,
  params?: unknown,
  query?: string,
) => Promise<{ readonly status: number; readonly text: string; readonly result: Listed }>;

/** Sends a message with one of the keys of a server. */
export const rpcTo =
  (server: TestServer): Rpc =>
  async (key, method, params = {}, query = '') => {
    const headers = { 'x-api-key': server.keys.get(key)!, accept: 'application/json, text/event-stream' };
    const { status, text } = await server.call('POST', `/mcp${query}`, { body: { jsonrpc: '2.0', id: 1, method, params }, headers });
    return { status, text, result: (JSON.parse(text) as { result: Listed }).result };
  };

/** What a tool takes at least; `field` is about to be set. */
export const ARGUMENTS: Readonly<Record<string, (own: readonly [string, string], field?: string) => Record<string, unknown>>> = {
  memory_context: () => ({ task: 'where is the kettle of the harbour' }),
  memory_recall: (_, field) => (field === 'id' ? {} : { query: 'kettle harbour', minScore: 0.1 }),
  memory_search: () => ({ query: 'kettle harbour', minScore: 0.1 }),
  memory_save: () => ({ content: 'Ours: the kettle is blue' }),
  memory_relate: ([sourceId, targetId]) => ({ sourceId, targetId, type: 'references' }),
  memory_list: () => ({}),
  memory_get: ([id]) => ({ id }),
  // Those of others alone: the own ones are needed.
  memory_update: () => ({ id: '00000001-0000-7000-8000-000000000009', tags: ['ours'] }),
  memory_forget: () => ({ id: '00000001-0000-7000-8000-000000000009' }),
  memory_health: () => ({}),
};

export interface Call {
  readonly title: string;
  readonly method: string;
  readonly params: unknown;
}

/** Those that name `names`. */
export async function namingCalls(rpc: Rpc, { own }: World, names: Names): Promise<readonly Call[]> {
  const [{ result: templates }, { result: prompts }] = [await rpc('bound', 'resources/templates/list'), await rpc('bound', 'prompts/list')];
  const ofTools = [...TOOLS.listed, ...TOOLS.legacy].flatMap(({ name, input }) =>
    Object.keys(input.shape).flatMap((field) =>
      (NAMING[field]?.(names, name) ?? []).map((value) => ({
        title: `${name} with ${field}`,
        method: 'tools/call',
        params: { name, arguments: { ...ARGUMENTS[name]!(own, field), [field]: value } },
      })),
    ),
  );
  const places = [names.id, names.archivedId, names.movedId, encodeURIComponent(names.namespace), names.prefix];
  const ofResources = templates.resourceTemplates.flatMap(({ uriTemplate }) => {
    const argument = /\{(\w+)\}/.exec(uriTemplate)![1]!;
    return places.flatMap((place) => [
      { title: `read ${uriTemplate}`, method: 'resources/read', params: { uri: uriTemplate.replace(`{${argument}}`, place) } },
      {
        title: `complete ${uriTemplate}`,
        method: 'completion/complete',
        params: { ref: { type: 'ref/resource', uri: uriTemplate }, argument: { name: argument, value: decodeURIComponent(place) } },
      },
    ]);
  });
  const ofPrompts = prompts.prompts.map(({ name, arguments: fields = [] }) => ({
    title: `prompt ${name}`,
    method: 'prompts/get',
    params: { name, arguments: Object.fromEntries(fields.map((field) => [field.name, names.word])) },
  }));
  return [...ofTools, ...ofResources, ...ofPrompts];
}
