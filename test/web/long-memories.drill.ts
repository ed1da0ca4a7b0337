import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { PATIENCE } from './lore-page.ts';
import { stage } from './stage.ts';

/** 60 KB: ten times what a list needs of ten memories. */
const LONG = `The logbook of the harbour. ${Array.from({ length: 1200 }, (_, nth) => `On day ${nth} the tide came and went as foreseen.`).join(' ')} The last line names the pilot Ingrid.`;

const lore = stage({
  fill: async (server) => {
    await server.save(LONG, { namespace: 'harbor' });
    await server.save('The kiosk sells postcards', { namespace: 'harbor' });
  },
});

const clipboard = (page: Page): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()');

describe('a long memory', () => {
  it('is listed by its beginning, and shown, copied and edited as a whole', async () => {
    const sizes: number[] = [];
    const page = await lore.open({ path: '/?q=logbook', permissions: ['clipboard-read', 'clipboard-write'] });
    page.on('response', (response) => {
      if (/\/api\/(?:list|search)/.test(response.url()))
        void response.body().then(
          (body) => sizes.push(body.length),
          () => undefined,
        );
    });
    await page.reload();
    const preview = page.getByRole('article', { name: 'Selected memory' });
    await preview.getByText('The logbook of the harbour.').waitFor();
    await expect.poll(() => preview.textContent(), PATIENCE).toContain(`${LONG.length.toLocaleString('en-US')} characters`);
    await expect.poll(() => sizes.length, PATIENCE).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThan(20_000);
    await preview.getByRole('button', { name: 'Copy text' }).click();
    await expect.poll(() => clipboard(page), PATIENCE).toBe(LONG);

    await page
      .getByRole('link', { name: /The logbook/ })
      .first()
      .press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe(LONG);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('is copied as a whole from the list', async () => {
    const page = await lore.open({ path: '/?ns=harbor', permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: /^Actions: (?!The kiosk)/ }).click();
    await page.getByRole('menuitem', { name: 'Copy text' }).click();
    await expect.poll(() => clipboard(page), PATIENCE).toBe(LONG);
  });
});
