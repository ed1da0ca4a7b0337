import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { build } from 'vite';
import { startTestServer, type TestServer, type TestServerOptions } from '../helpers/server.ts';
import { launchChromium } from './chromium.ts';

const CONFIG = fileURLToPath(new URL('../../web/vite.config.ts', import.meta.url));

/** For `expect.poll`: pages answer in their own time, and a busy machine gives them little of it. */
export const PATIENCE = { timeout: 15_000 };

export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** What the browser complained about: errors and warnings of the console, exceptions, what the policy refused. */
  readonly complaints: readonly string[];
  /** Every host that a request went to. */
  readonly hosts: ReadonlySet<string>;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Default `/`. */
  readonly path?: string;
}

/** A browser, and the pages as they are built now. One for a test file; close it. */
export interface Pages {
  readonly browser: Browser;
  /** A real server that serves the pages, on an empty store. */
  server(options?: TestServerOptions): Promise<TestServer>;
  /** A fresh window on a server. */
  open(server: TestServer, options?: OpenOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

/** Builds the pages into a folder of its own, so that a test never sees an older build. */
export async function openPages(): Promise<Pages> {
  const webRoot = await mkdtemp(join(tmpdir(), 'lore-pages-'));
  await build({ configFile: CONFIG, logLevel: 'error', build: { outDir: webRoot } });
  const browser = await launchChromium();
  return {
    browser,
    server: (options) => startTestServer({ ...options, webRoot }),
    open: (server, options) => open(browser, server, options),
    async close() {
      await browser.close();
      await rm(webRoot, { recursive: true, force: true });
    },
  };
}

async function open(browser: Browser, server: TestServer, { path = '/', ...options }: OpenOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`a script opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(server.url + path);
  return { page, complaints, hosts, [Symbol.asyncDispose]: () => context.close() };
}
