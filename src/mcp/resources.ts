import { ResourceTemplate, type McpServer, type ReadResourceTemplateCallback } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { ReadResourceResult, Resource } from '@modelcontextprotocol/sdk/types.js';
import { parseEntryId, type Entry } from '../memory/entry.ts';
import { entryNotFound, LoreError } from '../memory/errors.ts';
import { shownName } from '../memory/validation.ts';
import { callOptions, type Caller } from './caller.ts';
import { beginningOf } from './answer-size.ts';
import { excerpt, minuteOf } from './compact.ts';
import { refuse } from './failure.ts';
import { ResourceRequest } from './requested.ts';
import { textPage } from './text-pages.ts';

const LISTED = 20;
const COMPLETIONS = 100;
const IN_NAMESPACE = 50;
/** The largest ones; memory_list takes the name of any. */
const MAX_NAMESPACES = 200;
/** Tags may be many, and this is one line below a text. */
const MAX_FACTS_CHARS = 500;
const TYPE = 'text/markdown';

export const entryUri = (id: string): string => `lore://entry/${id}`;
export const namespaceUri = (namespace: string): string => `lore://namespace/${encodeURIComponent(namespace)}`;

interface Readable {
  readonly template: ResourceTemplate;
  readonly read: ReadResourceTemplateCallback;
}

/** Entries and namespaces as resources, which a user attaches to a conversation. What names none of them is refused in plain words. */
export function offerResources(server: McpServer, caller: Caller): void {
  const resources = [offerEntries(server, caller), offerNamespaces(server, caller)];
  // In the place of the library's own, which speaks in the words of its validator.
  server.server.setRequestHandler(ResourceRequest, async ({ params: { uri } }, extra) => {
    const address = URL.canParse(uri) ? new URL(uri) : undefined;
    for (const { template, read } of resources) {
      const variables = address && template.uriTemplate.match(address.href);
      if (variables) return await read(address, variables, extra);
    }
    return refuse(resourceNotFound(uri), caller);
  });
}

function resourceNotFound(uri: string): LoreError {
  const known = 'Resources are `lore://entry/` and an id, and `lore://namespace/` and a name';
  return new LoreError('not_found', `There is no resource ${shownName(uri)}. ${known}.`);
}

function offerEntries(server: McpServer, caller: Caller): Readable {
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
  const read: ReadResourceTemplateCallback = (uri, { id }, { signal }) =>
    orRefuse(caller, async () => {
      const known = parseEntryId(String(id));
      if (known === undefined) throw entryNotFound(String(id));
      const entry = await caller.memories.get(known, callOptions(signal));
      return markdown(uri, entryText(entry, firstPart(entry)));
    });
  server.registerResource('entry', template, metadata, read);
  return { template, read };
}

function offerNamespaces(server: McpServer, caller: Caller): Readable {
  const template = new ResourceTemplate('lore://namespace/{ns}', {
    list: async ({ signal }) => ({
      resources: await orRefuse(caller, async () => {
        const namespaces = await caller.memories.namespaces(callOptions(signal));
        return namespaces.slice(0, MAX_NAMESPACES).map(({ namespace, entries }): Resource => ({
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
  const read: ReadResourceTemplateCallback = (uri, { ns }, { signal }) =>
    orRefuse(caller, async () => {
      const namespace = decoded(String(ns));
      const { entries, total } = await caller.memories.list({ namespace, limit: IN_NAMESPACE }, callOptions(signal));
      const heading = `# ${namespace}: ${entries.length} of ${total} memories, newest first`;
      return markdown(uri, [heading, ...entries.map((entry) => entryText(entry, excerpt(entry)))].join('\n\n'));
    });
  server.registerResource('namespace', template, metadata, read);
  return { template, read };
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
  const facts = [minuteOf(createdAt), namespace, ...tags.map((tag) => `#${tag}`)].join(' ');
  return facts.length > MAX_FACTS_CHARS ? `${beginningOf(facts, MAX_FACTS_CHARS)}…` : facts;
}

/** A resource has no cursor: a very long text goes on in memory_get. */
function firstPart(entry: Entry): string {
  const { content, totalChars, nextCursor } = textPage(entry);
  if (nextCursor === undefined) return content;
  const length = (chars: number): string => chars.toLocaleString('en-US');
  return `${content}\n\n_The first ${length(content.length)} of ${length(totalChars ?? 0)} characters. memory_get has the rest: id \`${entry.id}\`, cursor \`${nextCursor}\`._`;
}

function entryText(entry: Entry, text: string): string {
  return `${text}\n\n_${factsOf(entry)} ${entryUri(entry.id)}_`;
}

function markdown(uri: URL, text: string): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType: TYPE, text }] };
}
