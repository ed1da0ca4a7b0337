import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { delay, openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

const UNAUTHORIZED = /status of 401/;

let pages: Pages;
let server: TestServer;
let key: string;
let opened: OpenPage;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server({
    keys: [
      { name: 'all', access: 'full' },
      { name: 'reader', access: 'read' },
      { name: 'harbour', access: 'full', namespace: 'harbour' },
    ],
  });
  key = server.keys.get('all')!;
  await server.call('POST', '/api/save', { body: { content: 'Behind a lock' }, headers: { 'x-api-key': key } });
  await server.app.memories.save({ content: 'A boat in the harbour', namespace: 'harbour' });
});
beforeEach(async () => {
  opened = await pages.open(server);
});
afterEach(() => opened[Symbol.asyncDispose]());
afterAll(async () => {
  await server.close();
  await pages.close();
});

const dialog = () => opened.page.getByRole('dialog', { name: 'This store requires an API key' });
async function enter(text: string): Promise<void> {
  await dialog().getByLabel('API key', { exact: true }).fill(text);
  await dialog().getByRole('button', { name: 'Unlock' }).click();
}

describe('a server with a key', () => {
  it('is requested once, and stored for the tab only', async () => {
    const { page } = opened;
    await enter(key);
    await page.getByText('Behind a lock').first().waitFor();
    expect(await dialog().count()).toBe(0);
    await page.reload();
    await page.getByText('Behind a lock').first().waitFor();
    await page.getByRole('link', { name: 'Statistics' }).first().click();
    await page.getByRole('heading', { name: 'By namespace' }).waitFor();
    expect(await dialog().count()).toBe(0);
    expect(await page.evaluate<string>('Object.values(localStorage).join() + document.cookie + location.href')).not.toContain(key);
    const other = await page.context().newPage();
    await other.goto(server.url);
    await other.getByRole('dialog', { name: 'This store requires an API key' }).waitFor();
    expect(opened.complaints.filter((complaint) => !UNAUTHORIZED.test(complaint))).toEqual([]);
  });

  it('reports a rejected key, and asks again', async () => {
    await enter('lore_wrong');
    await dialog().getByText('The server does not accept this key.').waitFor();
    await enter(key);
    await opened.page.getByText('Behind a lock').first().waitFor();
    expect(await dialog().count()).toBe(0);
  });

  it('does not ask again after a cancel, until requested', async () => {
    const { page } = opened;
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    const again = page.getByRole('button', { name: 'Enter the key' });
    await again.waitFor();
    const refused = page.waitForResponse((response) => response.url().includes('/api/search'));
    await page.getByRole('searchbox').fill('lock');
    await page.getByRole('complementary', { name: 'Main' }).getByText('Locked', { exact: true }).waitFor();
    await refused;
    expect(await dialog().count()).toBe(0);
    await again.click();
    await enter(key);
    await page.locator('mark', { hasText: 'lock' }).first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('navigation', { name: 'Namespaces' }).count(), PATIENCE).toBe(1);
  });

  it('hides what a read-only key may not do', async () => {
    const { page } = opened;
    await enter(server.keys.get('reader')!);
    await page.getByText('Behind a lock').first().waitFor();
    const refused = /save|forget|edit|add tag|add a relation|undo the last change|move/i;
    const offers = async (): Promise<string[]> => {
      const [links, buttons] = [page.getByRole('link', { name: refused }), page.getByRole('button', { name: refused })];
      return [...(await links.allTextContents()), ...(await buttons.allTextContents())];
    };
    expect(await offers()).toEqual([]);
    await page.locator('body').press('n');
    await page.getByRole('link', { name: 'Behind a lock' }).press('Enter');
    const details = page.getByRole('dialog', { name: 'Memory' });
    await details.getByRole('button', { name: 'Copy text' }).waitFor();
    await details.press('e');
    await details.getByText(/^None yet\. Lore looks for relations/).waitFor();
    expect(await offers()).toEqual([]);
    await page.goto(`${server.url}/`);
    await page.getByRole('checkbox', { name: /Behind a lock/ }).check();
    await page.getByRole('toolbar').waitFor();
    expect(await offers()).toEqual([]);
    await page
      .getByRole('button', { name: /^Actions:/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Forget' }).count()).toBe(0);
    await page.goto(`${server.url}/?view=save`);
    await page.getByRole('heading', { name: 'This key is read-only' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Memory' }).count()).toBe(0);
  });

  it('hides backups from a key of one namespace', async () => {
    const { page } = opened;
    await enter(server.keys.get('harbour')!);
    await page.getByText('A boat in the harbour').first().waitFor();
    await page.goto(`${server.url}/?view=admin&part=data`);
    await page.getByRole('heading', { name: 'Export' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Backup', exact: true }).count()).toBe(0);
    expect(await page.getByText(/None yet|no backup/i).count()).toBe(0);
  });

  it.each(['/', '/?as=timeline', '/?q=boat&tag=none'])('sends no request at %s that a key of one namespace may not make', async (path) => {
    const { page } = opened;
    await enter(server.keys.get('harbour')!);
    await page.getByText('A boat in the harbour').first().waitFor();
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403 && /api\/(?:list|search|timeline)/.test(response.url())) refused.push(response.url());
    });
    await page.goto(server.url + path);
    const there = path.includes('tag=none') ? page.getByText('No results for “boat”') : page.getByText('A boat in the harbour');
    await there.first().waitFor();
    expect(refused).toEqual([]);
  });

  it('hides everything that another key was shown', async () => {
    const { page } = opened;
    await enter(key);
    await page.getByText('Behind a lock').first().waitFor();
    await page.getByRole('link', { name: 'Statistics' }).first().click();
    const main = page.getByRole('main');
    await main.getByRole('link', { name: /^test/ }).first().waitFor();
    const answer = await delay(page, '**/api/stats/growth*');
    await page.route('**/api/namespaces*', (route) =>
      route.request().headers()['x-api-key'] === key ? route.fulfill({ status: 401, json: {} }) : route.continue(),
    );
    await server.app.memories.save({ content: 'Another boat', namespace: 'harbour' });
    await enter(server.keys.get('harbour')!);
    await expect.poll(() => main.getByRole('link', { name: /^test/ }).count(), PATIENCE).toBe(0);
    answer();
    await main.locator('#growth').waitFor();
    expect(await main.getByRole('link', { name: /^test/ }).count()).toBe(0);
  });
});
