import { describe, expect, it } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { surroundings } from './administration.ts';
import { PATIENCE } from './lore-page.ts';
import { stage } from './stage.ts';

const CAPTURED = [
  'We deploy on Tuesdays, after the sync.',
  'Invoices are kept for ten years.',
  'Tabs are two spaces wide in this repository.',
];

const lore = stage({
  fresh: true,
  server: { administration: surroundings() },
  fill: async (server) => {
    for (const content of CAPTURED) await server.app.memories.save({ content, tags: ['decision'] }, { source: 'auto-capture' });
    await server.save('Saved by hand');
  },
});
const region = () => lore.page.getByRole('region', { name: 'Inbox' });
const items = () => region().getByRole('listitem');
const button = (name: string) => region().getByRole('button', { name });

describe('the inbox', () => {
  it('drops one', async () => {
    await lore.open({ path: '/?view=admin&part=inbox' });
    await button('Drop “Invoices are kept for ten years.”').click();
    await expect.poll(() => items().count(), PATIENCE).toBe(2);
    expect((await lore.server.app.memories.lifecycle.archived({ reason: 'forgotten' })).total).toBe(1);
  });

  it('lists captured memories, keeps or rejects them, and can be undone', async () => {
    await lore.open({ path: '/?view=admin&part=inbox' });
    await expect.poll(() => items().count(), PATIENCE).toBe(3);
    await button('Keep “We deploy on Tuesdays, after the sync.”').click();
    await expect.poll(() => items().count(), PATIENCE).toBe(2);
    await button('Never again: “Invoices are kept for ten years.”').click();
    await expect.poll(() => items().count(), PATIENCE).toBe(1);
    const archived = async (): Promise<number> => (await lore.server.app.memories.lifecycle.archived({ reason: 'unwanted' })).total;
    expect(await archived()).toBe(1);
    await lore.page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(archived, PATIENCE).toBe(0);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('keeps all at once', async () => {
    await lore.open({ path: '/?view=admin&part=inbox' });
    await button('Keep all 3').click();
    await region().getByText('Nothing to review').waitFor();
    expect((await lore.server.app.memories.list({})).total).toBe(4);
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme, wide and narrow', async (colorScheme) => {
    await lore.open({ path: '/?view=admin&part=inbox' });
    await lore.page.emulateMedia({ colorScheme });
    await expect.poll(() => items().count(), PATIENCE).toBe(3);
    await expectAccessible(lore.page);
    await lore.page.setViewportSize({ width: 360, height: 780 });
    await expectAccessible(lore.page);
    expect(await lore.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});
