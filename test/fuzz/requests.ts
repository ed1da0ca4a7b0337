/** Requests for an operation of the OpenAPI document: good ones, nearly good ones, and ones that no client would send. */
import * as fc from 'fast-check';
import { hostileText, hostileValue } from './hostile.ts';
import { importLines } from './import-lines.ts';
import { mcpMessage } from './mcp-messages.ts';
import { nearly } from './near-values.ts';
import type { Operation, Parameter } from '../helpers/operations.ts';
import { valueFor } from './schema-values.ts';

type Headers = readonly (readonly [string, string])[];

export interface FuzzRequest {
  readonly method: string;
  /** Path and query as they go over the wire. */
  readonly target: string;
  /** Whether the path is that of the operation. */
  readonly isAsDescribed: boolean;
  readonly headers: Headers;
  readonly body?: string | Uint8Array;
  /** Which key it shows. */
  readonly key: 'full' | 'bound' | 'reading' | 'none' | 'wrong';
}

const always = fc.constant;
const often = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>, weight = 4): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare });

/** Any request for it; how often each kind comes is chosen so that most get past the first check. */
export function requestsFor(operation: Operation): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      path: often(pathFor(operation), strangePath(operation), 12),
      query: queryFor(operation.parameters.filter((parameter) => parameter.in === 'query')),
      body: bodyFor(operation),
      headers: fc.array(strangeHeader, { maxLength: 1 }),
      repeated: idempotencyKeyFor(operation),
      accept: operation.path === '/mcp' ? often<Headers>(always([BOTH]), always([])) : always([]),
      key: fc.oneof(
        { weight: 14, arbitrary: always('full' as const) },
        { weight: 4, arbitrary: always('bound' as const) },
        { weight: 1, arbitrary: fc.constantFrom('reading' as const, 'none' as const, 'wrong' as const) },
      ),
    })
    .map(({ path, query, body, headers, repeated, accept, key }) => ({
      method: operation.method,
      target: `${path.text}${query === '' ? '' : `?${query}`}`,
      isAsDescribed: path.isAsDescribed,
      headers: [...(body.type === undefined ? [] : [['content-type', body.type] as const]), ...accept, ...repeated, ...headers],
      ...(body.value !== undefined && { body: body.value }),
      key,
    }));
}

/** Often one that was used before, for the same or for something else. */
function idempotencyKeyFor({ parameters }: Operation): fc.Arbitrary<Headers> {
  if (!parameters.some(({ in: place, name }) => place === 'header' && name === 'Idempotency-Key')) return always([]);
  const key = fc.oneof(
    { weight: 6, arbitrary: fc.uuid() },
    { weight: 3, arbitrary: fc.constantFrom('a', '"a"', 'b', '"b c"') },
    { weight: 1, arbitrary: headerText },
  );
  return often<Headers>(
    always([]),
    key.map((text) => [['idempotency-key', text] as const]),
    3,
  );
}

/** What a client of the Model Context Protocol has to accept. */
const BOTH = ['accept', 'application/json, text/event-stream'] as const;

interface Path {
  readonly text: string;
  readonly isAsDescribed: boolean;
}

function pathFor({ path, parameters }: Operation): fc.Arbitrary<Path> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const values = inPath.map(({ schema, name }) => often(valueFor(schema, name).map(String), hostileText.filter(isSegment), 6));
  return fc.tuple(...values).map((given) => ({
    text: inPath.reduce((text, { name }, nth) => text.replace(`{${name}}`, () => encoded(given[nth]!)), path),
    isAsDescribed: true,
  }));
}

/** What stays one segment of a path, whoever resolves it. */
const isSegment = (text: string): boolean => text !== '' && text !== '.' && text !== '..';
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The path with something done to it that a proxy, a browser or an attacker does. */
function strangePath({ path }: Operation): fc.Arbitrary<Path> {
  const changes: readonly ((text: string, rest: string) => string)[] = [
    (text) => `/${text}`,
    (text) => `${text}/`,
    (text) => text.replaceAll('/', '//'),
    (text) => text.toUpperCase(),
    (text) => text.replace('/api', '/api/.'),
    (text) => `/x/..${text}`,
    (text) => `/%2e%2e${text}`,
    (text) => `${text}%00`,
    (text) => `${text};a=b`,
    (text) => text.replaceAll('a', '%61'),
    (text) => `http://127.0.0.1${text}`,
    (text, rest) => `${text}/${encoded(rest)}`,
    (text, rest) => `${text}${encoded(rest)}`,
    (_text, rest) => `/api/${encoded(rest)}`,
    (_text, rest) => `/${encoded(rest)}`,
    (text) => `${text}%`,
    (text) => `${text}/%ff%fe`,
    (text) => text.replaceAll('/', '%2f').replace('%2f', '/'),
  ];
  return fc.tuple(fc.constantFrom(...changes), hostileText).map(([change, rest]) => ({ text: change(path, rest), isAsDescribed: false }));
}

function queryFor(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema }) => {
    const value = often(
      valueFor(schema, name).map((one) => encoded(String(one))),
      fc.oneof(
        hostileText.map(encoded),
        hostileValue.map((one) => encoded(JSON.stringify(one) ?? '')),
        brokenText,
      ),
      12,
    );
    const pair = value.map((text): string[] => [`${name}=${text}`]);
    return fc.oneof({ weight: 3, arbitrary: always<string[]>([]) }, { weight: 1, arbitrary: pair });
  });
  const strange = fc.oneof(
    brokenText,
    fc.tuple(hostileText, hostileText).map((pair) => pair.map(encoded).join('=')),
  );
  return fc
    .tuple(fc.tuple(...pairs), fc.array(strange, { maxLength: 1 }), fc.integer({ min: 0, max: 11 }))
    .map(([given, extra, twice]) => [...given.flat(), ...(twice < 3 ? extra : []), ...(twice === 11 ? given.flat() : [])].join('&'));
}

/** What is no percent-encoded UTF-8, or no pair. */
const brokenText = fc.constantFrom('%', '%C3', '%ED%A0%80', '%zz', '=', '&&', '?', '%00', '+', '%2B', '#', 'a=b=c', '\u00e9', '%c0%ae');

interface SentBody {
  readonly type?: string;
  readonly value?: string | Uint8Array;
}

function bodyFor({ body, path }: Operation): fc.Arbitrary<SentBody> {
  const types = Object.entries(body);
  if (types.length === 0) return often(always({}), always({ type: 'application/json', value: '{"content":"planted"}' }), 12);
  return fc.oneof(
    ...types.map(([type, { schema }]) => {
      const good = path === '/mcp' ? mcpMessage : valueFor(schema);
      const values = type === 'application/json' ? often(good, nearly(good), 2).map(toJson) : importLines;
      return fc.oneof(
        { weight: 20, arbitrary: values.map((value) => ({ type, value })) },
        { weight: 3, arbitrary: brokenBody(values).map((value) => ({ type, value })) },
        { weight: 2, arbitrary: fc.tuple(strangeType, values).map(([other, value]) => ({ type: other, value })) },
        { weight: 1, arbitrary: fc.constantFrom<SentBody>({}, { type }, { value: '{}' }) },
      );
    }),
  );
}

const toJson = (value: unknown): string => JSON.stringify(value) ?? 'undefined';

/** A body with something done to its text or its bytes. */
function brokenBody(values: fc.Arbitrary<string>): fc.Arbitrary<string | Uint8Array> {
  const changes: readonly ((text: string, at: number) => string | Uint8Array)[] = [
    (text, at) => text.slice(0, at),
    (text, at) => `${text.slice(0, at)}\0${text.slice(at)}`,
    (text) => `\ufeff${text}`,
    (text) => `${text}${text}`,
    (text) => `${text.replace(/\}$/, '')},"content":"other","query":"other"}`,
    (text) => text.replaceAll('"', "'"),
    (text) => text.replace(/:(?=[^:]*$)/, ':NaN,"x":'),
    (text) => text.replace(/:(?=[^:]*$)/, ':1e999,"x":'),
    (text) => `[${text}]`,
    () => '['.repeat(20_000),
    () => '{"a":'.repeat(5_000),
    (text) => Buffer.from(text, 'utf16le'),
    (text, at) => Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(text.slice(at))]),
    (text) => `${text}${' '.repeat(300_000)}`,
  ];
  return fc
    .tuple(values, fc.constantFrom(...changes), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([text, change, at]) => change(text, Math.floor(at * text.length)));
}

const strangeType = fc.constantFrom(
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/JSON',
  'application/json;charset=utf-16',
  'application/json; charset="utf-8"',
  'application/json;',
  ' application/json',
  'application/json, text/plain',
  'application/jsonp',
  '*/*',
  '',
  'application/x-ndjson',
  'application/json; charset=utf-8; x=y',
  'a'.repeat(4000),
);

const headerText = fc.oneof(
  fc.string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCodePoint(code)),
    maxLength: 30,
  }),
  fc.constantFrom('', '*', 'null', '__proto__', 'x'.repeat(4000)),
);
const strangeHeader: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      'x-request-id',
      'origin',
      'accept',
      'accept-encoding',
      'x-lore-source',
      'x-forwarded-for',
      'last-event-id',
      'range',
      'cookie',
    ),
    headerText,
  ),
  fc.constantFrom<readonly [string, string]>(
    ['content-encoding', 'gzip'],
    ['content-encoding', 'identity'],
    ['origin', 'https://evil.example'],
    ['sec-fetch-site', 'cross-site'],
    ['x-http-method-override', 'DELETE'],
    ['x-lore-source', 'mcp'],
    ['x-forwarded-for', '1.2.3.4, 127.0.0.1'],
    ['forwarded', 'for=1.2.3.4'],
    ['accept', 'text/html'],
    ['if-none-match', '*'],
    ['range', 'bytes=0-0'],
    ['expect', '200-ok'],
    ['x-request-id', 'mine-1'],
    ['__proto__', 'x'],
    ['constructor', 'x'],
  ),
);
