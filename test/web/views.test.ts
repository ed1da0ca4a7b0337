/** Every view once, in both themes: what a change of the page has to pass before anything finer is looked at. The finer tests are drills. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { surroundings } from './administration.ts';
import { PATIENCE } from './lore-page.ts';
import { stage } from './stage.ts';

const TEXT = 'Webhook deliveries are retried eight times';

const lore = stage({
  server: { administration: surroundings() },
  fill: async (server) => {
    const targetId = await server.save(TEXT, { tags: ['webhooks'], namespace: 'dock', priority: 'high' });
    const sourceId = await server.save('Retried webhooks carry an idempotency key', { tags: ['webhooks', 'decision'], namespace: 'dock' });
    await server.app.memories.relations.relate({ sourceId, targetId, type: 'elaborates' });
  },
});

interface View {
  readonly view: string;
  readonly path: string;
  /** Resolves once it shows what it is for. */
  readonly shown: (page: Page) => Promise<unknown>;
  /** So long that a check of it takes ten seconds: both themes are checked by a drill of its own. */
  readonly isLong?: boolean;
}

const VIEWS: readonly View[] = [
  { view: 'search', path: '/?q=webhook%20retry', shown: (page) => page.locator('.hit-text mark').first().waitFor() },
  { view: 'explained search', path: '/?q=webhook%20retry&explain=1', shown: (page) => page.locator('.hit-text mark').first().waitFor() },
  { view: 'memories', path: '/', shown: (page) => page.locator('.line-text').nth(1).waitFor() },
  { view: 'timeline', path: '/?as=timeline', shown: (page) => page.locator('.tl-item').first().waitFor() },
  { view: 'graph', path: '/?view=graph', shown: (page) => page.locator('canvas[aria-busy=false]').waitFor(PATIENCE) },
  {
    view: 'graph as a list',
    path: '/?view=graph&as=list',
    shown: (page) => page.locator('.g-list').getByText('Webhook').first().waitFor(),
  },
  { view: 'save form', path: '/?view=save', shown: (page) => page.getByRole('combobox', { name: 'Tags' }).waitFor() },
  { view: 'organize', path: '/?view=organize', shown: (page) => page.getByRole('button', { name: 'Rename dock' }).waitFor() },
  { view: 'statistics', path: '/?view=stats', shown: (page) => page.getByRole('heading', { name: 'Growth', exact: true }).waitFor() },
  { view: 'administration', path: '/?view=admin', shown: (page) => page.locator('#integrations li').first().waitFor() },
  { view: 'documentation', path: '/docs', shown: (page) => page.locator('.route').first().waitFor(), isLong: true },
];

describe('every view', () => {
  it.each(VIEWS)(
    '$view: shows itself in both themes, accessible, without a complaint, from this server alone',
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
  it('saves a memory, finds it, changes it, forgets it and takes that back', async () => {
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
