import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { ScoredResult } from '../../src/operations/scored.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const LONG = `The harbour log 🚢 ${'of a quiet night at the quay. '.repeat(40)}`;
const SHORT = 'The harbour office opens at nine.';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  for (const content of [LONG, SHORT]) await server.call('POST', '/api/save', { body: { content } });
});
afterAll(() => server.close());

const first = async (operation: 'recall' | 'search', body: object) =>
  (await server.call('POST', `/api/${operation}?form=reference`, { body })).body.results[0] as unknown as z.input<typeof ScoredResult>;

describe('an answer with maxContentChars', () => {
  it('has the beginning of long contents with the full length, and short ones unchanged', async () => {
    const { body } = await server.call('GET', '/api/list?form=reference&maxContentChars=100');
    expect(body.entries.map(({ content, metadata }) => [content, metadata.contentLength])).toEqual([
      [SHORT, undefined],
      [LONG.slice(0, 100), LONG.length],
    ]);
    const guide = await server.call('GET', '/api/list?form=guide&maxContentChars=100');
    expect(guide.body.memories).toMatchObject([{ content: SHORT }, { content: LONG.slice(0, 100), contentLength: LONG.length }]);
    expect(guide.body.memories[0]).not.toHaveProperty('contentLength');
  });

  it.each(['recall', 'search'] as const)('also shortens a %s, with the matching passage of the whole', async (operation) => {
    const { entry, passage } = await first(operation, { query: 'quiet night harbour log', maxContentChars: 120 });
    expect([entry.content, entry.metadata.contentLength]).toEqual([LONG.slice(0, 120), LONG.length]);
    expect(passage === undefined || LONG.slice(passage.start, passage.end) === passage.text).toBe(true);
    const whole = await first(operation, { query: 'quiet night harbour log' });
    expect([whole.entry.content, whole.entry.metadata.contentLength]).toEqual([LONG, undefined]);
  });

  it('never ends within a character', async () => {
    await server.call('POST', '/api/save', { body: { content: `${'x'.repeat(99)}🚢${' sails on'.repeat(20)}`, namespace: 'ship' } });
    const { body } = await server.call('GET', '/api/list?form=reference&namespace=ship&maxContentChars=100');
    expect(body.entries[0]!.content).toBe('x'.repeat(99));
  });
});
