/** What every answer must be, whatever was asked. */
import type { FuzzRequest } from './requests.ts';
import type { Operation, Schema } from '../helpers/operations.ts';
import { PROBLEM_CODES } from '../../src/http/responses/problem.ts';
import { SECURITY_HEADERS } from '../../src/http/middleware/security-headers.ts';
import { faultOf } from './schema-check.ts';
import type { Received } from './sending.ts';

/** Words of the engine, of the language and of the machine, which no client has any use for. */
const INNER_WORDS =
  /\blance|\barrow\b|datafusion|\brust\b|\.rs:|\.[cm]?[tj]s:\d|node_modules|\n\s+at |TypeError|RangeError|SyntaxError|Cannot read prop|is not a function|is not iterable|undefined|\[object |ENOENT|EACCES|EPERM|EINVAL|EMFILE|ENOTDIR|zod|polka/i;

/** The first thing that is wrong with an answer; undefined where nothing is. `places` are paths of this machine that no error may hold. */
export function answerFault(
  { operation, request, answer }: { readonly operation: Operation; readonly request: FuzzRequest; readonly answer: Received },
  places: readonly string[],
): string | undefined {
  return (
    headerFault(request, answer) ??
    (answer.status < 400 ? undefined : problemFault(operation, request, answer)) ??
    (answer.status < 400 ? [] : places).flatMap((place) => (answer.text.includes(place) ? [`it names ${place}`] : []))[0] ??
    (request.isAsDescribed ? describedFault(operation, request, answer) : undefined)
  );
}

/** Node takes no more than 16 KiB of them. */
const MAX_HEAD = 16_000;

function headerFault(request: FuzzRequest, { headers, status }: Received): string | undefined {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) if (headers[name] !== value) return `${name} is ${String(headers[name])}`;
  if (wasNoRequest(request, status)) return undefined;
  if (!/^[\w.-]{1,64}$/.test(String(headers['x-request-id'] ?? ''))) return 'it has no x-request-id';
  if (headers['access-control-allow-origin'] !== '*') return 'it lets no other origin read it';
  if ([429, 503].includes(status) && headers['retry-after'] === undefined) return 'it does not say when to come back';
  if (status === 405 && headers.allow === undefined) return 'it does not say which methods there are';
  if (headers['x-evil'] !== undefined) return 'it has a header of the request';
  return undefined;
}

/** Whether it was refused before it was a request: too long, or with bytes that no path has. */
const wasNoRequest = (request: FuzzRequest, status: number): boolean =>
  (status === 431 && lengthOf(request) > MAX_HEAD) || (status === 400 && /[^!-~]/.test(request.target));
const lengthOf = ({ target, headers }: FuzzRequest): number => target.length + headers.flat().join().length + 500;

/** Of every error: the form, the words, never more than 4xx or a 503. */
function problemFault({ path }: Operation, { method }: FuzzRequest, { status, headers, text }: Received): string | undefined {
  if (status >= 500 && status !== 503) return `the server failed: ${text}`;
  if (path === '/mcp' && text.startsWith('{"jsonrpc"')) return INNER_WORDS.test(text) ? `the message is ${text}` : undefined;
  if (headers['content-type'] !== 'application/json; charset=utf-8') return `the error is ${String(headers['content-type'])}`;
  if (method === 'HEAD') return text === '' ? undefined : 'an answer to HEAD has a body';
  const body = JSON.parse(text) as Record<string, unknown>;
  const { success, error, code, lines } = body;
  // An import that stored nothing has its report beside the error.
  return problemFormFault(path === '/api/import' && typeof lines === 'number' ? { success, error, code } : body);
}

function problemFormFault(body: Readonly<Record<string, unknown>>): string | undefined {
  if (Object.keys(body).join() !== 'success,error,code' || body['success'] !== false) return `the error is ${JSON.stringify(body)}`;
  if (!PROBLEM_CODES.some((code) => code === body['code'])) return `the code is ${String(body['code'])}`;
  const { error } = body;
  if (typeof error !== 'string' || error.trim() === '' || error.length > 2000) return `the message is ${JSON.stringify(error)}`;
  // What the client sent may come back in quotes; the words around it are ours.
  return INNER_WORDS.test(error.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')) ? `the message is ${error}` : undefined;
}

/** What the OpenAPI document says of it. */
function describedFault({ answers }: Operation, request: FuzzRequest, { status, headers, text }: Received): string | undefined {
  if (wasNoRequest(request, status)) return undefined;
  const content = answers[String(status)];
  if (content === undefined) return `the status ${status} is not in the document`;
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (Object.keys(content).length === 0) return text === '' ? undefined : 'the document knows of no body';
  if (!Object.hasOwn(content, type)) return `the media type ${type} is not in the document`;
  const { schema } = content[type]!;
  if (type === 'application/json') return faultOf(status === 200 ? formOf(schema, request.target) : schema, JSON.parse(text));
  if (type === 'text/event-stream') {
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => faultOf(schema, JSON.parse(data!))).find((fault) => fault !== undefined);
  }
  if (type !== 'application/x-ndjson' || schema.type === 'string') return undefined;
  return linesFault({ line: schema, summary: formOf(content['application/json']!.schema, request.target) }, text);
}

/** Of an answer in two forms the one that was asked for. */
function formOf(schema: Schema, target: string): Schema {
  const [reference, guide] = schema.anyOf ?? [];
  if (reference === undefined || guide === undefined) return schema;
  return /[?&]form=guide(?:&|$)/.test(target) ? guide : reference;
}

/** Of a report that came to its end: a line for each line of the input, and one that sums up, or says what stopped it. */
function linesFault(schemas: { readonly line: Schema; readonly summary: Schema }, text: string): string | undefined {
  if (!text.endsWith('\n')) return 'the last line has no end';
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const last = lines.pop() ?? {};
  const fault = lines.map((line) => faultOf(schemas.line, line)).find((one) => one !== undefined);
  if (fault !== undefined) return fault;
  if (Object.keys(last).join() === 'summary') return faultOf(schemas.summary, last['summary'], '$.summary');
  return problemFormFault(last);
}
