import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ storage: { durability: 'process' } });
});
afterAll(() => server.close());

describe('requests', () => {
  it('of a million brackets are rejected or stored, without a crash', async () => {
    const depth = 1_000_000;
    const bodies = [
      `${'['.repeat(depth)}${']'.repeat(depth)}`,
      `{"content":"x","tags":${'['.repeat(depth)}${']'.repeat(depth)}}`,
      `${'{"content":'.repeat(depth / 10)}1${'}'.repeat(depth / 10)}`,
    ];
    for (const path of ['/api/save', '/api/search', '/mcp']) {
      for (const body of bodies) {
        const { status, text } = await server.call('POST', path, {
          body,
          headers: { 'content-type': 'application/json' },
        });
        expect([400, 406]).toContain(status);
        expect(text.length).toBeLessThan(1000);
      }
    }
    const line = await server.call('POST', '/api/import?dryRun=true', {
      body: `{"content":"x","metadata":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(line.status).toBeLessThan(500);
    expect((await server.call('GET', '/healthz')).status).toBe(200);
  });
});
