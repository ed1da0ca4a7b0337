import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { openPages, PATIENCE, type Pages } from './lore-page.ts';

let pages: Pages;
let server: TestServer;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server();
});
afterAll(async () => {
  await server.close();
  await pages.close();
});

describe('the guide to use Lore from code', () => {
  it('names this server in every snippet, with copy buttons', async () => {
    await using opened = await pages.open(server, { path: '/docs', permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = opened;
    const guide = page.getByRole('region', { name: 'Use Lore from your code' });
    await guide.getByText(`This server answers at ${server.url} and requires no key.`).waitFor();
    for (const part of ['From a shell', 'From any JavaScript', 'With the client library', 'As tools of an AI client']) {
      expect(await guide.getByRole('region', { name: part, exact: true }).innerText()).toContain(server.url);
    }
    const shell = guide.getByRole('region', { name: 'From a shell' });
    await shell.getByRole('button', { name: /^Copy/ }).nth(1).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`curl -s ${server.url}/api/recall`);
    expect(copied).not.toContain('LORE_KEY');
    expect(opened.complaints).toEqual([]);
  });

  it('mentions a required key, and never shows it', async () => {
    await using locked = await pages.server({ keys: [{ name: 'all', access: 'full' }] });
    await using opened = await pages.open(locked, { path: '/docs' });
    const { page } = opened;
    const key = locked.keys.get('all')!;
    await page.getByRole('dialog').getByLabel('API key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Unlock' }).click();
    const guide = page.getByRole('region', { name: 'Use Lore from your code' });
    await guide.getByText('requires a key').waitFor();
    expect(await guide.innerText()).toContain('-H "x-api-key: $LORE_KEY"');
    expect(await page.content()).not.toContain(key);
  });

  it('has working snippets', async () => {
    await server.save('We deploy with make ship; staging first.');
    await using opened = await pages.open(server, { path: '/docs' });
    const { page } = opened;
    const script = page.getByRole('region', { name: 'From any JavaScript' }).locator('pre');
    await script.waitFor();
    const code = await script.innerText();
    const logged = page.waitForEvent('console');
    await page.evaluate(`(async () => { ${code} })()`);
    expect((await logged).text()).toContain('We deploy with make ship');
  });
});

describe('the routes', () => {
  it('are filtered by what is typed, also in the sidebar', async () => {
    await using opened = await pages.open(server, { path: '/docs' });
    const { page } = opened;
    await page.locator('.route').first().waitFor();
    const all = await page.locator('.route:visible').count();
    await page.keyboard.press('/');
    await page.keyboard.type('backup verify');
    await expect.poll(() => page.locator('.route:visible').count(), PATIENCE).toBe(1);
    expect(
      await page
        .getByRole('navigation', { name: 'Routes' })
        .getByRole('link', { name: /\/api\// })
        .count(),
    ).toBe(1);
    await page.getByText(`1 of ${all} routes`).waitFor();
    await page.getByRole('searchbox').fill('nonsense of no use');
    await page.getByRole('heading', { name: 'No route for “nonsense of no use”' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.route:visible').count(), PATIENCE).toBe(all);
  });

  it('are found by a link, also while a search hides them', async () => {
    await using opened = await pages.open(server, { path: '/docs#stats' });
    const { page } = opened;
    const inView = (id: string) =>
      page.evaluate<boolean>(`(({ top }) => top >= 0 && top < innerHeight)(document.getElementById('${id}').getBoundingClientRect())`);
    await page.locator('#stats').waitFor();
    await expect.poll(() => inView('stats'), PATIENCE).toBe(true);
    await page.getByRole('searchbox').fill('backup');
    await expect.poll(() => page.locator('#recall').isVisible(), PATIENCE).toBe(false);
    await page.evaluate("location.hash = '#recall'");
    await page.locator('#recall').waitFor();
    await expect.poll(() => inView('recall'), PATIENCE).toBe(true);
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
  });

  it('keep their input while a search hides them', async () => {
    await using opened = await pages.open(server, { path: '/docs' });
    const { page } = opened;
    const list = page.getByRole('region', { name: 'GET /api/list', exact: true });
    await list.getByRole('button', { name: 'Try it' }).click();
    await list.getByLabel(/^namespace/).fill('harbor');
    await page.getByRole('searchbox').fill('backup');
    await expect.poll(() => page.locator('#list').isVisible(), PATIENCE).toBe(false);
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => list.getByLabel(/^namespace/).inputValue()).toBe('harbor');
  });

  it('are shown by an address with an invalid fragment', async () => {
    await using opened = await pages.open(server, { path: '/docs#%' });
    await opened.page.locator('.route').first().waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('start with the most used', async () => {
    await using opened = await pages.open(server, { path: '/docs' });
    const headings = opened.page.locator('main .sect > h2');
    await headings.nth(1).waitFor();
    const names = await headings.allInnerTexts();
    expect(names.slice(0, 3)).toEqual(['Use Lore from your code', 'Memories', 'Namespaces']);
    expect(names.at(-1)).toBe('Server');
  });
});

it.each([1440, 360])('the page is accessible in both themes at %i pixels', { timeout: 90_000 }, async (width) => {
  await using opened = await pages.open(server, { path: '/docs', viewport: { width, height: 800 } });
  const { page } = opened;
  const recall = page.getByRole('region', { name: 'POST /api/recall', exact: true });
  await recall.getByRole('button', { name: 'Try it' }).click();
  await recall.getByRole('button', { name: 'Send' }).click();
  await recall.getByText('200 OK').waitFor();
  await expectAccessibleInBothThemes(page);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
});
