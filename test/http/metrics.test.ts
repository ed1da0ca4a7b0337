import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AMOUNTS, BUILD_INFO, COUNTERS, GAUGES, TIMINGS } from '../../src/telemetry/families.ts';
import { startEmbeddingApi, type EmbeddingApi } from '../helpers/embedding-api.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { readExposition, valueOf, type Family } from '../helpers/prometheus.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { onObjectStorage } from '../helpers/store-location.ts';

const KEYS = [
  { name: 'full', access: 'full' },
  { name: 'reader', access: 'read' },
  { name: 'bound', access: 'full', namespace: 'team' },
] as const;

let api: EmbeddingApi;
let server: TestServer;
let before: ReadonlyMap<string, Family>;
let after: ReadonlyMap<string, Family>;
/** Requests to the model by then. */
let asked = 0;

const headers = (name: string): { 'x-api-key': string } => ({ 'x-api-key': server.keys.get(name)! });
const call = (method: string, path: string, body?: unknown): ReturnType<TestServer['call']> =>
  server.call(method, path, { headers: headers('full'), ...(body !== undefined && { body }) });
const scrape = async (): Promise<ReadonlyMap<string, Family>> => readExposition((await call('GET', '/metrics')).text);
const moved = (name: string, labels: Record<string, string> = {}): number =>
  (valueOf(after, name, labels) ?? 0) - (valueOf(before, name, labels) ?? 0);

/** Everything there is a figure of. */
async function work(): Promise<void> {
  for (let nth = 0; nth < 20; nth += 1) await call('POST', '/api/save', { content: `the kettle number ${nth} whistles in the kitchen` });
  for (const searchMode of ['hybrid', 'keyword', 'vector']) await call('POST', '/api/recall', { query: 'kettle', searchMode });
  await call('POST', '/api/recall', { query: 'kettle', searchMode: 'vector' });
  await call('GET', '/api/list');
  await call('PATCH', '/api/00000000-0000-7000-8000-000000000000', { tags: ['x'] });
  await server.call('GET', '/api/list');
  await call('GET', '/no/such/path/at/all');
  await call('POST', '/api/capture', { event: 'prompt', text: 'hm', client: 'test', session: 'one' });
  await call('POST', '/api/backups', {});
}

beforeAll(async () => {
  api = await startEmbeddingApi();
  server = await startTestServer({
    keys: KEYS,
    embeddings: { provider: 'openai', apiKey: 'none', model: 'tiny', dimensions: 384, baseUrl: api.url },
  });
  before = await scrape();
  await work();
  // Captured events are judged, and relations and what recalls count are written, in the background.
  const read = async (): Promise<void> => {
    after = await scrape();
    asked = api.requests.length;
    expect(valueOf(after, 'lore_write_queue_changes')).toBe(0);
    expect(valueOf(after, 'lore_capture_decisions_total', { decision: 'refused', reason: 'too short' }) ?? 0).toBeGreaterThan(0);
  };
  await vi.waitFor(read, { timeout: 20_000 });
});
afterAll(async () => {
  await server.close();
  await api[Symbol.asyncDispose]();
});

const OF_A_FOLDER = new Set([
  'lore_journal_bytes',
  'lore_disk_free_bytes',
  'lore_store_versions',
  'lore_backup_duration_seconds',
  'lore_backup_age_seconds',
  'lore_backup_overdue_seconds',
]);
const OF_OBJECT_STORAGE = new Set(['lore_store_servers']);

describe('GET /metrics', () => {
  it('answers in the text format of Prometheus', async () => {
    const { status, headers: answered } = await call('GET', '/metrics');
    expect([status, answered.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(answered.get('cache-control')).toBe('no-store');
  });

  it('has every family with type, help and, after work, a sample', () => {
    const families = [...Object.values({ ...COUNTERS, ...TIMINGS, ...AMOUNTS, ...GAUGES }), BUILD_INFO];
    const untold = families.filter(({ name }) => (after.get(name)?.samples.length ?? 0) === 0).map(({ name }) => name);
    // What has not failed has no word to say it with; `capture.assist` is off.
    const ofOthers = onObjectStorage() ? OF_A_FOLDER : OF_OBJECT_STORAGE;
    expect(untold.filter((name) => !ofOthers.has(name))).toEqual([
      'lore_capture_assist_total',
      'lore_relations_skipped_total',
      'lore_operation_failures_total',
    ]);
  });

  it('names every metric by the rules of Prometheus, with the base unit', () => {
    for (const { name, type } of after.values()) {
      if (!name.startsWith('lore_')) continue;
      expect(name).toMatch(/^lore_[a-z_]+$/);
      expect(type === 'counter').toBe(name.endsWith('_total'));
      expect(name).not.toMatch(/_(ms|milliseconds|kb|mb|percent)\b/);
    }
  });

  it('counts requests by the pattern of the route, the method and the status', () => {
    expect(moved('lore_http_requests_total', { route: '/api/save', method: 'POST', status: '200' })).toBe(20);
    expect(moved('lore_http_requests_total', { route: '/api/recall', method: 'POST', status: '200' })).toBe(4);
    expect(moved('lore_http_requests_total', { route: '/api/:id', method: 'PATCH', status: '404' })).toBe(1);
    expect(moved('lore_http_requests_total', { route: 'none', method: 'GET', status: '401' })).toBe(1);
    expect(moved('lore_http_requests_total', { route: 'none', method: 'GET', status: '404' })).toBe(1);
    expect(moved('lore_http_requests_unauthorized_total')).toBe(1);
    expect(moved('lore_http_request_duration_seconds_count', { route: '/api/save', method: 'POST' })).toBe(20);
    expect(moved('lore_http_request_duration_seconds_sum', { route: '/api/save', method: 'POST' })).toBeGreaterThan(0);
  });

  it('does not count requests for metrics', () => {
    expect(valueOf(after, 'lore_http_requests_total', { route: '/metrics' })).toBeUndefined();
    expect(valueOf(after, 'lore_http_requests_in_flight')).toBe(0);
  });

  it('covers the store: commits, rows and space', () => {
    expect(moved('lore_commit_duration_seconds_count')).toBeGreaterThanOrEqual(20);
    expect(moved('lore_commit_changes_sum')).toBeGreaterThanOrEqual(20);
    expect(moved('lore_journal_append_duration_seconds_count')).toBeGreaterThanOrEqual(1);
    expect(moved('lore_store_entries')).toBe(20);
    expect(moved('lore_store_fresh_rows')).toBe(20);
    expect(valueOf(after, 'lore_store_maintaining')).toBe(1);
    expect(valueOf(after, 'lore_store_bytes')).toBeGreaterThan(0);
    expect(valueOf(after, 'lore_write_queue_changes')).toBe(0);
    expect(valueOf(after, 'lore_capture_decisions_total', { decision: 'refused', reason: 'too short' }) ?? 0).toBeGreaterThan(0);
    // On object storage counting them costs a request each.
    const versions = onObjectStorage() ? 1 : valueOf(after, 'lore_store_versions');
    expect(versions).toBeGreaterThan(0);
  });

  it.skipIf(onObjectStorage())('covers the write-ahead log and the disk', () => {
    expect(moved('lore_journal_bytes')).toBeGreaterThan(1000);
    expect(valueOf(after, 'lore_disk_free_bytes')).toBeGreaterThan(0);
  });

  it('covers recalls by mode and searches in the store', () => {
    for (const [mode, times] of Object.entries({ hybrid: 1, keyword: 1, vector: 2 }))
      expect(moved('lore_recall_duration_seconds_count', { mode })).toBe(times);
    // The repeat is answered from what is kept; relations of what was saved are looked for too, sooner or later.
    expect(moved('lore_vector_search_duration_seconds_count')).toBeGreaterThanOrEqual(2);
    expect(moved('lore_keyword_search_duration_seconds_count')).toBeGreaterThanOrEqual(2);
  });

  it('covers the embedder and its cache', () => {
    expect(moved('lore_embed_duration_seconds_count', { provider: 'openai' })).toBe(asked);
    expect(moved('lore_embed_batch_texts_sum', { provider: 'openai' })).toBeGreaterThanOrEqual(21);
    expect(moved('lore_embed_cache_lookups_total', { result: 'miss' })).toBe(1);
    // The second recall by vector is the first one again: its answer is kept.
    expect(moved('lore_embed_cache_lookups_total', { result: 'hit' })).toBe(1);
    expect(valueOf(after, 'lore_embed_queue_texts')).toBe(0);
  });

  it('covers capture by reason', () => {
    expect(moved('lore_capture_decisions_total', { decision: 'refused', reason: 'too short' })).toBe(1);
  });

  it.skipIf(onObjectStorage())('covers backups', () => {
    expect(moved('lore_backup_duration_seconds_count')).toBe(1);
    expect(valueOf(after, 'lore_backup_age_seconds')).toBeGreaterThanOrEqual(0);
    expect(valueOf(after, 'lore_backup_overdue_seconds')).toBe(0);
  });

  it('covers process and version', () => {
    expect(valueOf(after, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(valueOf(after, 'process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(valueOf(after, 'lore_build_info', { node: process.version })).toBe(1);
  });

  it('counts an optimize, and rows flushed from the log', async () => {
    const { memories } = server.app;
    await Promise.all(Array.from({ length: 300 }, (_, nth) => memories.save({ content: `row ${nth} for the table` })));
    await expect.poll(async () => valueOf(await scrape(), 'lore_optimize_duration_seconds_count'), { timeout: 20_000 }).toBeGreaterThan(0);
    await expect.poll(async () => valueOf(await scrape(), 'lore_store_fresh_rows'), { timeout: 20_000 }).toBeLessThan(256);
  });

  it('contains no user data: no path, id, namespace or key', async () => {
    await server.call('GET', '/api/canary-path', { headers: headers('full') });
    await call('POST', '/api/save', { content: 'canary-content', namespace: 'canary-namespace', tags: ['canary-tag'] });
    await call('POST', '/api/recall', { query: 'canary-query' });
    await server.call('CANARY', '/api/list').catch(() => undefined);
    const { text } = await call('GET', '/metrics');
    expect(text.toLowerCase()).not.toContain('canary');
    for (const key of server.keys.values()) expect(text).not.toContain(key);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/);
  });

  it('counts event streams and requests in flight', async () => {
    const leaving = new AbortController();
    const stream = await fetch(`${server.url}/api/events`, { headers: headers('full'), signal: leaving.signal });
    const during = await scrape();
    expect([valueOf(during, 'lore_event_streams'), valueOf(during, 'lore_http_requests_in_flight')]).toEqual([1, 1]);
    leaving.abort();
    await stream.body?.cancel().catch(() => undefined);
    await expect.poll(async () => valueOf(await scrape(), 'lore_event_streams')).toBe(0);
    expect(valueOf(await scrape(), 'lore_http_request_duration_seconds_count', { route: '/api/events' })).toBeUndefined();
  });

  it('counts failures, and health reports a model that does not answer', async () => {
    api.faults.push({ status: 400, text: '{}' }, { status: 401, text: '{}' });
    const failures = async (): Promise<number> => valueOf(await scrape(), 'lore_operation_failures_total', { operation: 'embed' }) ?? 0;
    await call('POST', '/api/recall', { query: 'a text that is refused', searchMode: 'vector' });
    // What is refused as a text is no failure of the model.
    expect(await failures()).toBe(0);
    await call('POST', '/api/recall', { query: 'another text', searchMode: 'vector' });
    expect(await failures()).toBe(1);
    const health = await call('GET', '/api/health');
    expect(health.body.degraded).toEqual([
      expect.stringContaining('The last call to the embedding model failed: The key for openai was refused'),
    ]);
    expect(valueOf(await scrape(), 'lore_degraded_reasons')).toBe(1);
    await call('POST', '/api/recall', { query: 'a third text', searchMode: 'vector' });
    expect((await call('GET', '/api/health')).body.degraded).toEqual([]);
  });

  it('requires a key that is not bound to a namespace', async () => {
    const status = async (name?: string): Promise<number> =>
      (await server.call('GET', '/metrics', name === undefined ? {} : { headers: headers(name) })).status;
    expect([await status(), await status('bound'), await status('reader'), await status('full')]).toEqual([401, 403, 200, 200]);
  });
});

describe('files of the page', () => {
  it('count as one route', async () => {
    await using folder = await temporaryFolder();
    for (const name of ['index.html', 'one.js', 'two.js']) await writeFile(join(folder.path, name), name);
    await using other = await startTestServer({ webRoot: folder.path });
    for (const path of ['/', '/one.js', '/two.js', '/three.js']) await other.call('GET', path);
    const families = readExposition((await other.call('GET', '/metrics')).text);
    const counted = families
      .get('lore_http_requests_total')!
      .samples.map(({ labels, value }) => [labels['route'], labels['status'], value]);
    expect(counted).toEqual([
      ['/', '200', 1],
      ['*', '200', 2],
      ['*', '404', 1],
    ]);
  });
});

describe('several servers in one process', () => {
  it('have separate counters, and share the process metrics', async () => {
    await using other = await startTestServer();
    const { text } = await other.call('GET', '/metrics');
    const families = readExposition(text);
    expect(valueOf(families, 'lore_store_entries')).toBe(0);
    expect(valueOf(families, 'lore_commit_duration_seconds_count')).toBe(0);
    expect(valueOf(families, 'process_resident_memory_bytes')).toBeGreaterThan(1e7);
  });
});
