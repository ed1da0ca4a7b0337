import { describe, expect, it } from 'vitest';
import { startTestServer } from '../helpers/server.ts';

describe('GET /readyz', () => {
  it('needs no key, has no details, and reports whether a save would be accepted', async () => {
    await using server = await startTestServer({ keys: [{ name: 'full', access: 'full' }] });
    expect(await server.call('GET', '/readyz')).toMatchObject({ status: 200, text: '{"status":"ready"}' });
    expect((await server.call('GET', '/api/health')).status).toBe(401);
    await server.app.close();
    expect(await server.call('GET', '/readyz')).toMatchObject({ status: 503, text: '{"status":"not ready"}' });
    // The process still answers: a supervisor has no reason to end it.
    expect(await server.call('GET', '/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  });
});
