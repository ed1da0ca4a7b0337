import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { launchWithExtension } from './chromium.ts';

const DOCS = new URL('../../docs/', import.meta.url);
const EXTENSION = new URL('examples/browser-extension/', DOCS);

/** The parts of the browser's API that this test calls inside the extension. */
interface ExtensionApi {
  readonly contextMenus: { readonly onClicked: { dispatch(click: Record<string, string>): void } };
  readonly action: {
    getBadgeText(tab: object): Promise<string>;
    getTitle(tab: object): Promise<string>;
    setBadgeText(badge: object): Promise<void>;
  };
}

describe('the browser extension of docs/browser-extension.md', () => {
  let server: TestServer;
  let browser: BrowserContext;
  beforeAll(async () => {
    server = await startTestServer({
      keys: [{ name: 'extension', access: 'full', namespace: 'reading' }],
      server: { cors: { origins: ['https://listed.example'] } },
    });
    browser = await launchWithExtension(fileURLToPath(EXTENSION));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  const worker = async () => browser.serviceWorkers()[0] ?? (await browser.waitForEvent('serviceworker'));

  async function configure(key: string, address = server.url): Promise<void> {
    const page = await browser.newPage();
    await page.goto(new URL('options.html', (await worker()).url()).href);
    await page.getByLabel('Server').fill(address);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button').click();
    await page.getByRole('status').getByText('Saved').waitFor();
    await page.close();
  }

  /** Chooses the entry of the context menu, which a headless browser does not draw, and gives what the icon shows then. */
  async function choose(selectionText: string): Promise<{ badge: string; title: string }> {
    const extension = await worker();
    await extension.evaluate(async (text) => {
      const { chrome } = globalThis as unknown as { chrome: ExtensionApi };
      await chrome.action.setBadgeText({ text: '' });
      chrome.contextMenus.onClicked.dispatch({ menuItemId: 'save-selection', selectionText: text, pageUrl: 'https://page.example/tea' });
    }, selectionText);
    const shown = () =>
      extension.evaluate(async () => {
        const { chrome } = globalThis as unknown as { chrome: ExtensionApi };
        return { badge: await chrome.action.getBadgeText({}), title: await chrome.action.getTitle({}) };
      });
    await expect.poll(async () => (await shown()).badge).not.toBe('');
    return shown();
  }

  it('saves a selection with the URL of its page, without CORS settings', async () => {
    await configure(server.keys.get('extension')!);
    expect(await choose('Green tea wants 70 degrees')).toEqual({ badge: '✓', title: 'Saved to Lore' });
    const { entries } = await server.app.memories.list({ namespace: 'reading' });
    expect(entries).toMatchObject([{ content: 'Green tea wants 70 degrees\n\nhttps://page.example/tea', tags: ['web'] }]);
  });

  it('shows the response of the server to a wrong key', async () => {
    await configure('wrong');
    const { badge, title } = await choose('Black tea wants 95 degrees');
    expect(badge).toBe('!');
    expect(title).toMatch(/key/i);
  });

  it('sends a selection again that did not reach the server', async () => {
    let requests = 0;
    const unsteady = createServer((request, response) => {
      requests += 1;
      if (requests === 1) request.socket.destroy();
      else response.writeHead(201).end('{}');
    });
    await new Promise<void>((resolve) => unsteady.listen(0, '127.0.0.1', resolve));
    try {
      await configure('', `http://127.0.0.1:${(unsteady.address() as AddressInfo).port}`);
      expect(await choose('White tea wants 80 degrees')).toEqual({ badge: '✓', title: 'Saved to Lore' });
      expect(requests).toBe(2);
    } finally {
      unsteady.closeAllConnections();
      unsteady.close();
    }
  });

  it('names a server that does not answer', async () => {
    await configure('', 'http://127.0.0.1:9');
    expect(await choose('Red tea wants 95 degrees')).toEqual({ badge: '!', title: 'No answer from http://127.0.0.1:9: is Lore running?' });
  });

  it('equals the recipe on the page', async () => {
    const recipe = await readFile(new URL('browser-extension.md', DOCS), 'utf8');
    for (const name of ['manifest.json', 'background.js'])
      expect(recipe).toContain(`\n${(await readFile(new URL(name, EXTENSION), 'utf8')).trimEnd()}\n\`\`\``);
  });
});
