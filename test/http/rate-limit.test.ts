import { describe, expect, it } from 'vitest';
import { buckets } from '../../src/http/middleware/rate-limit.ts';
import { startTestServer } from '../helpers/server.ts';

describe('the rate limit', () => {
  it('exempts this machine by default', async () => {
    await using server = await startTestServer({ server: { rateLimit: { requestsPerMinute: 1 } } });
    for (let i = 0; i < 5; i++) expect((await server.call('GET', '/api/namespaces')).status).toBe(200);
  });

  it('answers 429 with Retry-After if it applies to all clients', async () => {
    await using server = await startTestServer({ server: { rateLimit: { enabled: true, requestsPerMinute: 6, burstSize: 3 } } });
    for (let i = 0; i < 3; i++) expect((await server.call('GET', '/api/health')).status).toBe(200);
    const { status, headers, body } = await server.call('GET', '/api/health');
    expect([status, body.code, body.success]).toEqual([429, 'RATE_LIMITED', false]);
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(30);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  it('exempts probes, but not other requests to their routes', async () => {
    await using server = await startTestServer({ server: { rateLimit: { enabled: true, requestsPerMinute: 1 } } });
    for (const path of ['/healthz', '/readyz', '/readyz/', '/healthz?from=probe']) {
      for (let i = 0; i < 3; i++) expect((await server.call('GET', path)).status).toBe(200);
    }
    expect((await server.call('GET', '/api/namespaces')).status).toBe(200);
    for (const [method, path] of [
      ['POST', '/healthz'],
      ['GET', '/healthz/more'],
      ['GET', '/api/namespaces'],
    ] as const)
      expect((await server.call(method, path)).status).toBe(429);
  });

  it('can be switched off', async () => {
    await using server = await startTestServer({ server: { rateLimit: { enabled: false, requestsPerMinute: 1 } } });
    for (let i = 0; i < 3; i++) expect((await server.call('GET', '/api/namespaces')).status).toBe(200);
  });

  it('distinguishes the clients behind a trusted proxy', async () => {
    await using server = await startTestServer({ server: { rateLimit: { requestsPerMinute: 1 }, trustedProxies: ['127.0.0.1'] } });
    const status = async (from: string): Promise<number> =>
      (await server.call('GET', '/api/namespaces', { headers: { 'x-forwarded-for': from } })).status;
    expect(await status('198.51.100.1')).toBe(200);
    expect(await status('198.51.100.1')).toBe(429);
    expect(await status('198.51.100.2')).toBe(200);
    expect(await status('203.0.113.7, 198.51.100.2')).toBe(429);
    expect((await server.call('GET', '/api/namespaces')).status).toBe(200);
  });

  it('treats all addresses of an IPv6 network as one client', async () => {
    await using server = await startTestServer({ server: { rateLimit: { requestsPerMinute: 1 }, trustedProxies: ['127.0.0.1'] } });
    const status = async (from: string): Promise<number> =>
      (await server.call('GET', '/api/namespaces', { headers: { 'x-forwarded-for': from } })).status;
    expect(await status('2001:db8:0:1::1')).toBe(200);
    expect(await status('2001:db8:0:1:ffff::2')).toBe(429);
    expect(await status('2001:db8:0:2::1')).toBe(200);
  });

  it('ignores a forwarded address without a trusted proxy', async () => {
    await using server = await startTestServer({ server: { rateLimit: { enabled: true, requestsPerMinute: 1 } } });
    const status = async (from: string): Promise<number> =>
      (await server.call('GET', '/api/namespaces', { headers: { 'x-forwarded-for': from } })).status;
    expect(await status('198.51.100.1')).toBe(200);
    expect(await status('198.51.100.2')).toBe(429);
  });
});

describe('the counters of the rate limit', () => {
  it('are bounded, and equal for equal addresses', () => {
    const bucketOf = buckets(64);
    const numbers = Array.from({ length: 10_000 }, (_, nth) => bucketOf(`2001:db8::${nth.toString(16)}`));
    expect(new Set(numbers).size).toBe(64);
    expect(bucketOf('2001:db8::1')).toBe(numbers[1]);
  });
});
