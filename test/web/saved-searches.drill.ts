import { describe, expect, it } from 'vitest';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { PATIENCE } from './lore-page.ts';
import { stage } from './stage.ts';

const lore = stage({
  fill: async (server) => {
    await server.save('The tide gate is closed in a storm', { namespace: 'harbor', tags: ['rule'] });
    await server.save('The tide song is sung on Sundays', { namespace: 'choir' });
  },
});
const saved = () => lore.page.getByRole('navigation', { name: 'Saved searches' });
const button = (name: string) => lore.page.getByRole('list', { name: 'Filters' }).getByRole('button', { name, exact: true });

describe('a saved search', () => {
  it('is in the sidebar and the commands, links to its results, and can be removed in the view that saved it', async () => {
    await lore.open({ path: '/' });
    await lore.page.locator('.line').first().waitFor();
    expect(await button('Save search').count()).toBe(0);
    await lore.page.goto(`${lore.server.url}/?q=tide&ns=harbor&tag=rule`);
    await button('Save search').click();
    await saved().getByRole('link', { name: 'tide · harbor · rule' }).waitFor();
    await expectAccessibleInBothThemes(lore.page);
    await lore.page.goto(lore.server.url);
    await saved().getByRole('link', { name: 'tide · harbor · rule' }).click();
    await expect.poll(() => new URL(lore.page.url()).search, PATIENCE).toBe('?q=tide&ns=harbor&tag=rule');
    await lore.page.getByText('The tide gate').first().waitFor();
    await lore.page.keyboard.press('Control+k');
    await lore.page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('tide harbor');
    await lore.page.getByRole('option', { name: /tide · harbor · rule/ }).waitFor();
    await lore.page.keyboard.press('Escape');
    await button('Saved').click();
    await expect.poll(() => saved().count(), PATIENCE).toBe(0);
    expect(lore.opened.complaints).toEqual([]);
  });
});
