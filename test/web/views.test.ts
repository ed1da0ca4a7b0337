/** Every view once, in both themes: what a change of the page has to pass before anything finer is looked at. The finer tests are drills. */
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { stageOfViews, TEXT, VIEWS } from './every-view.ts';
import { PATIENCE } from './lore-page.ts';

const lore = stageOfViews();

describe('every view', () => {
  it.each(VIEWS)(
    '$view: renders in both themes, accessibly, without errors, from this server only',
    async ({ path, shown, isLong = false }) => {
      const page = await lore.open({ path, colorScheme: 'light' });
      await shown(page);
      const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const light = await ground();
      if (!isLong) await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await ground()).not.toBe(light);
      if (!isLong) await expectAccessible(page);
      expect(lore.opened.complaints).toEqual([]);
      expect([...lore.opened.hosts]).toEqual([new URL(lore.server.url).host]);
    },
  );

  it('opens a memory from a search by keys, and the palette over it', async () => {
    const page = await lore.open({ path: '/?q=webhook%20deliveries' });
    await page.locator('.hit-text a').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Memory' }).getByText(TEXT).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    expect(lore.opened.complaints).toEqual([]);
  });
});

describe('a day on the page', () => {
  it('saves, finds, changes and forgets a memory, and undoes that', async () => {
    const page = await lore.open({ path: '/?view=save' });
    await page.getByRole('textbox', { name: 'Memory' }).fill('The ferry leaves from pier nine');
    await page.getByRole('textbox', { name: 'Memory' }).press('Control+Enter');
    await page.getByRole('heading', { name: 'Saved: “The ferry leaves from pier nine”' }).waitFor();
    await page.goto(`${lore.server.url}/?q=ferry%20pier`);
    await page.locator('.hit-text a').first().focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'Memory' });
    await drawer.getByText('The ferry leaves from pier nine').first().waitFor();
    const id = new URL(page.url()).searchParams.get('id') ?? '';
    const content = async () => (await lore.server.call('GET', `/api/${id}`)).body.entry?.content;
    await page.keyboard.press('e');
    const form = page.getByRole('form', { name: 'Edit memory' });
    await form.getByRole('textbox', { name: 'Text' }).fill('The ferry leaves from pier ten');
    await page.keyboard.press('Control+Enter');
    await drawer.getByText('The ferry leaves from pier ten').first().waitFor();
    expect(await content()).toBe('The ferry leaves from pier ten');
    expect(lore.opened.complaints).toEqual([]);
    await drawer.getByRole('button', { name: 'Forget', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(content, PATIENCE).toBe('The ferry leaves from pier ten');
    expect(lore.opened.complaints).toEqual([]);
  });
});
