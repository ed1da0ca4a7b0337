import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoreClient, LoreError } from '../../src/client/lore-client.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { launchChromium } from '../web/chromium.ts';

const ENTRY = fileURLToPath(new URL('../../src/client/lore-client.ts', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/** A file that the bundler made. */
interface Chunk {
  readonly moduleIds: readonly string[];
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
}

/** What the page of the test has. */
declare global {
  var lore: { LoreClient: typeof LoreClient; LoreError: typeof LoreError };
}

let folder: string;
let bundle: string;
let parts: Chunk[] = [];
let pages: Server;
let origin: string;
let server: TestServer;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lore-bundle-'));
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'parts',
        generateBundle: (_options, output) => void (parts = Object.values(output).flatMap((part) => (part.type === 'chunk' ? [part] : []))),
      },
    ],
    build: {
      outDir: folder,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: ENTRY, preserveEntrySignatures: 'strict', output: { entryFileNames: 'client.js' } },
    },
  });
  bundle = await readFile(join(folder, 'client.js'), 'utf8');
  pages = createServer((req, res) => {
    const isScript = req.url === '/client.js';
    res.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    res.end(
      isScript
        ? bundle
        : '<!doctype html><link rel="icon" href="data:,"><script type="module">window.lore = await import("/client.js");</script>',
    );
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  server = await startTestServer({ keys: [{ name: 'all', access: 'full' }] });
  browser = await launchChromium();
  page = await browser.newPage();
  complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(origin);
  await page.waitForFunction(() => 'lore' in globalThis);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  pages?.close();
  await rm(folder, { recursive: true, force: true });
});

const place = () => ({ url: server.url, key: server.keys.get('all')! });

describe('the bundle of the client library', () => {
  it('contains the client, the error class, the entry reader, the health texts and the field filter only', () => {
    const [{ moduleIds, imports, dynamicImports } = {} as Chunk, ...others] = parts;
    const inside = moduleIds.map((id) => id.replace(SOURCES, ''));
    expect(inside).toContain('client/lore-client.ts');
    expect(inside.filter((id) => !id.startsWith('client/')).toSorted()).toEqual([
      'memory/entry-form.ts',
      'memory/errors.ts',
      'memory/health-status.ts',
      'memory/without-undefined.ts',
    ]);
    expect({ imports, dynamicImports, others }).toEqual({ imports: [], dynamicImports: [], others: [] });
  });

  it('is small', () => {
    expect(gzipSync(bundle).length).toBeLessThan(6.5 * 1024);
  });
});

describe('the client library in a page of another origin', () => {
  it('saves, recalls, lists, relates, moves and deletes', async () => {
    const done = await page.evaluate(async (options) => {
      const client = new globalThis.lore.LoreClient(options);
      const { entry } = await client.save({ content: 'The anchor weighs two tons', namespace: 'harbor', tags: ['ship'] });
      const other = await client.save({ content: 'The chain is rusty', namespace: 'harbor' });
      await client.relations.relate({ sourceId: entry.id, targetId: other.entry.id, type: 'references' });
      const { results } = await client.recall({ query: 'how heavy is the anchor', namespace: 'harbor' });
      const related = await client.relations.related(entry.id, {});
      const moved = await client.moves.move({ ids: [entry.id], to: 'dock' });
      await client.forget(other.entry.id);
      const { total } = await client.list({ allNamespaces: true });
      const { degraded } = await client.health();
      await client.forget(entry.id);
      return {
        found: results[0]?.entry.content,
        createdAt: typeof entry.createdAt,
        related: related.length,
        moved: moved.moved,
        total,
        degraded,
      };
    }, place());
    expect(done).toEqual({ found: 'The anchor weighs two tons', createdAt: 'number', related: 1, moved: 1, total: 1, degraded: [] });
    expect(complaints).toEqual([]);
  });

  it('imports and exports a file line by line', async () => {
    const done = await page.evaluate(async (options) => {
      const client = new globalThis.lore.LoreClient(options);
      const file = new Blob(
        Array.from({ length: 300 }, (_, nth) => `${JSON.stringify({ content: `Mooring ${nth}`, namespace: 'file' })}\n`),
      );
      const statuses = new Set<string>();
      const report = await client.import(file, {}, { onLine: ({ status }) => void statuses.add(status) });
      let lines = 0;
      for await (const line of client.export({ namespace: 'file' })) if ('content' in line) lines += 1;
      let bytes = 0;
      for await (const chunk of client.exportBytes({ namespace: 'file' })) bytes += chunk.length;
      return { stored: report.stored, statuses: [...statuses], lines, isLong: bytes > 300 * 50 };
    }, place());
    expect(done).toEqual({ stored: 300, statuses: ['stored'], lines: 300, isLong: true });
  });

  it('fails with codes, can be aborted, and detects an unreachable server', async () => {
    const done = await page.evaluate(async (options) => {
      const { LoreClient, LoreError } = globalThis.lore;
      const codeOf = async (work: Promise<unknown>): Promise<string> =>
        work.then(
          () => 'none',
          (error: unknown) => (error instanceof LoreError ? error.code : String(error)),
        );
      const client = new LoreClient(options);
      const nobody = new LoreClient({ url: 'http://127.0.0.1:9', retries: 0 });
      const locked = new LoreClient({ url: options.url });
      const ending = new AbortController();
      const slow = codeOf(client.recall({ query: 'x' }, { signal: ending.signal }));
      ending.abort('changed my mind');
      return {
        blank: await codeOf(client.save({ content: ' ' })),
        missing: await codeOf(client.get('00000000-0000-7000-8000-000000000000')),
        nobody: await codeOf(nobody.health()),
        up: [await client.isUp(), await nobody.isUp()],
        locked: await codeOf(locked.stats()),
        slow: await slow,
      };
    }, place());
    expect(done).toEqual({
      blank: 'invalid_input',
      missing: 'not_found',
      nobody: 'network',
      up: [true, false],
      locked: 'unauthorized',
      slow: 'changed my mind',
    });
  });
});
