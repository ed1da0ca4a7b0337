import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { TestServer, TestServerOptions } from '../helpers/server.ts';
import { openPages, type OpenOptions, type OpenPage, type Pages } from './lore-page.ts';

/** What a test of a page works with. */
export interface Stage {
  readonly pages: Pages;
  readonly server: TestServer;
  /** What was opened last; closed after the test. */
  readonly opened: OpenPage;
  readonly page: Page;
  /** Opens the page of a test. */
  open(options?: OpenOptions): Promise<Page>;
}

interface StageOptions {
  /** Whether each test has a server of its own. Default: one for all tests of the file, which must not mind each other. */
  readonly fresh?: boolean;
  /** Of the server. */
  readonly server?: TestServerOptions;
  /** Puts memories into the store. */
  readonly fill: (server: TestServer) => Promise<unknown>;
}

/** A browser and a server with memories for the tests of a file, and what closes them. Call it once, at the top of the file. */
export function stage({ fresh = false, server: options, fill }: StageOptions): Stage {
  let pages: Pages;
  let server: TestServer;
  let opened: OpenPage | undefined;
  beforeAll(async () => {
    pages = await openPages();
  });
  (fresh ? beforeEach : beforeAll)(async () => {
    server = await pages.server(options);
    await fill(server);
  });
  afterEach(async () => {
    await opened?.[Symbol.asyncDispose]();
    opened = undefined;
    if (fresh) await server.close();
  });
  afterAll(async () => {
    if (!fresh) await server.close();
    await pages.close();
  });
  const present = (): OpenPage => {
    if (opened === undefined) throw new Error('This test opened no page.');
    return opened;
  };
  return {
    get pages() {
      return pages;
    },
    get server() {
      return server;
    },
    get opened() {
      return present();
    },
    get page() {
      return present().page;
    },
    open: async (wanted) => {
      opened = await pages.open(server, wanted);
      return opened.page;
    },
  };
}
