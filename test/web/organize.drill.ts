import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { PATIENCE } from './lore-page.ts';
import { stage } from './stage.ts';

const WIDTHS = [1440, 1024, 390];

const lore = stage({
  fresh: true,
  fill: async (server) => {
    await server.save('@ken keeps the heron', { namespace: 'harbour', tags: ['birds', 'sea'] });
    await server.save('@ken and @ana feed the gull', { namespace: 'harbour', tags: ['bird'] });
    await server.save('The mill grinds on Mondays', { namespace: 'village', tags: ['birds'] });
  },
});

const rows = (page: Page) => page.locator('.organize tbody tr').allInnerTexts();
const told = async (page: Page): Promise<string[]> => (await rows(page)).map((row) => row.replaceAll(/\s+/g, ' ').replace(' Rename', ''));
const valuesOf = async (field: 'namespaces' | 'tags' | 'entities') =>
  (await lore.server.app.memories.bulk.values({ field })).values.map(({ value, entries }) => `${value} ${entries}`);

async function rename(page: Page, from: string, to: string) {
  await page.getByRole('button', { name: `Rename ${from}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Rename “${from}”` });
  await dialog.getByRole('combobox', { name: 'New name' }).fill(to);
  return dialog;
}

describe('the view of namespaces, tags and names', () => {
  it('counts each, sorts by either column, filters, and links to the memories', async () => {
    const page = await lore.open({ path: '/' });
    await page.getByRole('link', { name: 'Organize' }).click();
    await expect.poll(() => told(page), PATIENCE).toEqual(['harbour 2', 'village 1']);
    await page.getByText('Tags', { exact: true }).click();
    await expect.poll(() => told(page), PATIENCE).toEqual(['birds 2', 'bird 1', 'sea 1']);
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await expect.poll(() => told(page), PATIENCE).toEqual(['bird 1', 'birds 2', 'sea 1']);
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('IRDS');
    await expect.poll(() => told(page), PATIENCE).toEqual(['birds 2']);
    await page.getByRole('searchbox', { name: 'Filter by name' }).fill('nothing of it');
    await page.getByRole('heading', { name: 'No match' }).waitFor();
    await page.getByText('Names', { exact: true }).click();
    await expect.poll(() => told(page), PATIENCE).toEqual(['@ana 1', '@ken 2']);
    await page.goto(`${lore.server.url}/?view=organize&part=tags`);
    await page.getByRole('link', { name: 'birds' }).click();
    await expect.poll(() => page.locator('.line').count(), PATIENCE).toBe(2);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('lists exactly the counted memories of a name', async () => {
    await lore.server.save('A letter of ken, who is not named here', { namespace: 'village' });
    const page = await lore.open({ path: '/?view=organize&part=entities' });
    await page.getByRole('link', { name: '@ken' }).click();
    await page.getByText('2 memories with this name').waitFor();
    await page.getByRole('heading', { name: '@ken' }).waitFor();
    const titles = ['@ken and @ana feed the gull', '@ken keeps the heron'];
    expect(await page.locator('.open-entry').allInnerTexts()).toEqual(titles);
    await expectAccessibleInBothThemes(page);
    await page.getByRole('link', { name: titles[0]! }).click();
    await page.getByRole('dialog').getByText(titles[0]!).first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'All names' }).click();
    await expect.poll(() => told(page), PATIENCE).toEqual(['@ken 2', '@ana 1']);
    expect(lore.opened.complaints).toEqual([]);
  });

  it.each([390, 1440])('shows the memories of a name without horizontal scrolling at a width of %i', async (width) => {
    await lore.server.save(`@ken ${'writes-a-word-that-is-long-'.repeat(20)}`, {
      namespace: 'a/namespace/with/many/parts/and/a/long/name',
    });
    const page = await lore.open({ path: '/?view=organize&part=entities&name=@ken', viewport: { width, height: 800 } });
    await page.getByText('3 memories with this name').waitFor();
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('renames a tag, merges it after a confirmation, and undoes that exactly', async () => {
    const page = await lore.open({ path: '/?view=organize&part=tags' });
    const before = await valuesOf('tags');
    const dialog = await rename(page, 'bird', 'birds');
    await dialog.getByText('“birds” already exists, with 2 memories. 1 memory would be merged into it.').waitFor();
    expect(await valuesOf('tags')).toEqual(before);
    await expectAccessibleInBothThemes(page);
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await expect.poll(() => told(page), PATIENCE).toEqual(['birds 3', 'sea 1']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => told(page), PATIENCE).toEqual(['birds 2', 'bird 1', 'sea 1']);
    const another = await rename(page, 'sea', 'ocean');
    await another.getByText('1 memory would change.').waitFor();
    await another.getByRole('button', { name: 'Rename' }).click();
    await expect.poll(() => valuesOf('tags'), PATIENCE).toEqual(['birds 2', 'bird 1', 'ocean 1']);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('merges a namespace and a name in the same way', async () => {
    const page = await lore.open({ path: '/?view=organize' });
    const dialog = await rename(page, 'village', 'harbour');
    await dialog.getByText('“harbour” already exists, with 2 memories.').waitFor();
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await expect.poll(() => told(page), PATIENCE).toEqual(['harbour 3']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => told(page), PATIENCE).toEqual(['harbour 2', 'village 1']);
    await page.getByText('Names', { exact: true }).click();
    const names = await rename(page, '@ken', '@ana');
    await names.getByText('“@ana” already exists, with 1 memory. 2 memories would be merged into it.').waitFor();
    await names.getByRole('button', { name: 'Merge' }).click();
    await expect.poll(() => told(page), PATIENCE).toEqual(['@ana 2']);
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect.poll(() => told(page), PATIENCE).toEqual(['@ken 2', '@ana 1']);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('is paged above a hundred', async () => {
    const many = Array.from({ length: 60 }, (_, nth) => [`tag ${nth}`, `more ${nth}`]).flat();
    await lore.server.save('Of many', { tags: many.slice(0, 60) });
    await lore.server.save('Of more', { tags: many.slice(60) });
    const page = await lore.open({ path: '/?view=organize&part=tags' });
    await page.getByText('1–100 of 123').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('101–123 of 123').waitFor();
    expect(await rows(page)).toHaveLength(23);
  });

  it.each(WIDTHS)('is accessible in both themes at a width of %i', async (width) => {
    const page = await lore.open({ path: '/?view=organize&part=entities', viewport: { width, height: 800 } });
    await expect.poll(() => told(page), PATIENCE).toEqual(['@ken 2', '@ana 1']);
    await expectAccessibleInBothThemes(page);
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
