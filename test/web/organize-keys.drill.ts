import { describe, expect, it } from 'vitest';
import { PATIENCE } from './lore-page.ts';
import { stage } from './stage.ts';

const lore = stage({
  server: {
    keys: [
      { name: 'reader', access: 'read' },
      { name: 'bound', access: 'full', namespace: 'mine' },
    ],
  },
  fill: async ({ app }) => {
    await app.memories.save({ content: 'In my namespace', namespace: 'mine', tags: ['shared'] });
    await app.memories.save({ content: 'Out of sight', namespace: 'elsewhere', tags: ['shared', 'secret'] });
  },
});

async function enter(name: string, path: string) {
  const page = await lore.open({ path });
  const dialog = page.getByRole('dialog', { name: 'This store requires an API key' });
  await dialog.getByLabel('API key', { exact: true }).fill(lore.server.keys.get(name)!);
  await dialog.getByRole('button', { name: 'Unlock' }).click();
  await page.locator('.organize tbody tr').first().waitFor();
  return page;
}

describe('the view of namespaces, tags and names with a key', () => {
  it('shows a read-only key the counts without renaming', async () => {
    const page = await enter('reader', '/?view=organize&part=tags');
    expect(await page.locator('.organize tbody tr').allInnerTexts()).toHaveLength(2);
    expect(await page.getByRole('button', { name: /^Rename/ }).count()).toBe(0);
  });

  it('lets a key of one namespace rename tags and names, but not the namespace', async () => {
    const page = await enter('bound', '/?view=organize');
    expect(await page.locator('.organize tbody').innerText()).not.toContain('elsewhere');
    expect(await page.getByRole('button', { name: /^Rename/ }).count()).toBe(0);
    await page.getByText('Tags', { exact: true }).click();
    await page.getByRole('button', { name: 'Rename shared' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'New name' }).fill('secret');
    await dialog.getByText('1 memory would change.').waitFor();
    await dialog.getByRole('button', { name: 'Rename' }).click();
    const tags = async () => (await lore.server.app.memories.bulk.values({ field: 'tags' })).values;
    await expect.poll(tags, PATIENCE).toEqual([
      { value: 'secret', entries: 2 },
      { value: 'shared', entries: 1 },
    ]);
  });
});
