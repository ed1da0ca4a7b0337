import { access, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { build } from 'vite';
import { inject, vi } from 'vitest';
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
  /** A real server that serves the pages, on an empty store. */
  server(options?: TestServerOptions): Promise<TestServer>;
  /** A fresh window on a server. */
  open(server: TestServer, options?: OpenOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

const BUILD_LIMIT_MS = 55_000;

/** Folder of the pages, built once for all files of a run, so that a test never sees an older build. */
async function builtPages(): Promise<string> {
  const folder = inject('pagesFolder');
  const [webRoot, building] = [join(folder, 'pages'), join(folder, 'building')];
  const isFirst = await mkdir(building).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await build({ configFile: CONFIG, logLevel: 'error', build: { outDir: join(building, 'pages') } });
    // In one step: whoever waits finds all of it.
    await rename(join(building, 'pages'), webRoot);
  }
  await vi.waitFor(() => access(webRoot), { timeout: BUILD_LIMIT_MS, interval: 100 });
  return webRoot;
}

/** Of this process, for all files that it runs: a window has nothing of another one, and starting takes longer than many a test. Playwright ends it with the process. */
let launched: Promise<Browser> | undefined;

/** The browser for a test file. */
export async function openPages(): Promise<Pages> {
  const webRoot = await builtPages();
  const browser = await (launched ??= launchChromium());
  return {
    server: (options) => startTestServer({ ...options, webRoot }),
    open: (server, options) => open(browser, server, options),
    close: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
  };
}

async function open(browser: Browser, server: TestServer, { path = '/', ...options }: OpenOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    ...options,
  });
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

/** Lets no answer through from now on, until what it gives is called. */
export async function delay(page: Page, url: string): Promise<() => void> {
  let go = (): void => undefined;
  const ready = new Promise<void>((resolve) => (go = resolve));
  await page.route(url, async (route) => {
    await ready;
    await route.continue();
  });
  return () => go();
}
