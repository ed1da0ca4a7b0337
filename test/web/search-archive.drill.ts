import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessible } from './accessibility.ts';
import { openPages, PATIENCE, type Pages } from './lore-page.ts';

const LATHE = 'The lathe in the workshop needs a belt of size 17';

let pages: Pages;
let server: TestServer;
let archived: string;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server();
  for (const word of ['pasta', 'bicycle', 'piano']) await server.save(`Something about the ${word}`);
  const { memories } = server.app;
  archived = (await memories.save({ content: LATHE })).ids[0]!;
  const { token } = await memories.lifecycle.forgetMany({ ids: [archived] });
  await memories.lifecycle.forgetMany({ ids: [archived], confirm: token! });
});
afterAll(async () => {
  await server.close();
  await pages.close();
});

describe('a search with few results', () => {
  it('shows how many archived memories match, lists them, and restores one', async () => {
    await using opened = await pages.open(server, { path: '/?q=lathe%20belt' });
    const { page } = opened;
    await page.getByText('1 archived memory matches').waitFor();
    await page.getByRole('button', { name: 'Show archived' }).click();
    const row = page.getByRole('listitem').filter({ hasText: LATHE });
    await row.getByText(/^Archived .*: Forgotten$/).waitFor();
    expect(page.url()).toContain('archived=1');
    await expectAccessible(page);
    // It has no details to open.
    await row.getByRole('link').press('Enter');
    expect(page.url()).not.toContain('id=');
    await row.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('1 memory restored').waitFor();
    await row.getByText(/^Archived/).waitFor({ state: 'detached' });
    expect((await server.app.memories.get(archived)).content).toBe(LATHE);
    await page.getByRole('button', { name: 'Hide archived' }).click();
    await page.getByText('Archived memories are included.').waitFor({ state: 'detached' });
    expect(opened.complaints).toEqual([]);
  });
});

describe('usage counting by the page', () => {
  it('counts opened and copied results, but not searches', async () => {
    const { memories } = server.app;
    const id = await server.save('The observatory opens at nine in the evening');
    const recalls = async (): Promise<number> => (await memories.get(id)).recalls ?? 0;
    await using opened = await pages.open(server, { path: '/?q=observatory%20opens' });
    const { page } = opened;
    const link = page.locator('.hit a').first();
    await link.waitFor();
    await page.locator('.peek').waitFor();
    expect(await recalls()).toBe(0);
    await page.locator('.peek').getByRole('button', { name: 'Copy text' }).click();
    await expect.poll(recalls, PATIENCE).toBe(1);
    await link.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expect.poll(recalls, PATIENCE).toBe(2);
    expect((await memories.statistics.activity({})).today.bySource).toEqual({ web: { recalls: 2, answered: 2 } });
  });
});
