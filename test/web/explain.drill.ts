import { describe, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { PATIENCE, type OpenOptions } from './lore-page.ts';
import { stage } from './stage.ts';

const LONG = `${'Gulls circle over the harbour all day. '.repeat(60)}The lighthouse stands at the end of the quay. ${'Boats come and go. '.repeat(40)}`;

const lore = stage({
  fill: async (server) => {
    await server.save(LONG, { namespace: 'coast', tags: ['harbour'] });
    await server.save('The lighthouse keeper retires in May', { namespace: 'coast' });
    await server.save('Bread is baked before dawn', { namespace: 'bakery' });
  },
});

const open = (path = '/', options: OpenOptions = {}): Promise<Page> => lore.open({ ...options, path });

/** The options are open while the rest of the page is used. */
async function explain(page: Page): Promise<Locator> {
  const box = page.getByRole('dialog', { name: 'Search options' });
  if (!(await box.isVisible())) await page.getByRole('button', { name: 'Options' }).click();
  return box.getByRole('switch', { name: 'Explain' });
}
const why = (page: Page) => page.getByRole('region', { name: 'Why this result' });
const longHit = (page: Page) => page.locator('.hit', { hasText: 'stands at the end of the quay' });

describe('a long text among the results', () => {
  it('shows the best passage with marked matches instead of its start', async () => {
    const page = await open('/?q=lighthouse+quay');
    const text = longHit(page).locator('.hit-text');
    await text.waitFor();
    expect(await text.textContent()).toMatch(/^… /);
    expect(await text.locator('mark').allTextContents()).toEqual(['lighthouse', 'quay']);
    // What is marked can be seen: it does not lie below the last line that is shown.
    const [box, mark] = [await text.boundingBox(), await text.locator('mark').last().boundingBox()];
    expect(mark!.y + mark!.height).toBeLessThanOrEqual(box!.y + box!.height + 1);
    expect(lore.opened.complaints).toEqual([]);
  });
});

describe('an explained search', () => {
  it('is switched on and off, and is in the address', async () => {
    const page = await open('/?q=lighthouse');
    await page.locator('.hit').first().waitFor();
    expect(await page.locator('.hit-why').count()).toBe(0);
    await (await explain(page)).check({ force: true });
    await page.locator('.hit-why').nth(1).waitFor();
    expect(await page.locator('.hit-why').first().textContent()).toMatch(/Words found: lighthouse.*Score \d\.\d\d = Words \d\.\d\d/);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ q: 'lighthouse', explain: '1' });
    await (await explain(page)).uncheck({ force: true });
    await expect.poll(() => page.locator('.hit-why').count(), PATIENCE).toBe(0);
    expect(new URL(page.url()).search).toBe('?q=lighthouse');
  });

  it('shows one score in the row, next to it and in its sum', async () => {
    const page = await open('/?q=lighthouse+keeper');
    const row = page.locator('.hit').first();
    const score = (await row.locator('.score b').textContent())!;
    const sum = async (of: Locator): Promise<string> => {
      const parts = await of.allTextContents();
      return parts.reduce((total, part) => total + Number(part.trim().replace('−', '-')), 0).toFixed(2);
    };
    expect(await why(page).locator('h2 .num').textContent()).toBe(score);
    expect(await sum(why(page).locator('dd.num'))).toBe(score);
    await (await explain(page)).check({ force: true });
    await row.locator('.hit-why').waitFor();
    const [whole, ...parts] = await row.locator('.hit-why p').last().locator('.num').allTextContents();
    expect(whole).toBe(score);
    expect(parts.reduce((total, part) => total + Number(part.replace('−', '-')), 0).toFixed(2)).toBe(score);
    expect(await sum(why(page).locator('dd.num'))).toBe(score);
  });

  it('shows the part of meaning if it counted', async () => {
    const page = await open('/?q=lighthouse+guardian+retirement');
    await why(page).locator('dt', { hasText: 'Meaning' }).waitFor();
    expect(await why(page).textContent()).not.toContain('Meaning is not counted');
  });

  it('is restored from its address', async () => {
    const page = await open('/?q=lighthouse&explain=1');
    await page.locator('.hit-why').first().waitFor();
    expect(await (await explain(page)).isChecked()).toBe(true);
  });

  it('explains each score on hover and focus', async () => {
    const page = await open('/?q=lighthouse+keeper&explain=1');
    const score = page.locator('.hit').first().getByRole('button', { name: 'Score' });
    await score.waitFor();
    const box = page.locator('.hit').first().getByRole('tooltip', { includeHidden: true });
    expect(await box.isVisible()).toBe(false);
    await score.hover();
    await expect.poll(() => box.isVisible(), PATIENCE).toBe(true);
    expect(await box.textContent()).toMatch(/Score\d+\.\d\d.*Words\d+\.\d\d/);
    // The pointer may go into the box, and Escape closes it.
    await box.hover();
    await expect.poll(() => box.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => box.isVisible(), PATIENCE).toBe(false);
    await page.mouse.move(600, 20);
    await page.getByRole('searchbox', { name: 'Search memories' }).focus();
    await score.focus();
    await page.keyboard.press('Shift');
    await expect.poll(() => box.isVisible(), PATIENCE).toBe(true);
    expect(await score.getAttribute('aria-describedby')).toBe(await box.getAttribute('id'));
  });

  it('lists found and missing words, in the preview and in the details', async () => {
    const page = await open('/?q=lighthouse+volcano&explain=1');
    const why = page.getByRole('region', { name: 'Why this result' });
    await why.first().getByText('Words found:').waitFor();
    expect(await why.first().textContent()).toMatch(/Words found: lighthouse.*Not found: volcano/);
    await page.locator('.hit-text a').first().press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Memory' });
    await dialog.getByText('Words found:').waitFor();
    expect(lore.opened.complaints).toEqual([]);
  });

  it('needs no horizontal scrolling at 360 pixels', async () => {
    const page = await open('/?q=lighthouse&explain=1', { viewport: { width: 360, height: 740 } });
    await page.locator('.hit-why').first().waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    await page.locator('.hit').first().getByRole('button', { name: 'Score' }).focus();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });
});

describe('the search options', () => {
  const options = (page: Page) => page.getByRole('dialog', { name: 'Search options' });

  it.each([1440, 1024, 390])('are accessible in both themes, and fit a window of %i pixels', async (width) => {
    const page = await open('/?q=lighthouse&mode=keyword', { viewport: { width, height: 780 } });
    await page.locator('.hit').first().waitFor();
    await page.getByRole('button', { name: /^(?:Options )?Keyword$/ }).click();
    await options(page).getByText('Matches words only.').waitFor();
    await expectAccessibleInBothThemes(page);
    const box = (await options(page).boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
  });

  it('work by keyboard, and return the focus', async () => {
    const page = await open('/?q=lighthouse');
    await page.locator('.hit').first().waitFor();
    await page.getByRole('button', { name: 'Options' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.name'), PATIENCE).toBe('mode');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => new URL(page.url()).searchParams.get('mode'), PATIENCE).toBe('vector');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.locator('.hit-why').first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.id'), PATIENCE).toBe('search-options-button');
  });

  it('are stored by the browser; a link overrides them', async () => {
    const page = await open('/?q=lighthouse');
    await page.locator('.hit').first().waitFor();
    await page.getByRole('button', { name: 'Options' }).click();
    await options(page).getByRole('radio', { name: 'Keyword' }).check();
    await options(page).getByRole('switch', { name: 'Explain' }).check({ force: true });
    await page.goto(`${lore.server.url}/`);
    await page.getByRole('searchbox', { name: 'Search memories' }).fill('bread');
    await page.locator('.hit-why').first().waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ q: 'bread', mode: 'keyword', explain: '1' });
    await page.goto(`${lore.server.url}/?q=bread`);
    await page.locator('.hit').first().waitFor();
    expect(await page.locator('.hit-why').count()).toBe(0);
    await page.getByRole('link', { name: 'Statistics' }).first().click();
    expect(new URL(page.url()).search).toBe('?view=stats');
  });
});
