import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { colourAt, colourOf, fingerprint, middleOf, pixelsOf, saveRelated, type Name } from './graph-memories.ts';
import { openPages, PATIENCE, type OpenOptions, type OpenPage, type Pages } from './lore-page.ts';

let pages: Pages;
let server: TestServer;
let ids: Record<Name, string>;
let opened: OpenPage | undefined;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server();
  ids = await saveRelated(server);
});
afterEach(async () => {
  const complaints = opened?.complaints;
  await opened?.[Symbol.asyncDispose]();
  opened = undefined;
  if (complaints !== undefined && complaints.length > 0) throw new Error(`The browser complained: ${complaints.join('\n')}`);
});
afterAll(async () => {
  await server.close();
  await pages.close();
});

const canvas = (page: Page) => page.getByRole('application');
const field = (page: Page) => page.getByRole('searchbox', { name: 'Find in graph' });
const card = (page: Page) => page.getByRole('article', { name: 'Selected memory' });
const said = (page: Page) => page.locator('.g-frame > [role=status].sr');
const shown = (page: Page) => page.locator('.g-count > span').first();
const fieldOf = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

async function open(path = '/?view=graph', options: OpenOptions = {}): Promise<Page> {
  opened = await pages.open(server, { ...options, path });
  await opened.page.locator('canvas[aria-busy=false]').waitFor(PATIENCE);
  return opened.page;
}

/** Finds a memory and goes to it. */
async function find(page: Page, words: string): Promise<void> {
  await field(page).fill(words);
  await field(page).press('Enter');
  await card(page).waitFor();
  await expect.poll(async () => colourAt(page, await middleOf(page)), PATIENCE).toBe(await colourOf(page, '--accent'));
}

describe('the graph', () => {
  it('draws memories with relations, and shows their share of all', async () => {
    const page = await open();
    expect(await canvas(page).getAttribute('aria-label')).toBe('6 memories and 5 relations. The list view shows the same as a table.');
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('6 of 7 memories, 5 relations');
    await expect.poll(() => pixelsOf(page, '--prio-high'), PATIENCE).toBeGreaterThan(20);
    expect(await page.title()).toBe('Graph · Lore');
  });

  it('draws the relations of the selection in the colours of their types', async () => {
    const page = await open();
    await find(page, 'webhook');
    expect(await pixelsOf(page, '--rel-supersedes')).toBeGreaterThan(20);
    expect(await pixelsOf(page, '--rel-references')).toBeGreaterThan(20);
    expect(await pixelsOf(page, '--rel-elaborates')).toBe(0);
  });

  it('is deterministic', async () => {
    const page = await open();
    const first = await fingerprint(page);
    await page.reload();
    await page.locator('canvas[aria-busy=false]').waitFor(PATIENCE);
    await expect.poll(() => fingerprint(page), PATIENCE).toBe(first);
  });

  it('finds memories by words and tags, with a next button', async () => {
    const page = await open();
    await field(page).fill('UMBRELLA');
    await page.getByText('1 found').waitFor();
    expect(fieldOf(page, 'q')).toBe('UMBRELLA');
    expect(await pixelsOf(page, '--mark')).toBeGreaterThan(20);
    await field(page).fill('o');
    await page.getByText(/^\d found$/).waitFor();
    await field(page).press('Enter');
    await page.getByText(/^1 of \d$/).waitFor();
    const first = await card(page).locator('.g-text').textContent();
    await field(page).press('Enter');
    await page.getByText(/^2 of \d$/).waitFor();
    expect(await card(page).locator('.g-text').textContent()).not.toBe(first);
    await field(page).fill('zebra');
    await page.getByText('0 found').waitFor();
  });

  it('shows the selected memory: text, relations by type, and actions', async () => {
    const page = await open();
    await find(page, 'partner');
    await card(page).getByText('Partner queue melted in March').waitFor();
    expect(await card(page).locator('summary').allTextContents()).toEqual(['Referenced by1', 'Contradicts1']);
    expect(await said(page).textContent()).toBe(
      'Partner queue melted in March. harbor/api, 2 relations shown, Referenced by 1, Contradicts 1.',
    );
    await card(page).getByText('Contradicts').click();
    await card(page).getByRole('button', { name: 'Umbrella stand beside my office door' }).click();
    await expect.poll(() => card(page).locator('.g-text').textContent(), PATIENCE).toBe('Umbrella stand beside my office door');
    await card(page).getByRole('button', { name: 'Clear the selection' }).click();
    await expect.poll(() => card(page).count()).toBe(0);
    await expect.poll(() => canvas(page).evaluate('document.activeElement.tagName')).toBe('CANVAS');
  });

  it('is navigated by arrow keys, opens with Enter and deselects with Escape', async () => {
    const page = await open();
    await canvas(page).focus();
    await page.keyboard.press('ArrowRight');
    await card(page).waitFor();
    const visited = new Set<string | null>([await said(page).textContent()]);
    for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowLeft', 'ArrowDown']) {
      await page.keyboard.press(key);
      visited.add(await said(page).textContent());
    }
    expect(visited.size).toBeGreaterThan(2);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(fieldOf(page, 'id')).toMatch(/^[0-9a-f-]{36}$/);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(fieldOf(page, 'view')).toBe('graph');
    await canvas(page).focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => card(page).count(), PATIENCE).toBe(0);
    expect(await said(page).textContent()).toBe('');
  });
});

describe('the pointer', () => {
  it('selects on click, deselects on the background, and opens on double click', async () => {
    const page = await open();
    await find(page, 'webhook');
    const [x, y] = await middleOf(page);
    await field(page).fill('');
    await page.mouse.click(x + 90, y + 250);
    await expect.poll(() => card(page).count(), PATIENCE).toBe(0);
    await page.mouse.click(x, y);
    await card(page).getByText('Webhook deliveries are tried eight times').waitFor();
    await page.mouse.dblclick(x, y);
    await page.getByRole('dialog').waitFor();
    expect(fieldOf(page, 'id')).toBe(ids.retries);
  });

  it('drags a memory, which stays there until it is unpinned', async () => {
    const page = await open();
    await find(page, 'webhook');
    const [x, y] = await middleOf(page);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 30, y + 40, { steps: 4 });
    await page.mouse.move(x + 60, y + 120, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(x - 200, y + 300);
    await card(page).getByRole('button', { name: 'Unpin' }).waitFor();
    // The pin is in the middle, the colour of the selection around it.
    await expect.poll(() => colourAt(page, [x + 64, y + 120]), PATIENCE).toBe(await colourOf(page, '--accent'));
    await card(page).getByRole('button', { name: 'Unpin' }).click();
    await expect.poll(() => card(page).getByRole('button', { name: 'Unpin' }).count(), PATIENCE).toBe(0);
  });

  it('pans by the background and zooms with wheel, buttons and keys', async () => {
    const page = await open();
    const zoom = page.getByRole('group', { name: 'Zoom' });
    const percent = async (): Promise<number> => Number.parseInt((await zoom.textContent()) ?? '', 10);
    await find(page, 'webhook');
    const [x, y] = await middleOf(page);
    const accent = await colourOf(page, '--accent');
    await page.mouse.move(x + 90, y + 250);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 200, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => colourAt(page, [x - 50, y - 50]), PATIENCE).toBe(accent);
    const before = await percent();
    await page.mouse.wheel(0, -200);
    await expect.poll(percent, PATIENCE).toBeGreaterThan(before);
    await zoom.getByRole('button', { name: 'Fit to window' }).click();
    const fitted = await percent();
    await zoom.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(percent, PATIENCE).toBeGreaterThan(fitted);
    await page.keyboard.press('0');
    await expect.poll(percent, PATIENCE).toBe(fitted);
    await page.keyboard.press('-');
    await expect.poll(percent, PATIENCE).toBeLessThan(fitted);
    await page.keyboard.press('+');
    await expect.poll(percent, PATIENCE).toBe(fitted);
  });
});

describe('the filters of the graph', () => {
  it('exclude types and weak relations, and are in the address', async () => {
    const page = await open();
    expect(await page.locator('.g-types .num').allTextContents()).toEqual(['1', '1', '1', '1', '1']);
    await page.getByRole('checkbox', { name: /Contradicts/ }).uncheck();
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('6 of 7 memories, 4 relations');
    expect(fieldOf(page, 'hide')).toBe('contradicts');
    await page.getByRole('slider', { name: 'Strength at least' }).focus();
    for (let step = 0; step < 15; step += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('3 of 7 memories, 2 relations');
    expect(fieldOf(page, 'strength')).toBe('0.75');
    expect(await page.locator('.g-types .num').allTextContents()).toEqual(['0', '1', '1', '1', '0']);
    await page.reload();
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('3 of 7 memories, 2 relations');
    await page.getByRole('button', { name: 'Show all relations' }).click();
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('6 of 7 memories, 5 relations');
    expect(new URL(page.url()).search).toBe('?view=graph');
  });

  it('say when nothing is left, and can be reset', async () => {
    const page = await open('/?view=graph&hide=similar&hide=supersedes&hide=references&hide=contradicts&hide=elaborates');
    await page.getByRole('heading', { name: 'No relation matches the filters' }).waitFor();
    await page.locator('.g-notice').getByRole('button', { name: 'Show all relations' }).click();
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('6 of 7 memories, 5 relations');
  });

  it('select a namespace', async () => {
    const page = await open();
    await page.getByRole('combobox', { name: 'Namespace' }).selectOption('dock');
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('3 memories, 2 relations');
    expect(fieldOf(page, 'ns')).toBe('dock');
    await page.getByRole('combobox', { name: 'Namespace' }).selectOption('alone');
    await page.getByRole('heading', { name: 'No relations in alone yet' }).waitFor();
    await page.getByRole('button', { name: 'Show the whole graph' }).click();
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('6 of 7 memories, 5 relations');
  });

  it('show the neighbourhood of one memory, one to three steps, and back', async () => {
    const page = await open();
    await find(page, 'webhook');
    await card(page).getByRole('button', { name: 'Only its neighbours' }).click();
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('3 of 7 memories, 2 relations');
    expect([fieldOf(page, 'seed'), fieldOf(page, 'depth')]).toEqual([ids.retries, '1']);
    await page.getByText('Around “Webhook deliveries are tried…”').waitFor();
    await page.getByRole('radio', { name: '3' }).check();
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('5 of 7 memories, 4 relations');
    await page.goBack();
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('3 of 7 memories, 2 relations');
    await page.getByRole('button', { name: 'Show the whole graph' }).click();
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('6 of 7 memories, 5 relations');
  });
});
