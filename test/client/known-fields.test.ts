import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RemoteMemories } from '../../src/client/http-client.ts';
import { Transport } from '../../src/client/transport.ts';
import { hasId, takesRequest } from '../../src/operations/operation.ts';
import { operationsOf, OPERATIONS as DEFINED, type OperationGroup } from '../../src/operations/table.ts';
import { OPERATIONS, resolved, type Schema } from '../helpers/operations.ts';

const GROUPS = Object.keys(DEFINED) as OperationGroup[];
const ID = '0190a000-0000-7000-8000-000000000000';

/** A value with every field that a schema knows: the names count, not what they hold. */
function full(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodOptional) return full(schema.unwrap());
  if (schema instanceof z.ZodArray) return [full(schema.element)];
  if (!(schema instanceof z.ZodObject)) return 'x';
  return Object.fromEntries(Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => [name, full(field)]));
}

/** What each method is called with, by its name below the client: an id, the chunks of a stream, a full request. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = Object.fromEntries(
  GROUPS.filter((group) => group !== 'sync').flatMap((group) =>
    operationsOf(group).map(([name, operation]) => {
      const { request, stream } = operation;
      const first = stream === 'in' ? [(async function* none() {})()] : hasId(operation) ? [ID] : [];
      return [group === 'memories' ? name : `${group}.${name}`, [...first, ...(takesRequest(operation) ? [full(request)] : [])]];
    }),
  ),
);
/** Sends nothing. */
const OTHERS = ['close'];

interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly body: unknown;
}
const sent: Sent[] = [];
const record: typeof fetch = (input, init) => {
  const { method = 'GET', body } = init ?? {};
  const url = new URL(input instanceof Request ? input.url : input);
  sent.push({ method, url, body: typeof body === 'string' ? JSON.parse(body) : undefined });
  return Promise.reject(new Error('sends nothing'));
};
const client = new RemoteMemories(new Transport({ baseUrl: 'http://127.0.0.1:7007', fetch: record }));

type Method = (...args: unknown[]) => Promise<unknown> | AsyncIterable<unknown>;
const methodsOf = (object: object): string[] => {
  const owner = Object.getPrototypeOf(object) === Object.prototype ? object : (Object.getPrototypeOf(object) as object);
  return Object.getOwnPropertyNames(owner).filter((name) => name !== 'constructor');
};
const groups = Object.entries(client).filter((entry): entry is [string, object] => typeof entry[1] === 'object');
const defined = Object.entries(client).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []));
const methods = [
  ...methodsOf(client),
  ...defined,
  ...groups.flatMap(([name, group]) => methodsOf(group).map((method) => `${name}.${method}`)),
];

/** The fields of a value that the schema does not name, at any depth. */
function unknownIn(given: Schema, value: unknown, at = 'body'): string[] {
  const schema = resolved(given);
  if (Array.isArray(value)) return value.flatMap((item) => unknownIn(schema.items ?? {}, item, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {} } = schema;
  return Object.entries(value).flatMap(([name, field]) =>
    Object.hasOwn(properties, name) ? unknownIn(properties[name]!, field, `${at}.${name}`) : [`${at}.${name}`],
  );
}

describe('the client of a server', () => {
  it('has a method for every operation except sync', () => {
    expect(methods.filter((name) => !OTHERS.includes(name)).toSorted()).toEqual(Object.keys(ARGUMENTS).toSorted());
  });

  it.each(Object.keys(ARGUMENTS))('sends with %s no field that the document does not define', async (name) => {
    sent.length = 0;
    const [last = '', groupName] = name.split('.').toReversed();
    const owner = groups.find(([group]) => group === groupName)?.[1] ?? client;
    const answer = (Reflect.get(owner, last) as Method).apply(owner, [...ARGUMENTS[name]!]);
    const ended = Symbol.asyncIterator in answer ? answer[Symbol.asyncIterator]().next() : answer;
    await Promise.allSettled([ended]);
    expect(sent).toHaveLength(1);
    const [{ method, url, body }] = sent as [Sent];
    const path = url.pathname.replace(ID, '{id}');
    const { parameters, body: taken } = OPERATIONS.find((operation) => operation.path === path && operation.method === method)!;
    const known = parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name);
    expect([...url.searchParams.keys()].filter((parameter) => !known.includes(parameter))).toEqual([]);
    expect(unknownIn(taken['application/json']?.schema ?? {}, body)).toEqual([]);
  });
});
