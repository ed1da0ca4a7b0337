import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import type { TestServer } from '../helpers/server.ts';
import { delay, openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

let pages: Pages;
let server: TestServer;
let opened: OpenPage;
let [key, kettle, lighthouse] = ['', '', ''];

beforeAll(async () => {
  pages = await openPages();
});
beforeEach(async () => {
  server = await pages.server();
  key = await server.save('The spare key is with Ana', { tags: ['home'], namespace: 'house', container: 'keys' });
  kettle = await server.save('The **kettle** whistles before the water boils over', { namespace: 'house' });
  lighthouse = await server.save('A lighthouse stands at the end of the quay', { namespace: 'coast' });
});
afterEach(async () => {
  await opened[Symbol.asyncDispose]();
  await server.close();
});
afterAll(() => pages.close());

const detailsOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Memory', exact: true });

describe('relations of a memory', () => {
  it('are shown in both directions with type, strength and origin, and link there and back', async () => {
    await server.call('POST', '/api/relations', { body: { sourceId: key, type: 'contradicts', targetId: kettle, strength: 0.7 } });
    await server.call('POST', '/api/relations', { body: { sourceId: lighthouse, type: 'elaborates', targetId: key } });
    opened = await pages.open(server, { path: `/?id=${key}` });
    const { page } = opened;
    const dialog = detailsOf(page);
    await dialog.getByText('1 out, 1 in').waitFor();
    const row = dialog.getByRole('listitem').filter({ hasText: 'Contradicts' }).first();
    await expect.poll(() => row.innerText(), PATIENCE).toMatch(/The kettle whistles[\s\S]*0\.70[\s\S]*by you/);
    await expect.poll(() => dialog.locator('.rel', { hasText: 'Elaborated by' }).count(), PATIENCE).toBe(1);
    await row.getByRole('link').click();
    await dialog.locator('strong', { hasText: 'kettle' }).waitFor();
    await dialog.locator('.rel', { hasText: 'Contradicted by' }).waitFor();
    await page.goBack();
    await dialog.locator('.prose').getByText('The spare key is with Ana').waitFor();
    await dialog.getByRole('link', { name: 'Show in graph' }).click();
    await expect.poll(() => page.url(), PATIENCE).toContain(`view=graph&seed=${key}`);
    await expect.poll(() => page.getByRole('dialog').count(), PATIENCE).toBe(0);
  });

  it('are added by a search for the other memory, and removed with undo', async () => {
    opened = await pages.open(server, { path: `/?id=${key}` });
    const { page } = opened;
    const dialog = detailsOf(page);
    await dialog.getByRole('button', { name: 'Add a relation' }).click();
    await dialog.getByRole('combobox', { name: 'This memory' }).selectOption('Superseded by');
    await dialog.getByRole('combobox', { name: 'Which memory' }).fill('lighthouse');
    await dialog.getByRole('option', { name: /A lighthouse stands/ }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByText('A newer memory replaces this one.').waitFor();
    const relations = async () => (await server.call('GET', `/api/relations?id=${key}`)).body.relations;
    expect(await relations()).toMatchObject([{ sourceId: lighthouse, type: 'supersedes', targetId: key, origin: 'manual' }]);
    await dialog.getByRole('button', { name: /^Remove relation: Superseded by/ }).click();
    await dialog.getByText('None yet.').waitFor();
    expect(await relations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('1 in', { exact: true }).waitFor();
    expect(await relations()).toHaveLength(1);
    expect(opened.complaints).toEqual([]);
  });

  it('are not added to a result of an outdated search', async () => {
    opened = await pages.open(server, { path: `/?id=${key}` });
    const { page } = opened;
    const dialog = detailsOf(page);
    await dialog.getByRole('button', { name: 'Add a relation' }).click();
    const field = dialog.getByRole('combobox', { name: 'Which memory' });
    await field.fill('kettle');
    await dialog.getByRole('option', { name: /kettle whistles/ }).waitFor();
    const answer = await delay(page, '**/api/search*');
    await field.fill('lighthouse');
    await page.keyboard.press('Enter');
    answer();
    await expect.poll(() => dialog.locator('.pickmenu').getByRole('option').first().innerText(), PATIENCE).toContain('A lighthouse stands');
    await page.keyboard.press('Enter');
    await dialog.getByText('1 out', { exact: true }).waitFor();
    expect((await server.call('GET', `/api/relations?id=${key}`)).body.relations).toMatchObject([{ targetId: lighthouse }]);
  });

  it('stay visible with an open form if reloading fails', async () => {
    await server.call('POST', '/api/relations', { body: { sourceId: key, type: 'contradicts', targetId: kettle } });
    opened = await pages.open(server, { path: `/?id=${key}` });
    const { page } = opened;
    const dialog = detailsOf(page);
    const row = dialog.getByRole('region', { name: 'Relations' }).getByRole('link', { name: 'The kettle whistles' });
    await row.waitFor();
    await dialog.getByRole('button', { name: 'Add a relation' }).click();
    await dialog.getByRole('combobox', { name: 'Which memory' }).fill('zebra');
    const failed = page.waitForResponse((response) => response.url().includes('/related') && response.status() === 500);
    await page.route('**/related?*', (route) => route.fulfill({ status: 500, json: { error: 'Broken', code: 'INTERNAL' } }));
    await server.call('PATCH', `/api/${key}`, { body: { content: 'The spare key is with Bo' } });
    await failed;
    await dialog.locator('.prose').getByText('The spare key is with Bo').waitFor();
    expect(await dialog.getByRole('combobox', { name: 'Which memory' }).inputValue()).toBe('zebra');
    expect(await row.count()).toBe(1);
  });

  it('show the first ones with the total', async () => {
    const idOf = (nth: number): string => `01990000-0000-7000-8000-${String(nth).padStart(12, '0')}`;
    const lines: object[] = Array.from({ length: 130 }, (_, nth) => ({
      id: idOf(nth),
      content: `Parcel ${nth}`,
      metadata: { namespace: 'house', timestamp: new Date(1.7e12 + nth).toISOString() },
    }));
    for (let nth = 0; nth < 130; nth += 1) {
      // The newest relations are not the strongest ones: other memories come than those at their ends.
      const relation = { sourceId: key, targetId: idOf(nth), type: 'references', strength: 1 - nth / 200, createdAt: 1.7e12 + nth };
      lines.push({ relation: { ...relation, origin: 'auto' } });
    }
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await server.call('POST', '/api/import', { body, headers: { 'content-type': 'application/x-ndjson' } });
    opened = await pages.open(server, { path: `/?id=${key}` });
    const dialog = detailsOf(opened.page);
    await dialog.getByText('100 of 130', { exact: true }).waitFor();
    await dialog
      .getByRole('link', { name: /^Parcel/ })
      .first()
      .waitFor();
    expect(await dialog.getByText('Memory not found').count()).toBe(0);
  });

  it('show the versions of one fact in one line with links', async () => {
    const supersede = async (content: string, older: string): Promise<string> =>
      (await server.call('POST', '/api/save?form=reference', { body: { content, namespace: 'house', supersedes: [older] } })).body.ids[0]!;
    const second = await supersede('The spare key is with Bo', key);
    const third = await supersede('The spare key lies under the pot', second);
    opened = await pages.open(server, { path: `/?id=${second}` });
    const dialog = detailsOf(opened.page);
    const strip = dialog.getByRole('region', { name: 'All versions of this fact' });
    await expect
      .poll(async () => (await strip.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')), PATIENCE)
      .toEqual([
        expect.stringMatching(/^\d.* The spare key is with Ana$/),
        expect.stringMatching(/^\d.* The spare key is with Bo$/),
        expect.stringMatching(/^\d.* Current The spare key lies under the pot$/),
      ]);
    expect(await strip.locator('[aria-current]').innerText()).toBe('The spare key is with Bo');
    await expectAccessible(opened.page);
    await strip.getByRole('link', { name: 'The spare key lies under the pot' }).click();
    await expect.poll(() => opened.page.url(), PATIENCE).toContain(third);
    await dialog.locator('.prose').getByText('The spare key lies under the pot').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('begin with similar memories, nearest first', async () => {
    const twin = await server.save('The spare key is with Ana now', { namespace: 'house' });
    opened = await pages.open(server, { path: `/?id=${key}` });
    const dialog = detailsOf(opened.page);
    const similar = dialog.getByRole('region', { name: 'Similar memories' });
    await similar.getByRole('link', { name: 'The spare key is with Ana now' }).waitFor();
    expect(await similar.getByRole('listitem').first().innerText()).toMatch(/^\d\.\d\d[\s\S]*The spare key is with Ana now/);
    expect(await similar.getByText('A lighthouse').count()).toBe(0);
    await similar.getByRole('link').first().click();
    await expect.poll(() => opened.page.url(), PATIENCE).toContain(twin);
  });
});

describe('the focus', () => {
  const focused = (page: Page) =>
    page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');

  it('is in the details of the linked memory', async () => {
    await server.save('The spare key is with Ana now', { namespace: 'house' });
    opened = await pages.open(server, { path: `/?id=${key}` });
    const { page } = opened;
    const dialog = detailsOf(page);
    await dialog.getByRole('region', { name: 'Similar memories' }).getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    await dialog.locator('.prose').getByText('The spare key is with Ana now').waitFor();
    await expect.poll(() => focused(page), PATIENCE).toBe('Memory');
    await page.keyboard.press('e');
    await expect.poll(() => page.getByRole('form', { name: 'Edit memory' }).count(), PATIENCE).toBe(1);
  });

  it('stays on the next button, also at the last result', async () => {
    opened = await pages.open(server, { path: `/?id=${kettle}` });
    const { page } = opened;
    const dialog = detailsOf(page);
    const next = dialog.getByRole('button', { name: 'Next result' });
    await dialog.getByText('2 of 3').waitFor();
    await next.focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('3 of 3').waitFor();
    await page.keyboard.press('Enter');
    expect([await next.getAttribute('aria-disabled'), await focused(page)]).toEqual(['true', 'Next result']);
    await page.keyboard.press('k');
    await dialog.getByText('2 of 3').waitFor();
  });

  it('stays on the undo button', async () => {
    await server.call('PATCH', `/api/${key}`, { body: { content: 'The spare key is with Bo' } });
    opened = await pages.open(server, { path: `/?id=${key}` });
    const { page } = opened;
    const dialog = detailsOf(page);
    await dialog.getByRole('button', { name: 'Undo the last change' }).focus();
    await page.keyboard.press('Enter');
    await dialog.locator('.prose').getByText('The spare key is with Ana').waitFor();
    await expect.poll(() => focused(page), PATIENCE).toBe('Undo the last change');
  });
});
