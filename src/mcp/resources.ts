import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js';
import { parseEntryId, type Entry } from '../memory/entry.ts';
import { entryNotFound, LoreError } from '../memory/errors.ts';
import { callOptions, type Caller } from './caller.ts';
import { minuteOf } from './compact.ts';
import { refuse } from './failure.ts';

const LISTED = 20;
const COMPLETIONS = 100;
const IN_NAMESPACE = 50;
const TYPE = 'text/markdown';

export const entryUri = (id: string): string => `lore://entry/${id}`;
export const namespaceUri = (namespace: string): string => `lore://namespace/${encodeURIComponent(namespace)}`;

/** Entries and namespaces as resources, which a user attaches to a conversation. */
export function offerResources(server: McpServer, caller: Caller): void {
  offerEntries(server, caller);
  offerNamespaces(server, caller);
}

function offerEntries(server: McpServer, caller: Caller): void {
  const newest = async (limit: number, signal: AbortSignal): Promise<readonly Entry[]> => {
    const { entries } = await caller.memories.list({ namespace: await caller.namespace(), limit }, callOptions(signal));
    return entries;
  };
  const template = new ResourceTemplate('lore://entry/{id}', {
    list: async ({ signal }) => ({ resources: await orRefuse(caller, async () => (await newest(LISTED, signal)).map(entryResource)) }),
    complete: {
      id: (start) =>
        orRefuse(caller, async () => {
          const entries = await newest(COMPLETIONS, AbortSignal.timeout(5_000));
          return entries.map(({ id }) => id).filter((id) => id.startsWith(start.toLowerCase()));
        }),
    },
  });
  const metadata = { title: 'Memory', description: 'One entry: its text, tags and date.', mimeType: TYPE };
  server.registerResource('entry', template, metadata, (uri, { id }, { signal }) =>
    orRefuse(caller, async () => {
      const known = parseEntryId(String(id));
      if (known === undefined) throw entryNotFound(String(id));
      return markdown(uri, entryText(await caller.memories.get(known, callOptions(signal))));
    }),
  );
}

function offerNamespaces(server: McpServer, caller: Caller): void {
  const template = new ResourceTemplate('lore://namespace/{ns}', {
    list: async ({ signal }) => ({
      resources: await orRefuse(caller, async () => {
        const namespaces = await caller.memories.namespaces(callOptions(signal));
        return namespaces.map(({ namespace, entries }): Resource => ({
          uri: namespaceUri(namespace),
          name: namespace,
          description: `The newest of its ${entries} memories.`,
        }));
      }),
    }),
    complete: {
      ns: (start) =>
        orRefuse(caller, async () => {
          const namespaces = await caller.memories.namespaces(callOptions(AbortSignal.timeout(5_000)));
          return namespaces.map(({ namespace }) => namespace).filter((name) => name.startsWith(start));
        }),
    },
  });
  const metadata = { title: 'Namespace', description: `The newest ${IN_NAMESPACE} memories of a project.`, mimeType: TYPE };
  server.registerResource('namespace', template, metadata, (uri, { ns }, { signal }) =>
    orRefuse(caller, async () => {
      const namespace = decoded(String(ns));
      const { entries, total } = await caller.memories.list({ namespace, limit: IN_NAMESPACE }, callOptions(signal));
      const heading = `# ${namespace}: ${entries.length} of ${total} memories, newest first`;
      return markdown(uri, [heading, ...entries.map(entryText)].join('\n\n'));
    }),
  );
}

async function orRefuse<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return refuse(error, caller);
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (cause) {
    throw new LoreError('invalid_input', 'The name of the namespace is not encoded as an address wants it.', { cause });
  }
}

function entryResource(entry: Entry): Resource {
  const [line = ''] = (entry.summary ?? entry.content).trim().split('\n', 1);
  const name = line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line;
  return { uri: entryUri(entry.id), name, description: factsOf(entry) };
}

function factsOf({ createdAt, namespace, tags }: Entry): string {
  return [minuteOf(createdAt), namespace, ...tags.map((tag) => `#${tag}`)].join(' ');
}

function entryText(entry: Entry): string {
  return `${entry.content}\n\n_${factsOf(entry)} ${entryUri(entry.id)}_`;
}

function markdown(uri: URL, text: string): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType: TYPE, text }] };
}
