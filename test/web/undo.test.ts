import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PATIENCE } from './lore-page.ts';
import { stage } from './stage.ts';

const TEXTS = ['The ferry leaves at six', 'The baker opens at five', 'The pilot comes aboard at two', 'The mill grinds on Mondays'];

const lore = stage({
  fresh: true,
  fill: async (server) => {
    for (const text of TEXTS) await server.save(text);
  },
});

const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
const rows = (page: Page): Promise<string[]> => page.locator('.hit-text, .line-text').allTextContents();
const newestFirst = TEXTS.toReversed();
const QUERY = 'ferry baker pilot mill';
const SEARCH = `/?${new URLSearchParams({ q: QUERY, mode: 'keyword' }).toString()}`;
const selected = (page: Page): Promise<string | null> => page.locator('.hit[aria-current="true"] .hit-text').textContent();
const total = async (): Promise<unknown> => (await lore.server.call('GET', '/api/list')).body['total'];

/** Forgets what the preview shows. */
async function forget(page: Page, text: string): Promise<void> {
  const preview = page.getByRole('article', { name: 'Selected memory' });
  await preview.getByText(text).first().waitFor();
  await preview.getByRole('button', { name: 'Forget' }).click();
  await expect.poll(() => rows(page), PATIENCE).not.toContain(text);
}

describe('after a memory is forgotten', () => {
  it('from the preview, the focus is on the next one, and the undo key restores them one by one', async () => {
    const page = await lore.open({ path: SEARCH });
    await expect.poll(() => rows(page), PATIENCE).toHaveLength(TEXTS.length);
    const found = await rows(page);
    const [first, second, third] = found;
    await forget(page, first!);
    await expect.poll(() => focused(page), PATIENCE).toBe(second);
    await forget(page, second!);
    await expect.poll(() => focused(page), PATIENCE).toBe(third);
    await page.getByRole('button', { name: 'Undo' }).nth(1).waitFor();
    await page.keyboard.press('z');
    await page.keyboard.press('z');
    await expect.poll(async () => (await rows(page)).toSorted(), PATIENCE).toEqual(found.toSorted());
    expect(await total()).toBe(TEXTS.length);
    expect(new URL(page.url()).search).toBe(SEARCH.slice(1));
    expect(lore.opened.complaints).toEqual([]);
  });

  it('from the details, the focus is on the next row, or on the row before the last', async () => {
    const page = await lore.open();
    await page.getByRole('link', { name: newestFirst[0]! }).press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Memory' });
    await drawer.getByRole('button', { name: 'Forget' }).click();
    await expect.poll(() => focused(page), PATIENCE).toBe(newestFirst[1]);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: 'Forget' }).click();
    await expect.poll(() => focused(page), PATIENCE).toBe(newestFirst[2]);
    await expect.poll(() => rows(page), PATIENCE).toEqual(newestFirst.slice(1, -1));
    await page.keyboard.press('z');
    await expect.poll(() => rows(page), PATIENCE).toContain(newestFirst[3]);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('from the full list, the focus is on the row that takes its place', async () => {
    const page = await lore.open({ path: '/' });
    const [, second, third] = newestFirst;
    await page.getByRole('button', { name: `Actions: ${second}` }).click();
    await page.getByRole('menuitem', { name: 'Forget' }).click();
    await expect.poll(() => focused(page), PATIENCE).toBe(third);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Memory' }).getByRole('button', { name: 'Forget' }).click();
    await expect.poll(() => focused(page), PATIENCE).toBe(newestFirst[3]);
    expect(lore.opened.complaints).toEqual([]);
  });
});

describe('the undo key', () => {
  it('is Ctrl+Z in a field, until something is typed there', async () => {
    const page = await lore.open({ path: SEARCH });
    await expect.poll(() => rows(page), PATIENCE).toHaveLength(TEXTS.length);
    const found = await rows(page);
    await forget(page, found[0]!);
    const field = page.getByRole('searchbox', { name: 'Search memories' });
    await field.focus();
    await page.getByRole('button', { name: 'Undo' }).getByText('Ctrl+Z').waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(() => rows(page), PATIENCE).toHaveLength(TEXTS.length);
    await forget(page, (await selected(page))!);
    await field.focus();
    await page.keyboard.press('z');
    expect(await page.getByRole('button', { name: 'Undo' }).locator('kbd').count()).toBe(0);
    await page.keyboard.press('Control+z');
    await expect.poll(() => field.inputValue(), PATIENCE).toBe(QUERY);
    expect(await total()).toBe(TEXTS.length - 1);
  });
});
