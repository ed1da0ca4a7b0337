import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { TestServer } from '../helpers/server.ts';
import { openPages, type Pages } from './lore-page.ts';

const PHONE = { width: 360, height: 740 };

let pages: Pages;
let server: TestServer;
let id: string;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server();
  const long = 'unbroken'.repeat(60);
  id = await server.save(`A long word: ${long}`, {
    tags: ['t'.repeat(128), 'short'],
    namespace: 'n'.repeat(200),
    container: 'c'.repeat(200),
    priority: 'high',
  });
  await server.save('An ordinary memory', { tags: ['one', 'two', 'three', 'four', 'five', 'six'] });
});
afterAll(async () => {
  await server.close();
  await pages.close();
});

/** By how many pixels an element is wider inside than outside. */
const sideways = (page: Page, selector: string): Promise<number> =>
  page.evaluate<number>(`(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('${selector}'))`);

describe('at a width of 360 pixels', () => {
  it.each([
    ['the list', '/', '.line'],
    ['a search', '/?q=unbroken+ordinary&tag=short', '.filterline'],
    ['a result', '/?q=ordinary', '.hit'],
    ['the save form', '/?view=save', '#save-content'],
    ['the statistics', '/?view=stats', '.plot-field svg'],
    ['the API page', '/docs', '.route'],
  ])('%s needs no horizontal scrolling', async (_name, path, element) => {
    await using opened = await pages.open(server, { path, viewport: PHONE });
    const { page } = opened;
    await page.locator(element).first().waitFor();
    expect(await sideways(page, 'html')).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  it('the details of a memory need no horizontal scrolling', async () => {
    await using opened = await pages.open(server, { path: `/?id=${id}`, viewport: PHONE });
    const dialog = opened.page.getByRole('dialog', { name: 'Memory' });
    await dialog.getByText('unbroken').first().waitFor();
    expect(await sideways(opened.page, 'dialog')).toBe(0);
  });

  it('a tap on a result opens its details, and the bar below leads to the views', async () => {
    await using opened = await pages.open(server, { viewport: PHONE, hasTouch: true });
    const { page } = opened;
    await page.locator('.line-text', { hasText: 'An ordinary memory' }).tap();
    await page.getByRole('dialog', { name: 'Memory' }).getByText('An ordinary memory').waitFor();
    await page.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Stats' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    expect(opened.complaints).toEqual([]);
  });
});
