import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daysAgo } from '../helpers/past.ts';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessible } from './accessibility.ts';
import { surroundings } from './administration.ts';
import { openPages, PATIENCE, type OpenOptions, type OpenPage, type Pages } from './lore-page.ts';

const DAY_MS = 86_400_000;

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
});
afterAll(() => pages.close());

const newServer = (): Promise<TestServer> => pages.server({ administration: surroundings() });
const open = (server: TestServer, options: OpenOptions & { query?: string } = {}): Promise<OpenPage> =>
  pages.open(server, { path: `/?view=admin&part=archive${options.query ?? ''}`, ...options });

/** Saves them and puts them away together; gives the name of the run. */
async function forgotten(server: TestServer, ...contents: readonly string[]): Promise<string> {
  const ids: string[] = [];
  for (const content of contents) ids.push(await server.save(content));
  const { lifecycle } = server.app.memories;
  const { token } = await lifecycle.forgetMany({ ids });
  const { run } = await lifecycle.forgetMany({ ids, ...(token !== undefined && { confirm: token }) });
  return run!;
}

const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.textContent');

const total = async (server: TestServer): Promise<number> => (await server.app.memories.stats()).total;

describe('the archive', () => {
  it('has an explanation while it is empty', async () => {
    await using server = await newServer();
    await using opened = await open(server);
    await opened.page.getByRole('heading', { name: 'The archive is empty' }).waitFor();
    expect(await opened.page.getByText('You can restore them').count()).toBe(1);
  });

  it('lists archived memories and restores one, without a useless undo', async () => {
    await using server = await newServer();
    await forgotten(server, 'Use moment.js for dates', 'The password rotates on the first');
    await using opened = await open(server);
    const { page } = opened;
    const row = page.getByRole('row').filter({ hasText: 'Use moment.js for dates' });
    expect(await row.textContent()).toMatch(/test.*Forgotten/);
    await row.getByRole('button', { name: 'Restore “Use moment.js for dates”' }).click();
    await page.getByText('1 memory restored').waitFor();
    await expect.poll(() => row.count(), PATIENCE).toBe(0);
    expect(await total(server)).toBe(1);
    expect(await page.evaluate<string>('document.activeElement.getAttribute("aria-label")')).toBe('Archived memories');
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Restore “The password rotates on the first”' }).click();
    await page.getByRole('heading', { name: 'The archive is empty' }).waitFor();
    expect(await total(server)).toBe(2);
    expect(await focused(page)).toBe('Archive');
    expect(opened.complaints).toEqual([]);
  });

  it('restores selected memories, and all of one run', async () => {
    await using server = await newServer();
    const run = await forgotten(server, 'One', 'Two', 'Three');
    await forgotten(server, 'Another time');
    await using opened = await open(server);
    const { page } = opened;
    await page.getByLabel('Select “One”').check();
    await page.getByLabel('Select “Two”').check();
    await page.getByRole('button', { name: 'Restore 2 memories' }).click();
    await page.getByText('2 memories restored').waitFor();
    expect(await total(server)).toBe(2);
    await expect.poll(() => page.locator('.archived').count(), PATIENCE).toBe(2);
    expect(await focused(page)).toBe('Archive');
    await page.goto(`${server.url}/?view=admin&part=archive&run=${run}`);
    await page.getByText('1 memory archived in this run.').waitFor();
    await page.getByRole('button', { name: 'Restore all 1' }).click();
    await expect.poll(() => total(server), PATIENCE).toBe(3);
    expect(await focused(page)).toBe('Archive');
    await page.getByRole('button', { name: 'Show the whole archive' }).click();
    await page.getByText('Another time').waitFor();
    expect(await focused(page)).toBe('Archive');
  });

  it('is paged, and each page has its own link', async () => {
    await using server = await newServer();
    await forgotten(server, ...Array.from({ length: 13 }, (_, nth) => `Memory number ${nth}`));
    await using opened = await open(server);
    const { page } = opened;
    await page.getByText('1–10 of 13').waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('11–13 of 13').waitFor();
    await page.reload();
    await page.getByText('11–13 of 13').waitFor();
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Restore 3 memories' }).click();
    await expect.poll(() => page.locator('.archived').count(), PATIENCE).toBe(10);
    expect(new URL(page.url()).searchParams.get('page')).toBeNull();
  });

  it('can be filtered by reason', async () => {
    await using server = await newServer();
    await forgotten(server, 'One');
    await using opened = await open(server);
    const { page } = opened;
    const why = page.getByLabel('Why', { exact: true });
    await why.selectOption('Expired');
    await page.getByText('Nothing archived for this reason').waitFor();
    expect(new URL(page.url()).searchParams.get('reason')).toBe('expired');
    await why.selectOption('Forgotten');
    await page.getByLabel('Select “One”').waitFor();
  });

  it('shows the whole of a long text on request', async () => {
    await using server = await newServer();
    await forgotten(server, `It begins here. ${'And it goes on. '.repeat(60)}It ends here.`);
    await using opened = await open(server);
    const text = opened.page.locator('.archived').getByRole('button');
    await text.click();
    await opened.page.getByText('It ends here.').waitFor();
    expect(await text.getAttribute('aria-expanded')).toBe('true');
  });

  it('runs nothing from the text of a memory', async () => {
    await using server = await newServer();
    await forgotten(server, '<img src=x onerror="alert(1)"><script>alert(2)</script> `code` [a](javascript:alert(3))');
    await using opened = await open(server);
    await opened.page.getByText('<img src=x onerror="alert(1)">').first().waitFor();
    expect(await opened.page.locator('.archived img, .archived script, .archived a').count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  for (const [colorScheme, width] of [
    ['light', 360],
    ['dark', 1440],
  ] as const) {
    it(`is accessible at ${width} px in ${colorScheme}`, async () => {
      await using server = await newServer();
      await forgotten(server, 'One', 'Two');
      await using opened = await open(server, { colorScheme, viewport: { width, height: 800 } });
      const { page } = opened;
      await page.getByLabel('Select “One”').check();
      await page.getByRole('button', { name: 'Preview compaction' }).click();
      await page.getByText('Nothing to archive').waitFor();
      await expectAccessible(page);
      expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    });
  }
});

describe('compaction', () => {
  it('previews with reasons, archives, and can be undone', async () => {
    await using server = await newServer();
    const old = new Date(Date.now() - 900 * DAY_MS).toISOString();
    const line = JSON.stringify({ content: 'A note of no weight', metadata: { timestamp: old, updatedAt: old, importance: 0.05 } });
    await daysAgo(900, () =>
      server.call('POST', '/api/import', { body: `${line}\n`, headers: { 'content-type': 'application/x-ndjson' } }),
    );
    await server.save('Fresh and well');
    await using opened = await open(server);
    const { page } = opened;
    await page.getByText('No run yet.').waitFor();
    await page.getByRole('button', { name: 'Preview compaction' }).click();
    await page.getByText('1 of 2 memories would be archived.').waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'A note of no weight' })
      .getByText(/for \d+ days/)
      .waitFor();
    expect(await total(server)).toBe(2);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Archive 1 memory' }).click();
    await page.getByText('1 memory archived').first().waitFor();
    await expect.poll(() => total(server), PATIENCE).toBe(1);
    expect(await focused(page)).toBe('Compaction');
    await page.getByRole('row').filter({ hasText: 'Expired' }).waitFor();
    await page.getByText('Last run just now: 1 memory archived.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 memory restored').waitFor();
    expect(await total(server)).toBe(2);
    expect(opened.complaints).toEqual([]);
  });
});
