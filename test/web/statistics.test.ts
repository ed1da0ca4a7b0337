import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { openPages, PATIENCE, type Pages } from './lore-page.ts';

let pages: Pages;
let server: TestServer;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server();
  for (let number = 0; number < 5; number++) {
    await server.save(`Figure ${number}`, {
      namespace: number < 3 ? 'harbor' : 'dock',
      tags: ['figure'],
      priority: number === 0 ? 'high' : 'normal',
    });
  }
});
afterAll(async () => {
  await server.close();
  await pages.close();
});

describe('the statistics', () => {
  it('count what is stored', async () => {
    await using opened = await pages.open(server, { path: '/?view=stats' });
    const { page } = opened;
    const main = page.getByRole('main');
    await page.getByRole('heading', { name: 'By namespace' }).waitFor();
    const said = (await main.innerText()).replaceAll(/\s+/g, ' ');
    expect(said).toMatch(/Memories 5 \+5 in 7 days, 0 global/);
    expect(said).toMatch(/harbor 3 dock 2/);
    expect(said).toMatch(/figure 5/);
    expect(said).toMatch(/High 1 Normal 4/);
    expect(said).toMatch(/HTTP API 5/);
    expect(said).toMatch(/Embedder hashed-words, builtin/);
    expect(said).toMatch(/Indexed 5 of 5|Not indexed \d/);
    expect(said).toMatch(/Version 0\.\d+\.\d+/);
    expect(opened.complaints).toEqual([]);
  });

  it('draw the days as columns at the width there is, with the numbers as a table beside', async () => {
    await using opened = await pages.open(server, { path: '/?view=stats' });
    const { page } = opened;
    await page.locator('.chart .f1').first().waitFor();
    expect(await page.locator('.chartbox table tr').count()).toBe(30);
    expect(await page.locator('.chartbox table tr').last().locator('td').textContent()).toBe('5');
    const wide = Number(await page.locator('.chartbox svg').getAttribute('width'));
    await page.setViewportSize({ width: 400, height: 800 });
    await expect.poll(async () => Number(await page.locator('.chartbox svg').getAttribute('width')), PATIENCE).toBeLessThan(wide);
  });

  it('lead from a namespace to its memories', async () => {
    await using opened = await pages.open(server, { path: '/?view=stats' });
    const { page } = opened;
    await page.getByRole('main').getByRole('link', { name: 'dock' }).click();
    await page.getByText('2 memories, newest first').waitFor();
    expect(new URL(page.url()).search).toBe('?ns=dock');
  });

  it('repeat every warning of the server in its own words', async () => {
    await using opened = await pages.open(server);
    const { page } = opened;
    const warning = 'The model could not be fetched. Searches use word vectors until it arrives.';
    await page.route('**/api/health?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), degraded: [warning] } });
    });
    await page.reload();
    await page.getByRole('link', { name: '1 warning' }).first().click();
    const warnings = page.getByRole('list', { name: 'Warnings' });
    await warnings.waitFor();
    expect(await warnings.innerText()).toBe(warning);
  });
});
