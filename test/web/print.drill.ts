import { describe, expect, it } from 'vitest';
import { stage } from './stage.ts';

const LINES = Array.from({ length: 900 }, (_, nth) => `Line ${nth}: the tide came and went as foreseen.`);
const lore = stage({
  fill: async (server) => {
    await server.save(`Harbour chronicle: ${'it rained on the quay and '.repeat(40_000)}then it stopped.`, { namespace: 'harbor' });
    await server.save(`${LINES.join('\n')}\nThe very last line.`, { namespace: 'harbor' });
    for (let number = 0; number < 20; number++) await server.save(`Note ${number} of the harbour office`);
  },
});

/** Of what the printer would get. */
const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

describe('on paper', () => {
  it('an open memory is printed completely and alone', async () => {
    const page = await lore.open({ path: '/?q=tide' });
    await page.locator('.hit').first().getByRole('link').first().press('Enter');
    await page.getByRole('dialog').getByText('Line 0:').first().waitFor();
    // 900 lines, some 60 to a page.
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeGreaterThan(12);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('The very last line.').last().isVisible()).toBe(true);
    for (const part of ['.side', '.searchbar', '.hit', '.drawer-h', '.btn'])
      expect(await page.locator(part).first().isVisible(), part).toBe(false);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('one paragraph of a megabyte is printed whole', async () => {
    const page = await lore.open({ path: '/?q=chronicle' });
    await page.locator('.hit').first().getByRole('link').first().press('Enter');
    await page.getByRole('dialog').getByText('Harbour chronicle').first().waitFor();
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeGreaterThan(200);
    expect(await page.getByRole('dialog').getByText('then it stopped.').count()).toBe(1);
  });

  it('the full list is printed as far as it is visible, without page scrolling', async () => {
    const page = await lore.open();
    await page.locator('.line-text').nth(20).waitFor();
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeLessThan(4);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Note 0 of the harbour office').isVisible()).toBe(true);
    expect(await page.locator('.rail').isVisible()).toBe(false);
  });

  it('results are printed to the end, without controls, dark on light in any theme', async () => {
    const page = await lore.open({ path: '/?q=harbour office' });
    await page.locator('.hit').nth(19).waitFor();
    await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'));
    await page.emulateMedia({ media: 'print' });
    const pane = page.locator('.pane').first();
    expect(await pane.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
    for (const part of ['.side', '.searchbar', '.pane--side']) expect(await page.locator(part).first().isVisible(), part).toBe(false);
    expect(
      await page
        .locator('.hit-text')
        .first()
        .evaluate((element) => getComputedStyle(element).color),
    ).toBe('rgb(29, 27, 23)');
  });
});
