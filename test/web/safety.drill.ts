import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { surroundings } from './administration.ts';
import { openPages, PATIENCE, type Pages } from './lore-page.ts';

/** Each would set a mark on the window if any part of it were taken for markup. */
const HOSTILE = [
  '<script>window.ran = 1</script>',
  '<img src=x onerror="window.ran = 1">',
  '"><svg onload="window.ran = 1">',
  '<a href="javascript:window.ran = 1">press</a>',
  '<iframe srcdoc="<script>parent.ran = 1</script>"></iframe>',
  '<style>body { display: none }</style>',
  '{{constructor.constructor("window.ran = 1")()}}',
];

let pages: Pages;
let server: TestServer;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server({ administration: surroundings() });
  const ids: string[] = [];
  for (const text of HOSTILE) ids.push(await server.save(`hostile ${text}`, { tags: [text], namespace: text, container: text }));
  const { lifecycle, relations } = server.app.memories;
  for (const [nth, sourceId] of ids.slice(1).entries()) await relations.relate({ sourceId, targetId: ids[nth]!, type: 'elaborates' });
  const gone = await server.save(`hostile archived ${HOSTILE[1]}`, { namespace: HOSTILE[1] });
  const { token } = await lifecycle.forgetMany({ ids: [gone] });
  await lifecycle.forgetMany({ ids: [gone], confirm: token! });
});
afterAll(async () => {
  await server.close();
  await pages.close();
});

describe('stored content', () => {
  it('is only ever text, in every view', async () => {
    await using opened = await pages.open(server, { path: '/?q=hostile&mode=keyword' });
    const { page } = opened;
    await page
      .locator('.hit')
      .nth(HOSTILE.length - 1)
      .waitFor();
    expect((await page.locator('.hit-text').allTextContents()).toSorted()).toEqual(HOSTILE.map((text) => `hostile ${text}`).toSorted());
    for (let number = 0; number < HOSTILE.length; number++) {
      await page.locator('.hit-text a').nth(number).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Memory' }).waitFor();
      await page.keyboard.press('Escape');
    }
    await page.getByRole('link', { name: 'Statistics' }).first().click();
    await page.getByRole('heading', { name: 'By namespace' }).waitFor();
    await page.goto(`${server.url}/`);
    await page
      .locator('.line-text')
      .nth(HOSTILE.length - 1)
      .waitFor();
    await page.goto(`${server.url}/?as=timeline`);
    await page.locator('.tl-item').filter({ hasText: 'hostile' }).first().waitFor();
    await page.goto(`${server.url}/?view=graph`);
    await page.locator('canvas[aria-busy=false]').waitFor(PATIENCE);
    await page.goto(`${server.url}/?view=graph&as=list`);
    await page.locator('.g-list').getByText('hostile').first().waitFor();
    await page.goto(`${server.url}/?view=admin`);
    await page.getByRole('heading', { name: 'Administration' }).waitFor();
    await page.getByText('hostile archived').first().waitFor();
    await page.getByRole('link', { name: 'Save a memory' }).first().click();
    await page.getByRole('combobox', { name: 'Tags' }).click();
    await page.getByRole('option').first().waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.locator('main script, main iframe, main img, main style').count()).toBe(0);
    expect(await page.locator('a[href^="javascript:" i]').count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  it('does not run from the address either', async () => {
    const text = encodeURIComponent(HOSTILE[1]!);
    await using opened = await pages.open(server, { path: `/?q=${text}&ns=${text}&tag=${text}&id=${text}` });
    await opened.page.getByRole('dialog').getByRole('heading', { name: 'Memory not found' }).waitFor();
    expect(await opened.page.evaluate('window.ran')).toBeUndefined();
  });
});

describe('the pages', () => {
  it('contact no other host and have a policy without inline code', async () => {
    for (const path of ['/', '/?view=save', '/?view=stats', '/docs']) {
      await using opened = await pages.open(server, { path });
      const { page, hosts, complaints } = opened;
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.waitForLoadState('load');
      expect([...hosts]).toEqual([new URL(server.url).host]);
      expect(complaints).toEqual([]);
      expect(await page.locator('style, script:not([src])').count()).toBe(0);
      const sent = await page.request.get(server.url + path);
      expect(await sent.text()).not.toMatch(/\sstyle=|<style/);
      expect(sent.headers()['content-security-policy']).toContain("default-src 'self'");
    }
  });

  it.each([
    ['the list', '/', '.line-text'],
    ['a direct link to a search', '/?q=hostile&mode=keyword', '.hit-text'],
  ])('load few and small files before the first row of %s', async (_what, path, row) => {
    await using opened = await pages.open(server, { path: '/docs' });
    const { page } = opened;
    // Recorded when the row comes: other views are loaded right after it.
    await page.addInitScript(`new MutationObserver((_, observer) => {
      if (document.querySelector('${row}') === null) return;
      observer.disconnect();
      window.loaded = performance.getEntriesByType('resource').map(({ encodedBodySize }) => encodedBodySize);
    }).observe(document, { childList: true, subtree: true })`);
    await page.goto(server.url + path);
    await page.locator(row).first().waitFor();
    const sizes = await page.evaluate<number[]>('window.loaded');
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.length).toBeLessThanOrEqual(14);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(62_000);
  });

  it('remember the chosen theme', async () => {
    await using opened = await pages.open(server, { colorScheme: 'light' });
    const { page } = opened;
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByRole('radio', { name: 'Dark' }).first().check();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await expect.poll(() => ground()).toBe(dark);
    await page.getByRole('radio', { name: 'System' }).first().check();
    await expect.poll(() => ground()).toBe(light);
  });
});
