/** The list of everything and the results of a search are one view: what is typed decides which of them is below the field. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { delay, PATIENCE } from './lore-page.ts';
import { stage } from './stage.ts';

const lore = stage({
  fill: async (server) => {
    for (let number = 0; number < 50; number += 1) await server.save(`Note ${number} on the harbour`, { namespace: 'notes' });
    await server.save('The lighthouse keeper retires in May', { namespace: 'coast', tags: ['people'] });
    await server.save('The lighthouse stands on the rock', { namespace: 'coast' });
  },
});

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search memories' });
const lines = (page: Page) => page.locator('.line-text');
const hits = (page: Page) => page.locator('.hit');
const address = (page: Page): string => new URL(page.url()).search;
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
const isInField = (page: Page): Promise<boolean> => page.evaluate("document.activeElement.id === 'search-field'");

async function open(path = '/'): Promise<Page> {
  const page = await lore.open({ path });
  await lines(page).or(hits(page)).first().waitFor();
  return page;
}

describe('the memories view', () => {
  it('has one navigation item and one set of filters', async () => {
    const page = await open();
    const views = page.getByRole('navigation', { name: 'Views' }).first().getByRole('link');
    expect((await views.allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
      'Save a memory',
      'Memories',
      'Graph',
      'Organize',
      'Statistics',
      'Administration',
    ]);
    expect(await page.getByRole('list', { name: 'Filters' }).count()).toBe(1);
    expect(await page.getByRole('status').filter({ hasText: 'memories' }).first().textContent()).toBe('52 memories');
    await field(page).fill('lighthouse');
    await hits(page).first().waitFor();
    expect(await page.getByRole('list', { name: 'Filters' }).count()).toBe(1);
    expect(await page.getByLabel('Sort').count()).toBe(0);
  });

  it('shows results while typing and the list again, and keeps focus and text', async () => {
    const page = await open();
    await field(page).pressSequentially('lighthouse', { delay: 30 });
    await hits(page).first().waitFor();
    expect([await isInField(page), await field(page).inputValue(), await lines(page).count()]).toEqual([true, 'lighthouse', 0]);
    for (const _ of 'lighthouse') await page.keyboard.press('Backspace');
    await lines(page).first().waitFor();
    expect([await isInField(page), await field(page).inputValue(), await hits(page).count()]).toEqual([true, '', 0]);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('keeps the list until the first results are loaded', async () => {
    const page = await open();
    const answer = await delay(page, '**/api/search?*');
    await field(page).fill('lighthouse');
    await page.waitForURL('**/?q=lighthouse');
    expect(await lines(page).count()).toBeGreaterThan(0);
    answer();
    await hits(page).first().waitFor();
    expect(await lines(page).count()).toBe(0);
  });

  it('opens from an old address of the list', async () => {
    const page = await open('/?view=browse&ns=coast&sort=createdAt');
    expect(address(page)).toBe('?ns=coast&sort=createdAt');
    await expect
      .poll(() => lines(page).allTextContents(), PATIENCE)
      .toEqual(['The lighthouse keeper retires in May', 'The lighthouse stands on the rock']);
  });

  it('opens by a key from anywhere, without a query and with the focus in the list', async () => {
    const page = await open('/?q=lighthouse&ns=coast');
    await page.keyboard.press('b');
    await expect.poll(() => focused(page), PATIENCE).toBe('The lighthouse stands on the rock');
    expect([address(page), await field(page).inputValue()]).toEqual(['', '']);
    await page.keyboard.press('j');
    await expect.poll(() => focused(page), PATIENCE).toBe('The lighthouse keeper retires in May');
    await page.getByRole('link', { name: 'Statistics' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    await page.keyboard.press('b');
    await expect.poll(() => focused(page), PATIENCE).toBe('The lighthouse stands on the rock');
    expect(lore.opened.complaints).toEqual([]);
  });

  it('returns to the field by the search key, by Escape, and by the arrow from the first row', async () => {
    const page = await open();
    const enter = async (): Promise<void> => {
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => focused(page), PATIENCE).toBe('The lighthouse stands on the rock');
    };
    for (const key of ['/', 'Escape', 'ArrowUp', 'k']) {
      await enter();
      await page.keyboard.press(key);
      await expect.poll(() => isInField(page), { ...PATIENCE, message: key }).toBe(true);
    }
    await enter();
    await page.keyboard.press('x');
    await page.getByRole('toolbar').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('toolbar').count(), PATIENCE).toBe(0);
    expect(await isInField(page)).toBe(false);
  });

  it('steps from the details past the loaded part of the list', async () => {
    const page = await open();
    await lines(page).first().press('Enter');
    const dialog = page.getByRole('dialog');
    for (let place = 1; place <= 52; place += 1) {
      await dialog.getByText(`${place} of 52`, { exact: true }).waitFor();
      await page.keyboard.press('j');
    }
    await dialog.getByText('Note 0 on the harbour').first().waitFor();
    expect(lore.opened.complaints).toEqual([]);
  });

  it('keeps order, layout and filters during a search', async () => {
    const page = await open('/?ns=coast&sort=createdAt&as=timeline');
    await page.locator('.tl-item').first().waitFor();
    await field(page).fill('rock');
    await hits(page).first().waitFor();
    await field(page).fill('');
    await page.locator('.tl-item').nth(1).waitFor();
    expect(address(page)).toBe('?ns=coast&sort=createdAt&as=timeline');
  });

  it('can search while the code for results is loading', async () => {
    const page = await open();
    await page.reload();
    const code = await delay(page, '**/assets/results-*.js');
    await field(page).fill('lighthouse');
    await page.locator('.skel').waitFor();
    code();
    await hits(page).first().waitFor();
    expect([await isInField(page), await field(page).inputValue()]).toEqual([true, 'lighthouse']);
  });
});
