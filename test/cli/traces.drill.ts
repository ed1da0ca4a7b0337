import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openCli, type Cli, type Served } from '../helpers/cli.ts';
import { readExposition, valueOf } from '../helpers/prometheus.ts';
import { startTraceCollector, type CollectedSpan, type TraceCollector } from '../helpers/trace-collector.ts';

const PRELOAD = pathToFileURL(fileURLToPath(new URL('../helpers/loaded-modules.mjs', import.meta.url))).href;
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const NEVER_SENT = 'pomegranate';

async function post(served: Served, path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(`${served.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response;
}

/** Packages whose modules a server loads that does some work and is stopped. */
async function packagesLoadedBy(cli: Cli, work: (served: Served) => Promise<unknown>): Promise<string[]> {
  const file = join(cli.home, 'loaded.txt');
  const served = await cli.serve([], { env: { NODE_OPTIONS: `--import ${PRELOAD}`, LOADED_MODULES: file } });
  await work(served);
  expect(await served.stop()).toEqual({ code: 0, signal: null });
  const names = [...(await readFile(file, 'utf8')).matchAll(/.*node_modules\/(@[^/\n]+\/[^/\n]+|[^/\n]+)/g)].map(([, name]) => name!);
  return [...new Set(names)];
}

const asked = async (served: Served): Promise<void> => {
  await post(served, '/api/save', { content: 'a plum' });
  await post(served, '/api/recall', { query: 'plum' });
};

describe('a server without a collector', () => {
  it('loads no OpenTelemetry module, and the Prometheus library only for metrics', async () => {
    await using cli = await openCli();
    const quiet = await packagesLoadedBy(cli, asked);
    expect(quiet).toEqual(expect.arrayContaining(['@lancedb/lancedb', 'pino']));
    expect(quiet.filter((name) => /opentelemetry|prom-client/.test(name))).toEqual([]);
    const scraped = await packagesLoadedBy(cli, async (served) => {
      await asked(served);
      await (await fetch(`${served.url}/metrics`)).text();
    });
    expect(scraped.filter((name) => /opentelemetry|prom-client/.test(name)).toSorted()).toEqual(['@opentelemetry/api', 'prom-client']);
  });
});

describe('a server with a collector', () => {
  it('sends a span for each request and its work, and the remaining spans when it stops', async () => {
    await using cli = await openCli();
    await using collector = await startTraceCollector();
    const served = await cli.serve([], {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' },
    });
    await post(served, '/api/save', { content: `a ripe ${NEVER_SENT}`, namespace: `${NEVER_SENT}-place` });
    await post(
      served,
      '/api/recall',
      { query: NEVER_SENT, searchMode: 'vector', namespace: `${NEVER_SENT}-place` },
      { traceparent: `00-${TRACE}-${PARENT}-01`, 'x-request-id': 'asked-once' },
    );
    await post(served, '/api/recall', { query: NEVER_SENT, searchMode: 'keyword' });
    await optimized(served);
    expect(await served.stop()).toEqual({ code: 0, signal: null });

    expect(collector.resource).toMatchObject({ 'service.name': 'lore', 'deployment.environment.name': 'test' });
    const [save] = named(collector, 'POST /api/save');
    expect(save?.attributes).toMatchObject({ 'http.request.method': 'POST', 'http.route': '/api/save', 'http.response.status_code': 200 });
    expect(save?.kind).toBe(2);
    expect(childrenOf(collector, save!)).toEqual(['commit', 'embed']);
    expect(ancestorsOf(collector, 'journal append')).toContain('POST /api/save');

    const recall = collector.spans.find(({ traceId, kind }) => traceId === TRACE && kind === 2)!;
    expect(recall).toMatchObject({ name: 'POST /api/recall', parentSpanId: PARENT, attributes: { 'lore.request_id': 'asked-once' } });
    const [search] = collector.spans.filter(({ parentSpanId }) => parentSpanId === recall.spanId);
    expect(search).toMatchObject({ name: 'recall', attributes: { 'lore.mode': 'vector' } });
    expect(childrenOf(collector, search!)).toEqual(['embed', 'vector search']);
    expect(ancestorsOf(collector, 'keyword search')).toContain('POST /api/recall');

    // It is done for everyone, so it is nobody's child.
    expect(named(collector, 'optimize')[0]?.parentSpanId ?? '').toBe('');
    expect(collector.texts.join('\n')).not.toContain(NEVER_SENT);
  });

  it('answers as usual, stops in time and reports it once if the collector is unreachable', async () => {
    await using cli = await openCli();
    const port = await freePort();
    const env = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    };
    const served = await cli.serve([], { env });
    let log = '';
    served.child.stderr.on('data', (chunk) => (log += String(chunk)));
    const complaints = (): unknown[] => log.split('\n').filter((line) => line.includes('trace collector'));
    for (let nth = 0; nth < 30; nth += 1) expect((await post(served, '/api/save', { content: `fruit ${nth}` })).status).toBe(200);
    await expect.poll(complaints, { timeout: 20_000 }).toHaveLength(1);
    for (let nth = 0; nth < 30; nth += 1) expect((await post(served, '/api/recall', { query: `fruit ${nth}` })).status).toBe(200);
    expect(await served.stop()).toEqual({ code: 0, signal: null });
    expect(complaints()).toHaveLength(1);
  });
});

/** Saves so much that it goes into the table, and waits for that. */
async function optimized(served: Served): Promise<void> {
  const lines = Array.from({ length: 300 }, (_, nth) => JSON.stringify({ content: `line ${nth}` }));
  const response = await fetch(`${served.url}/api/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  expect(response.status).toBe(200);
  const runs = async (): Promise<number> =>
    valueOf(readExposition(await (await fetch(`${served.url}/metrics`)).text()), 'lore_optimize_duration_seconds_count') ?? 0;
  await expect.poll(runs, { timeout: 20_000 }).toBeGreaterThan(0);
}

const named = ({ spans }: TraceCollector, name: string): CollectedSpan[] => spans.filter((span) => span.name === name);

const childrenOf = ({ spans }: TraceCollector, parent: CollectedSpan): string[] =>
  spans
    .filter(({ traceId, parentSpanId }) => traceId === parent.traceId && parentSpanId === parent.spanId)
    .map(({ name }) => name)
    .toSorted();

/** The names above all spans of a name. */
function ancestorsOf({ spans }: TraceCollector, name: string): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const names: string[] = [];
  for (const span of spans.filter((each) => each.name === name)) {
    for (let above = byId.get(span.parentSpanId ?? ''); above !== undefined; above = byId.get(above.parentSpanId ?? ''))
      names.push(above.name);
  }
  return names;
}

/** One that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
