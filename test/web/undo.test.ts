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
const rows = (page: Page): Promise<string[]> => page.locator('.hit-text').allTextContents();
const newestFirst = TEXTS.toReversed();
const total = async (): Promise<unknown> => (await lore.server.call('GET', '/api/list')).body['total'];

/** Forgets what the preview shows. */
async function forget(page: Page, text: string): Promise<void> {
  const preview = page.getByRole('article', { name: 'Selected memory' });
  await preview.getByText(text).first().waitFor();
  await preview.getByRole('button', { name: 'Forget' }).click();
  await expect.poll(() => rows(page), PATIENCE).not.toContain(text);
}

describe('after a memory is forgotten', () => {
  it('from the preview, the focus is on the next one, and the offered key brings them back, one after the other', async () => {
    const page = await lore.open();
    const [first, second, third] = newestFirst;
    await forget(page, first!);
    await expect.poll(() => focused(page), PATIENCE).toBe(second);
    await forget(page, second!);
    await expect.poll(() => focused(page), PATIENCE).toBe(third);
    await page.getByRole('button', { name: 'Undo' }).nth(1).waitFor();
    await page.keyboard.press('z');
    await page.keyboard.press('z');
    await expect.poll(() => rows(page), PATIENCE).toEqual(newestFirst);
    expect(await total()).toBe(TEXTS.length);
    expect(new URL(page.url()).search).toBe('');
    expect(lore.opened.complaints).toEqual([]);
  });

  it('from the details, the focus is on the next row, and the last one leaves it on the row before', async () => {
    const page = await lore.open();
    await page.getByRole('searchbox', { name: 'Search memories' }).press('Enter');
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

  it('from the list of all, the focus is on the row that takes its place', async () => {
    const page = await lore.open({ path: '/?view=browse' });
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

describe('an offered key', () => {
  it('is Ctrl+Z in a field, until something is typed there', async () => {
    const page = await lore.open();
    await forget(page, newestFirst[0]!);
    const field = page.getByRole('searchbox', { name: 'Search memories' });
    await field.focus();
    await page.getByRole('button', { name: 'Undo' }).getByText('Ctrl+Z').waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(() => rows(page), PATIENCE).toEqual(newestFirst);
    await forget(page, newestFirst[1]!);
    await field.focus();
    await page.keyboard.press('z');
    expect(await page.getByRole('button', { name: 'Undo' }).locator('kbd').count()).toBe(0);
    await page.keyboard.press('Control+z');
    await expect.poll(() => field.inputValue(), PATIENCE).toBe('');
    expect(await total()).toBe(TEXTS.length - 1);
  });
});
