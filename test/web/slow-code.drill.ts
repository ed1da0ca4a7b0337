import { describe, expect, it } from 'vitest';
import { delay } from './lore-page.ts';
import { stage } from './stage.ts';

let id: string;
const lore = stage({
  fill: async (server) => {
    id = await server.save('The ferry leaves at six', { namespace: 'harbor' });
  },
});

describe('code that loads late', () => {
  it('focuses the editor of a filter once it is loaded', async () => {
    const page = await lore.open();
    const answer = await delay(page, '**/assets/editors-*.js');
    await page.reload();
    await page.getByRole('button', { name: 'All namespaces' }).click();
    await page.locator('.popover:popover-open').waitFor();
    answer();
    const option = page.getByRole('dialog', { name: 'Namespace' }).getByRole('button', { name: 'harbor' });
    await option.waitFor();
    await expect.poll(() => option.evaluate((button) => button.matches(':focus'))).toBe(true);
  });

  it('shows a frame for a memory, which can be closed', async () => {
    const page = await lore.open();
    const answer = await delay(page, '**/assets/entry-drawer-*.js');
    await page.goto(`${lore.server.url}/?id=${id}`);
    const dialog = page.getByRole('dialog', { name: 'Memory' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await page.goBack();
    await dialog.waitFor();
    answer();
    await dialog.getByText('The ferry leaves at six').waitFor();
    expect(lore.opened.complaints).toEqual([]);
  });
});
