import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { colourAt, colourOf, middleOf, pixelsOf, saveRelated } from './graph-memories.ts';
import { delay, openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

let pages: Pages;
let server: TestServer;
let opened: OpenPage | undefined;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server();
  await saveRelated(server);
});
afterEach(async () => {
  const complaints = opened?.complaints ?? [];
  await opened?.[Symbol.asyncDispose]();
  opened = undefined;
  if (complaints.length > 0) throw new Error(`The browser complained: ${complaints.join('\n')}`);
});
afterAll(async () => {
  await server.close();
  await pages.close();
});

const shown = (page: Page) => page.locator('.g-count > span').first();
const rows = (page: Page) => page.getByRole('table', { name: 'Relations' }).locator('tbody tr');
const laidOut = (page: Page) => page.locator('canvas[aria-busy=false]').waitFor(PATIENCE);

async function open(path: string, where = server): Promise<Page> {
  opened = await pages.open(where, { path });
  return opened.page;
}

describe('the viewport of the graph', () => {
  const select = async (page: Page, words: string): Promise<void> => {
    await page.getByRole('searchbox', { name: 'Find in graph' }).fill(words);
    await page.keyboard.press('Enter');
    await page.locator('.g-card').waitFor();
  };

  it('survives a switch to the list', async () => {
    const page = await open('/?view=graph');
    await laidOut(page);
    await select(page, 'webhook');
    await page.getByRole('link', { name: 'List', exact: true }).click();
    await rows(page).first().waitFor();
    await page.getByRole('link', { name: 'Graph', exact: true }).last().click();
    await laidOut(page);
    await expect.poll(() => pixelsOf(page, '--accent'), PATIENCE).toBeGreaterThan(20);
  });

  it('survives a search before the first layout', async () => {
    const page = await open('/');
    const worker = await delay(page, '**/layout-worker*');
    await page.goto(`${server.url}/?view=graph`);
    await shown(page).waitFor();
    await select(page, 'webhook');
    worker();
    await laidOut(page);
    await expect.poll(() => pixelsOf(page, '--accent'), PATIENCE).toBeGreaterThan(20);
  });

  it('is kept for pinned nodes when data changes, also while dragging', async () => {
    await using own = await pages.server();
    const known = await saveRelated(own);
    const page = await open('/?view=graph', own);
    await laidOut(page);
    await select(page, 'partner');
    const [x, y] = await middleOf(page);
    await expect.poll(async () => colourAt(page, [x, y]), PATIENCE).toBe(await colourOf(page, '--accent'));
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 20, y + 60, { steps: 4 });
    const unpin = page.locator('.g-card').getByRole('button', { name: 'Unpin' });
    await unpin.waitFor();
    // With the first of them gone, every place belongs to another memory.
    await own.call('DELETE', `/api/${known.retries}`);
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('4 of 6 memories, 3 relations');
    await laidOut(page);
    await page.mouse.move(x + 60, y + 90, { steps: 4 });
    await page.mouse.up();
    await unpin.waitFor();
    for (const words of ['umbrella', 'marmalade', 'parsnip']) {
      await page.locator('.g-card').getByRole('button', { name: 'Clear the selection' }).click();
      await select(page, words);
      expect(await unpin.count()).toBe(0);
    }
    await opened?.[Symbol.asyncDispose]();
    opened = undefined;
  });
});
