import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessible } from './accessibility.ts';
import { openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

const MOST_ROWS = 200;

let pages: Pages;
let opened: OpenPage;

const rows = (page: Page) => page.locator('.line:not(.line--empty)');
const rowOf = (page: Page, text: string) => page.locator('.line, .tl-item').filter({ hasText: text });
/** Resolves once the rows of that place are drawn, be it empty: the page draws them in the frame in which it hears of the scrolling. */
const scrollTo = (page: Page, share: number) =>
  page.evaluate(async (to) => {
    const pane = document.querySelector('.browse .pane')!;
    pane.scrollTop = to * pane.scrollHeight;
    for (const _ of ['of the scrolling', 'after it']) await new Promise(requestAnimationFrame);
  }, share);

async function plant(server: TestServer, lines: readonly object[]): Promise<void> {
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  const answer = await server.call('POST', '/api/import?form=reference', { body, headers });
  expect(answer.body.stored).toBe(lines.length);
}

/** Noon of a day before today, by the clock of this machine, so that no memory is near the border of its day. */
function noon(daysAgo: number): number {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, 12).getTime();
}

/** Memory 0 is the newest, `perDay` of them on every day, the last of them yesterday. */
const memories = (number: number, perDay: number): object[] =>
  Array.from({ length: number }, (_, nth) => ({
    content: `Memory ${nth} of the harbour`,
    namespace: nth % 2 === 0 ? 'harbour' : 'village',
    tags: [nth % 3 === 0 ? 'third' : 'other'],
    priority: nth % 10 === 0 ? 'high' : 'normal',
    timestamp: new Date(noon(1 + Math.floor(nth / perDay)) - (nth % perDay) * 1000).toISOString(),
  }));

beforeAll(async () => {
  pages = await openPages();
});
afterEach(() => opened[Symbol.asyncDispose]());
afterAll(() => pages.close());

describe('browsing five thousand memories', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await pages.server();
    await plant(server, memories(5000, 50));
  });
  afterAll(() => server.close());

  it('draws only the visible rows, with the oldest at the end', async () => {
    opened = await pages.open(server, { path: '/' });
    const { page } = opened;
    await rowOf(page, 'Memory 0 of').waitFor();
    expect(await page.getByRole('status').filter({ hasText: 'memories' }).first().textContent()).toBe('5,000 memories');
    expect(await page.getByRole('heading', { name: /Yesterday/ }).count()).toBe(1);
    for (const share of [0.1, 0.35, 0.8, 0.5, 1]) {
      await scrollTo(page, share);
      await expect.poll(() => page.locator('.line--empty').count(), PATIENCE).toBe(0);
      expect(await page.locator('.line').count()).toBeLessThan(MOST_ROWS);
    }
    await rowOf(page, 'Memory 4999 of').waitFor();
    await scrollTo(page, 0);
    await rowOf(page, 'Memory 0 of').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('moves by keys to both ends, and opens and closes a memory at its place', async () => {
    opened = await pages.open(server, { path: '/' });
    const { page } = opened;
    await rowOf(page, 'Memory 0 of').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.closest('.line')?.textContent ?? '');
    // The page opens in the field: the arrow leads into the list.
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused()).toContain('Memory 0 of');
    for (const key of ['j', 'ArrowDown', 'ArrowDown', 'k']) await page.keyboard.press(key);
    await expect.poll(focused, PATIENCE).toContain('Memory 2 of');
    await page.keyboard.press('End');
    await expect.poll(focused, PATIENCE).toContain('Memory 4999 of');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('5,000 of 5,000').waitFor();
    await page.keyboard.press('k');
    await page.getByRole('dialog').getByText('4,999 of 5,000').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count(), PATIENCE).toBe(0);
    await page.keyboard.press('Home');
    await expect.poll(focused, PATIENCE).toContain('Memory 0 of');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Memory 1 of the harbour').first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count(), PATIENCE).toBe(0);
    await expect.poll(focused, PATIENCE).toContain('Memory 1 of');
    expect(opened.complaints).toEqual([]);
  });

  it('jumps by month with the slider, by keys and by a click', async () => {
    opened = await pages.open(server, { path: '/' });
    const { page } = opened;
    const slider = page.getByRole('slider', { name: 'Jump to a time' });
    const first = await slider.getAttribute('aria-valuetext');
    await slider.focus();
    await page.keyboard.press('End');
    await expect.poll(() => slider.getAttribute('aria-valuenow'), PATIENCE).toBe(await slider.getAttribute('aria-valuemax'));
    await expect.poll(() => page.locator('.line--empty').count(), PATIENCE).toBe(0);
    await page.keyboard.press('Home');
    await expect.poll(() => slider.getAttribute('aria-valuetext'), PATIENCE).toBe(first);
    const box = (await slider.boundingBox())!;
    await page.mouse.click(box.x + 20, box.y + box.height - 8);
    await rowOf(page, 'Memory 4950 of').waitFor();
  });

  it('shows a timeline with the first of each day, and the rest on demand', async () => {
    opened = await pages.open(server, { path: '/' });
    const { page } = opened;
    await page.getByRole('radio', { name: 'Timeline' }).check();
    await rowOf(page, 'Memory 4 of').waitFor();
    expect(new URL(page.url()).searchParams.get('as')).toBe('timeline');
    expect(await rowOf(page, 'Memory 5 of').count()).toBe(0);
    await page.getByRole('button', { name: 'Show 45 more' }).first().click();
    await rowOf(page, 'Memory 5 of').waitFor();
    await page.getByRole('slider', { name: 'Memories over time' }).press('End');
    await scrollTo(page, 1);
    await rowOf(page, 'Memory 4954 of').waitFor();
    expect(await page.locator('.tl-item').count()).toBeLessThan(MOST_ROWS);
    expect(opened.complaints).toEqual([]);
  });

  it('sorts by time and importance, and filters by tags, all in the address', async () => {
    opened = await pages.open(server, { path: '/' });
    const { page } = opened;
    await rowOf(page, 'Memory 0 of').waitFor();
    await page.getByLabel('Sort').selectOption({ label: 'Oldest first' });
    await rowOf(page, 'Memory 4999 of').waitFor();
    await page.getByLabel('Sort').selectOption({ label: 'Most important first' });
    await expect.poll(() => rows(page).first().textContent(), PATIENCE).toContain('High priority');
    expect(await page.getByRole('slider').count()).toBe(0);
    await page.getByLabel('Sort').selectOption({ label: 'Newest first' });
    await rowOf(page, 'Memory 0 of').getByRole('link', { name: 'third' }).click();
    await page.getByText('1,667 memories match the filters').waitFor();
    await expect.poll(() => rowOf(page, 'Memory 1 of').count(), PATIENCE).toBe(0);
    await page.goBack();
    await page.getByText('5,000 memories').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('selects a range, also of undrawn rows, and everything that matches', async () => {
    opened = await pages.open(server, { path: '/?tag=third' });
    const { page } = opened;
    await rowOf(page, 'Memory 0 of').getByRole('checkbox').check();
    await scrollTo(page, 0.2);
    await expect.poll(() => page.locator('.line--empty').count(), PATIENCE).toBe(0);
    const inView = rows(page).nth(14);
    const place = Number(await inView.getAttribute('aria-posinset'));
    await page
      .locator(`.line[aria-posinset="${place}"]`)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await page.getByText(`${place} selected`).waitFor();
    await page.getByRole('button', { name: 'Select all 1,667' }).click();
    await page.getByText('1,667 selected').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('toolbar').count(), PATIENCE).toBe(0);
  });

  it('pages up and down by keys', async () => {
    opened = await pages.open(server, { path: '/', viewport: { width: 1280, height: 1600 } });
    const { page } = opened;
    await rowOf(page, 'Memory 0 of').waitFor();
    const place = () => page.evaluate(() => Number(document.activeElement?.closest('.line')?.getAttribute('aria-posinset')));
    const most = await page.evaluate(() => {
      const row = document.querySelector('.line')!.getBoundingClientRect().height;
      return Math.floor(document.querySelector('.browse .pane')!.clientHeight / row);
    });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('PageDown');
    await expect.poll(place, PATIENCE).toBeGreaterThan(most * 0.7);
    expect(await place()).toBeLessThanOrEqual(most);
    await page.keyboard.press('PageUp');
    await expect.poll(place, PATIENCE).toBeLessThan(4);
    expect(opened.complaints).toEqual([]);
  });

  it('steps through months in list order', async () => {
    opened = await pages.open(server, { path: '/?sort=createdAt' });
    const { page } = opened;
    await rowOf(page, 'Memory 4999 of').waitFor();
    const slider = page.getByRole('slider', { name: 'Jump to a time' });
    const nth = () => slider.getAttribute('aria-valuenow');
    expect(await nth()).toBe('0');
    const oldest = await slider.getAttribute('aria-valuetext');
    await slider.press('ArrowDown');
    await expect.poll(nth, PATIENCE).toBe('1');
    expect(await slider.getAttribute('aria-valuetext')).not.toBe(oldest);
    await slider.press('End');
    await expect.poll(nth, PATIENCE).toBe(await slider.getAttribute('aria-valuemax'));
    await expect.poll(() => page.locator('.line--empty').count(), PATIENCE).toBe(0);
    await slider.press('Home');
    await expect.poll(() => slider.getAttribute('aria-valuetext'), PATIENCE).toBe(oldest);
  });

  it('selects unloaded rows by Shift and arrow, and everything by its key', async () => {
    opened = await pages.open(server, { path: '/' });
    const { page } = opened;
    await rowOf(page, 'Memory 0 of').waitFor();
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/api/list?*offset=4992*', async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.locator('.browse .pane').focus();
    await page.keyboard.press('Shift+ArrowUp');
    await expect.poll(() => page.getByRole('toolbar').count()).toBe(0);
    letGo();
    await page.getByText('1 selected').waitFor();
    await rowOf(page, 'Memory 4999 of').waitFor();
    expect(await rowOf(page, 'Memory 4999 of').getByRole('checkbox').isChecked()).toBe(true);
    await page.keyboard.press('Control+a');
    await page.getByText('5,000 selected').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('splits large actions, reports what was done before a refusal, and undoes it', async () => {
    opened = await pages.open(server, { path: '/?ns=harbour' });
    const { page } = opened;
    await rowOf(page, 'Memory 0 of').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('x');
    await page.getByText('2,499 selected').waitFor();
    let requests = 0;
    await page.route('**/api/tags?*', async (route) => {
      const { dryRun, add } = route.request().postDataJSON() as { dryRun: boolean; add?: string[] };
      if (dryRun || add === undefined || ++requests !== 2) return await route.continue();
      await route.fulfill({ status: 503, json: { success: false, error: 'The store is closing.', code: 'UNAVAILABLE' } });
    });
    await page.keyboard.press('t');
    const dialog = page.getByRole('dialog', { name: 'Tag 2,499 memories' });
    await dialog.getByLabel('Add tags').fill('counted');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Tag 2,499' }).click();
    await page.getByText('1,000 memories tagged. The rest failed: The store is closing.').waitFor(PATIENCE);
    const tagged = async () => (await server.app.memories.list({ allNamespaces: true, tags: ['counted'] })).total;
    expect(await tagged()).toBe(1000);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Change undone for 1,000 memories').waitFor(PATIENCE);
    expect(await tagged()).toBe(0);
  });

  it('shows days also if the browser hides its time zone', async () => {
    opened = await pages.open(server);
    const { page } = opened;
    await page.addInitScript(() => {
      const options = new Intl.DateTimeFormat().resolvedOptions();
      Intl.DateTimeFormat.prototype.resolvedOptions = () => ({ ...options, timeZone: 'Etc/Unknown' });
    });
    await page.reload();
    await rowOf(page, 'Memory 0 of').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it.each([
    ['light', 1440, ''],
    ['light', 1024, ''],
    ['dark', 390, ''],
    ['dark', 360, ''],
    ['dark', 1440, 'timeline'],
    ['dark', 1024, 'timeline'],
    ['light', 360, 'timeline'],
  ] as const)('is accessible in the %s theme, %i pixels wide, as %s', async (colorScheme, width, as) => {
    opened = await pages.open(server, { path: `/?as=${as}`, colorScheme, viewport: { width, height: 800 } });
    const { page } = opened;
    await rowOf(page, 'Memory 0 of').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await page.getByRole('toolbar').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(opened.complaints).toEqual([]);
  });
});

describe('with a key', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await pages.server({
      keys: [
        { name: 'bound', access: 'full', namespace: 'harbour' },
        { name: 'reader', access: 'read' },
      ],
    });
    for (const namespace of ['harbour', 'village']) await server.app.memories.save({ content: `Kept in the ${namespace}`, namespace });
  });
  afterAll(() => server.close());
  const unlock = async (page: Page, name: string): Promise<void> => {
    await page.getByLabel('API key', { exact: true }).fill(server.keys.get(name)!);
    await page.keyboard.press('Enter');
  };

  it('of one namespace, only that namespace is listed', async () => {
    opened = await pages.open(server, { path: '/' });
    const { page } = opened;
    await unlock(page, 'bound');
    await rowOf(page, 'Kept in the harbour').waitFor();
    expect(await page.locator('.line').count()).toBe(1);
    await page.getByText('1 memory', { exact: true }).waitFor();
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() >= 400) refused.push(answer.url());
    });
    await page.getByLabel('Sort').selectOption({ label: 'Oldest first' });
    const { entry } = await server.app.memories.save({ content: 'Moored in the harbour', namespace: 'harbour' });
    await rowOf(page, 'Moored in the harbour').waitFor();
    expect(refused).toEqual([]);
    await page.getByRole('region', { name: 'Memories' }).focus();
    await page.keyboard.press('Control+a');
    await page.getByText('2 selected').waitFor();
    await server.app.memories.forget(entry.id);
  });
});

describe('a list that changes while it is read', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await pages.server();
  });
  afterEach(() => server.close());

  it('keeps its position, and shows the number of new memories', async () => {
    await plant(server, memories(300, 10));
    opened = await pages.open(server, { path: '/' });
    const { page } = opened;
    await rowOf(page, 'Memory 0 of').waitFor();
    await scrollTo(page, 0.4);
    await expect.poll(() => page.locator('.line--empty').count(), PATIENCE).toBe(0);
    const first = (await rows(page).nth(8).locator('.line-text').textContent())!;
    const topOf = (text: string) => rowOf(page, text).evaluate((row) => Math.round(row.getBoundingClientRect().top));
    let before = Number.NaN;
    // Rows that were only guessed at move the others a little when they are drawn.
    await expect.poll(async () => before === (before = await topOf(first)), { ...PATIENCE, interval: 300 }).toBe(true);
    for (const nth of [1, 2]) await server.save(`Something new ${nth}`);
    const pill = page.getByRole('button', { name: '2 new memories' });
    await pill.waitFor();
    await expect.poll(() => topOf(first), PATIENCE).toBe(before);
    await pill.click();
    await rowOf(page, 'Something new 2').waitFor();
    await expect.poll(() => pill.count(), PATIENCE).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  it('shows the first memory, also one from another client, and says when filters exclude everything', async () => {
    opened = await pages.open(server, { path: '/' });
    const { page } = opened;
    await page.getByRole('heading', { name: /^Nothing remembered yet/ }).waitFor();
    await server.save('The first one', { namespace: 'harbour' });
    await rowOf(page, 'The first one').waitFor();
    await page.goto(`${server.url}/?ns=nowhere`);
    await page.getByRole('heading', { name: 'No memory matches these filters' }).waitFor();
    await expectAccessible(page);
    await page.locator('.state').getByRole('button', { name: 'Clear filters' }).click();
    await rowOf(page, 'The first one').waitFor();
  });

  it('keeps its content if the server stops, and reports it', async () => {
    await plant(server, memories(30, 10));
    opened = await pages.open(server, { path: '/' });
    const { page } = opened;
    await rowOf(page, 'Memory 0 of').waitFor();
    await server.closeServer();
    await page.getByLabel('Sort').selectOption({ label: 'Oldest first' });
    await page.getByRole('alert').filter({ hasText: 'not responding' }).waitFor();
    await expectAccessible(page);
    expect(await rowOf(page, 'Memory 0 of').count()).toBe(1);
  });
});
