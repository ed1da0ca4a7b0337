import {
  ProtocolError,
  ProtocolErrorCode,
  UriTemplate,
  type ReadResourceResult,
  type Resource,
  type Server,
} from '@modelcontextprotocol/server';
import { parseEntryId, type Entry } from '../memory/entry.ts';
import { entryNotFound, LoreError } from '../memory/errors.ts';
import { passageLocation } from '../memory/passage-location.ts';
import { quotedName } from '../memory/validation.ts';
import { callOptions, type Caller } from './caller.ts';
import { truncated } from './result-size.ts';
import { excerpt, minuteOf } from './compact-entries.ts';
import { kindOf } from './entry-kinds.ts';
import { refuse } from './failure.ts';
import { ResourceParams } from './request-params.ts';
import { textPage } from './text-pages.ts';

const LISTED = 20;
const COMPLETIONS = 100;
const IN_NAMESPACE = 50;
/** Only the largest namespaces are listed; memory_recall accepts any. */
const MAX_NAMESPACES = 200;
/** Limit of the line of facts below a text: an entry can have many tags. */
const MAX_FACTS_CHARS = 500;
const TYPE = 'text/markdown';

const INBOX: Resource = {
  uri: 'lore://inbox',
  name: 'inbox',
  title: 'Inbox',
  description: 'Captured entries of this project that are not confirmed yet: ask the user before you rely on them.',
  mimeType: TYPE,
};

const entryUri = (id: string): string => `lore://entry/${id}`;
const namespaceUri = (namespace: string): string => `lore://namespace/${encodeURIComponent(namespace)}`;

/** A kind of resource with its URI template. */
interface Kind {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly template: UriTemplate;
  list(signal: AbortSignal): Promise<Resource[]>;
  /** Values of the template variable that begin with `start`. */
  complete(start: string, signal: AbortSignal): Promise<string[]>;
  read(uri: string, value: string, signal: AbortSignal): Promise<ReadResourceResult>;
}

/** Offers entries, namespaces and the inbox as resources that a user attaches to a conversation. */
export function offerResources(server: Server, caller: Caller): void {
  const kinds = [entries(caller), namespaces(caller)];
  server.registerCapabilities({ resources: {}, completions: {} });
  server.setRequestHandler('resources/list', async (_request, { mcpReq: { signal } }) => {
    const lists = await orRefuse(caller, () => Promise.all(kinds.map((kind) => kind.list(signal))));
    return { resources: [INBOX, ...lists.flat()] };
  });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: kinds.map(({ name, title, description, template }) => {
      return { name, title, description, mimeType: TYPE, uriTemplate: template.toString() };
    }),
  }));
  server.setRequestHandler('resources/read', { params: ResourceParams }, async ({ uri }, { mcpReq: { signal } }) => {
    const address = URL.canParse(uri) ? new URL(uri).href : '';
    if (address === INBOX.uri) return await orRefuse(caller, () => readInbox(caller, signal), { uri });
    for (const kind of kinds) {
      const [value] = Object.values(kind.template.match(address) ?? {});
      if (value !== undefined) return await orRefuse(caller, () => kind.read(address, String(value), signal), { uri });
    }
    return refuse(resourceNotFound(uri), caller, { uri });
  });
  server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }, { mcpReq: { signal } }) => {
    // No prompt has arguments to complete.
    if (ref.type !== 'ref/resource') return { completion: { values: [] } };
    const kind = kinds.find(({ template }) => template.toString() === ref.uri);
    if (kind === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource template ${quotedName(ref.uri)}.`);
    const isVariable = kind.template.variableNames.includes(argument.name);
    const values = isVariable ? await orRefuse(caller, () => kind.complete(argument.value, signal)) : [];
    return { completion: { values: values.slice(0, COMPLETIONS), total: values.length, hasMore: values.length > COMPLETIONS } };
  });
}

function resourceNotFound(uri: string): LoreError {
  const known = 'Resources are `lore://entry/` and an id, `lore://namespace/` and a name, and `lore://inbox`';
  return new LoreError('not_found', `There is no resource ${quotedName(uri)}. ${known}.`);
}

function entries(caller: Caller): Kind {
  const newest = async (limit: number, signal: AbortSignal): Promise<readonly Entry[]> => {
    const page = await caller.memories.list({ namespace: await caller.namespace(), limit }, callOptions(signal));
    return page.entries;
  };
  return {
    name: 'entry',
    title: 'Memory',
    description: 'One entry: text, tags and date.',
    template: new UriTemplate('lore://entry/{id}'),
    list: async (signal) => (await newest(LISTED, signal)).map(entryResource),
    complete: async (start, signal) =>
      (await newest(COMPLETIONS, signal)).map(({ id }) => id).filter((id) => id.startsWith(start.toLowerCase())),
    async read(uri, id, signal) {
      const known = parseEntryId(id);
      if (known === undefined) throw entryNotFound(id);
      const entry = await caller.memories.get(known, callOptions(signal));
      return markdown(uri, entryText(entry, firstPart(entry)));
    },
  };
}

function namespaces({ memories }: Caller): Kind {
  return {
    name: 'namespace',
    title: 'Namespace',
    description: `The newest ${IN_NAMESPACE} memories of a project.`,
    template: new UriTemplate('lore://namespace/{ns}'),
    async list(signal) {
      const known = await memories.namespaces(callOptions(signal));
      return known.slice(0, MAX_NAMESPACES).map(({ namespace, entries: count }) => ({
        uri: namespaceUri(namespace),
        name: namespace,
        title: 'Namespace',
        description: `The newest of its ${count} memories.`,
        mimeType: TYPE,
      }));
    },
    async complete(start, signal) {
      const known = await memories.namespaces(callOptions(signal));
      return known.map(({ namespace }) => namespace).filter((name) => name.startsWith(start));
    },
    async read(uri, ns, signal) {
      const namespace = decoded(ns);
      const page = await memories.list({ namespace, limit: IN_NAMESPACE }, callOptions(signal));
      const heading = `# ${namespace}: ${page.entries.length} of ${page.total} memories, newest first`;
      return markdown(uri, [heading, ...page.entries.map((entry) => entryText(entry, excerpt(entry)))].join('\n\n'));
    },
  };
}

async function readInbox({ memories, namespace }: Caller, signal: AbortSignal): Promise<ReadResourceResult> {
  const request = { namespace: await namespace(), pending: true, limit: IN_NAMESPACE };
  const { entries: waiting, total } = await memories.list(request, callOptions(signal));
  const heading = `# Captured, not reviewed: ${waiting.length} of ${total}, newest first`;
  const way = 'The user decides with `lore capture inbox`, or on the page.';
  return markdown(INBOX.uri, [heading, way, ...waiting.map((entry) => entryText(entry, excerpt(entry)))].join('\n\n'));
}

async function orRefuse<T>(caller: Caller, work: () => Promise<T>, data?: Readonly<Record<string, unknown>>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return refuse(error, caller, data);
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (cause) {
    throw new LoreError('invalid_input', 'The namespace in the address is not percent-encoded.', { cause });
  }
}

function entryResource(entry: Entry): Resource {
  const [line = ''] = (entry.summary ?? entry.content).trim().split('\n', 1);
  const name = line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line;
  return { uri: entryUri(entry.id), name, title: 'Memory', description: factsOf(entry), mimeType: TYPE };
}

function factsOf(entry: Entry): string {
  const { createdAt, namespace, tags } = entry;
  const facts = [
    minuteOf(createdAt),
    kindOf(entry),
    ...[passageLocation(entry) ?? []].flat(),
    namespace,
    ...tags.map((tag) => `#${tag}`),
  ].join(' ');
  return facts.length > MAX_FACTS_CHARS ? `${truncated(facts, MAX_FACTS_CHARS)}…` : facts;
}

/** The first part of a text. A resource has no cursor, so memory_recall has the rest of a very long text. */
function firstPart(entry: Entry): string {
  const { content, totalChars, nextCursor } = textPage(entry);
  if (nextCursor === undefined) return content;
  const length = (chars: number): string => chars.toLocaleString('en-US');
  return `${content}\n\n_The first ${length(content.length)} of ${length(totalChars ?? 0)} characters. memory_recall has the rest: id \`${entry.id}\`, cursor \`${nextCursor}\`._`;
}

function entryText(entry: Entry, text: string): string {
  return `${text}\n\n_${factsOf(entry)} ${entryUri(entry.id)}_`;
}

function markdown(uri: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType: TYPE, text }] };
}
