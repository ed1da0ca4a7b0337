import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openapiDocument } from '../../src/http/openapi/document.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

interface Operation {
  operationId: string;
  responses: Record<string, unknown>;
  parameters?: { name: string; in: string; schema: unknown }[];
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}
const VERSION = '0.9.0';
const document = openapiDocument(VERSION) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('the OpenAPI document', () => {
  it('equals docs/openapi.json', async () => {
    await expect(`${JSON.stringify(document, undefined, 2)}\n`).toMatchFileSnapshot('../../docs/openapi.json');
  });

  it('is served', async () => {
    const { status, headers, text } = await server.call('GET', '/openapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', paths: document.paths });
  });

  it('is version 3.1 and documents both ways to send a key', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.components.securitySchemes).toEqual({
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      bearer: { type: 'http', scheme: 'bearer' },
    });
  });

  it('gives every operation a unique id', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('lists existing routes and their responses', async () => {
    const wrong: unknown[] = [];
    for (const { path, method, operation } of operations) {
      const bound = path.replace('{id}', '00000000-0000-7000-8000-000000000000');
      // An answer without end has an end without its body.
      const { status, body } = await server.call(path === '/api/events' ? 'HEAD' : method, bound);
      // A route that is not there would be a 404 about the path, or a 405.
      const isThere = status !== 405 && !(body?.error ?? '').includes('No route matches');
      if (!isThere || !Object.hasOwn(operation.responses, String(status))) wrong.push([method, path, status, body?.error]);
    }
    expect(wrong).toEqual([]);
  });

  it('documents for all backup operations that a store outside a folder needs a backup location', () => {
    const ofBackups = operations.filter(({ path }) => path.startsWith('/api/backups'));
    expect(ofBackups).toHaveLength(3);
    const refused = { description: expect.stringContaining('no backups') as string };
    for (const { operation } of ofBackups) expect(operation.responses).toMatchObject({ 409: refused });
  });

  it('has no dangling references', () => {
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1]!);
    expect(names.filter((name) => !(name in document.components.schemas))).toEqual([]);
  });

  it('lists the possible errors of every operation under /api', () => {
    for (const { operation } of operations.filter(({ path }) => path.startsWith('/api')))
      expect(operation.responses).toMatchObject({ 200: {}, 401: {}, 403: {}, 405: {}, 429: {}, 500: {}, 503: {} });
  });

  it('documents the rejection of unknown ids, and of invalid messages at /mcp', async () => {
    const id = '00000000-0000-7000-8000-000000000000';
    const asked = [
      ['GET', '/api/relations', `/api/relations?id=${id}`, undefined, 404],
      ['POST', '/api/forget', '/api/forget', { ids: [id] }, 404],
      ['POST', '/mcp', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, 406],
    ] as const;
    for (const [method, path, target, body, status] of asked) {
      expect((await server.call(method, target, { body })).status, target).toBe(status);
      expect(document.paths[path]![method.toLowerCase()]!.responses, target).toHaveProperty(String(status));
    }
  });
});
