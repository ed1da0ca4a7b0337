import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { colourAt, colourOf, importLarge, middleOf, saveRelated, type Name } from './graph-memories.ts';
import { delay, openPages, PATIENCE, type OpenOptions, type OpenPage, type Pages } from './lore-page.ts';

const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true } as const;
const GONE = '01920000-0000-7000-8000-000000000000';

let pages: Pages;
let server: TestServer;
let empty: TestServer;
let ids: Record<Name, string>;
let opened: OpenPage | undefined;
let tolerant = false;

beforeAll(async () => {
  pages = await openPages();
  [server, empty] = await Promise.all([pages.server(), pages.server()]);
  ids = await saveRelated(server);
});
afterEach(async () => {
  const complaints = tolerant ? [] : opened?.complaints;
  await opened?.[Symbol.asyncDispose]();
  opened = undefined;
  tolerant = false;
  if (complaints !== undefined && complaints.length > 0) throw new Error(`The browser complained: ${complaints.join('\n')}`);
});
afterAll(async () => {
  await server.close();
  await empty.close();
  await pages.close();
});

const shown = (page: Page) => page.locator('.g-count > span').first();
const rows = (page: Page) => page.getByRole('table', { name: 'Relations' }).locator('tbody tr');
const column = (page: Page, name: string) => page.locator(`tbody .g-col-${name}`).allTextContents();
const laidOut = (page: Page) => page.locator('canvas[aria-busy=false]').waitFor(PATIENCE);

async function open(path: string, options: OpenOptions = {}, where = server): Promise<Page> {
  opened = await pages.open(where, { ...options, path });
  return opened.page;
}

/** The browser complains of every request that fails, also where a test made it fail. */
function ignoreComplaints(): void {
  tolerant = true;
}

describe('the graph as a list', () => {
  it('is a sortable table of the same relations with links', async () => {
    const page = await open('/?view=graph');
    await page.getByRole('link', { name: 'List', exact: true }).click();
    await expect.poll(() => rows(page).count(), PATIENCE).toBe(5);
    expect(new URL(page.url()).searchParams.get('as')).toBe('list');
    expect((await column(page, 'strength')).map(Number)).toEqual([1, 0.9, 0.8, 0.7, 0.4]);
    await page.getByRole('button', { name: 'Strength' }).click();
    await expect.poll(async () => (await column(page, 'strength')).map(Number)).toEqual([0.4, 0.7, 0.8, 0.9, 1]);
    await page.getByRole('button', { name: 'Relation', exact: true }).click();
    await expect.poll(() => column(page, 'type')).toEqual(['Contradicts', 'Elaborates', 'References', 'Similar to', 'Supersedes']);
    await expect.poll(() => page.getByRole('columnheader', { name: 'Relation' }).getAttribute('aria-sort')).toBe('ascending');
    await rows(page).first().getByRole('link', { name: 'Partner queue melted in March' }).click();
    await page.getByRole('dialog').waitFor();
    expect(new URL(page.url()).searchParams.get('id')).toBe(ids.queue);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await rows(page).count()).toBe(5);
  });

  it('has the filters of the picture', async () => {
    const page = await open('/?view=graph&as=list');
    await page.getByRole('searchbox', { name: 'Find in graph' }).fill('toast');
    await expect.poll(() => rows(page).count(), PATIENCE).toBe(2);
    await page.getByRole('checkbox', { name: /Similar/ }).uncheck();
    await expect.poll(() => column(page, 'source'), PATIENCE).toEqual(['Parsnip soup recipedock']);
    await page.getByRole('searchbox', { name: 'Find in graph' }).fill('zebra');
    await page.getByText('No match in the graph.').waitFor();
  });
});

describe('the states of the graph', () => {
  it('explain what creates relations if there are none', async () => {
    const page = await open('/?view=graph', {}, empty);
    await page.getByRole('heading', { name: 'No relations yet' }).waitFor();
    await page.getByText('Shortly after a memory is saved, Lore looks for others').waitFor();
    await page.getByRole('button', { name: 'Save a memory' }).click();
    await expect.poll(() => page.getByRole('heading', { level: 1, name: 'Save a memory' }).count(), PATIENCE).toBe(1);
  });

  it('say that the selected memory has no relations, or is gone', async () => {
    const page = await open(`/?view=graph&seed=${ids.hydrant}`);
    await page.getByRole('heading', { name: 'This memory has no relations yet' }).waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Show the whole graph' }).last().click();
    await laidOut(page);
    ignoreComplaints();
    await page.goto(`${server.url}/?view=graph&seed=${GONE}`);
    await expect.poll(() => page.getByRole('heading', { name: 'Memory not found' }).count(), PATIENCE).toBe(1);
  });

  it('do not show the error of another graph', async () => {
    const page = await open(`/?view=graph&seed=${GONE}`);
    ignoreComplaints();
    const gone = page.getByRole('heading', { name: 'Memory not found' });
    await gone.waitFor();
    const answer = await delay(page, '**/api/graph?*');
    await page.getByRole('main').getByRole('button', { name: 'Show the whole graph' }).last().click();
    await expect.poll(() => gone.count(), PATIENCE).toBe(0);
    answer();
    await laidOut(page);
  });

  it('report a failed layout', async () => {
    const page = await open('/');
    ignoreComplaints();
    await page.route('**/layout-worker*', (route) => route.abort());
    await page.goto(`${server.url}/?view=graph`);
    const alert = page.getByRole('alert').getByText('This browser could not draw the graph');
    await expect.poll(() => alert.count(), PATIENCE).toBe(1);
  });

  it('report an unreachable server, and recover automatically', async () => {
    const page = await open('/?view=graph&ns=dock');
    await laidOut(page);
    await page.route('**/api/**', (route) => route.abort());
    // What is there stays as long as nothing else is wanted.
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await page.locator('canvas').count()).toBe(1);
    await page.getByRole('combobox', { name: 'Namespace' }).selectOption('harbor/api');
    await page.getByRole('heading', { name: 'The server is not responding' }).waitFor();
    const answer = await delay(page, '**/api/graph?*');
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    answer();
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('3 memories, 2 relations');
    ignoreComplaints();
  });

  it('follow changes and keep the viewport', async () => {
    const page = await open('/?view=graph&ns=harbor/api');
    await laidOut(page);
    await page.getByRole('searchbox', { name: 'Find in graph' }).fill('partner');
    await page.keyboard.press('Enter');
    const late = await server.save('Lighthouse keeper rota', { namespace: 'harbor/api' });
    await server.call('POST', '/api/relations', { body: { sourceId: late, targetId: ids.drop, type: 'elaborates' } });
    const other = await server.save('Tin opener in drawer nine', { namespace: 'harbor/api' });
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('4 of 5 memories, 3 relations');
    expect(await page.locator('.g-card').getByText('Partner queue melted in March').count()).toBe(1);
    for (const id of [late, other]) await server.call('DELETE', `/api/${id}`);
    await expect.poll(() => shown(page).textContent(), PATIENCE).toBe('3 memories, 2 relations');
  });

  it('change colours with the theme', async () => {
    const page = await open('/?view=graph');
    await laidOut(page);
    await page.getByRole('searchbox', { name: 'Find in graph' }).fill('webhook');
    await page.keyboard.press('Enter');
    await page.locator('.g-card').waitFor();
    const at = await middleOf(page);
    const light = await colourOf(page, '--accent');
    await expect.poll(() => colourAt(page, at), PATIENCE).toBe(light);
    await page.getByRole('radio', { name: 'Dark' }).first().check();
    await expect.poll(() => colourOf(page, '--accent')).not.toBe(light);
    await expect.poll(async () => colourAt(page, at), PATIENCE).toBe(await colourOf(page, '--accent'));
  });
});

describe('the graph on a phone', () => {
  it('has a sheet for the selection and one for the filters, and no sidebar', async () => {
    const page = await open('/?view=graph', PHONE);
    await laidOut(page);
    await page.getByRole('searchbox', { name: 'Find in graph' }).fill('webhook');
    await page.keyboard.press('Enter');
    await page.locator('.g-card').waitFor();
    const at = await middleOf(page);
    await expect.poll(async () => colourAt(page, at), PATIENCE).toBe(await colourOf(page, '--accent'));
    await page.getByRole('button', { name: 'Clear the selection' }).tap();
    await page.touchscreen.tap(...at);
    await page.locator('.g-card').getByText('Webhook deliveries are tried eight times').waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).tap();
    await page.getByRole('checkbox', { name: /References/ }).uncheck();
    await expect.poll(() => page.locator('canvas').getAttribute('aria-label'), PATIENCE).toContain('4 relations');
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await page.getByRole('button', { name: 'Filter', exact: true }).tap();
    await page.getByRole('link', { name: 'List', exact: true }).tap();
    await expect.poll(() => column(page, 'type'), PATIENCE).toEqual(['Supersedes']);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });
});

describe('two thousand memories and five thousand relations', () => {
  it('load on request, come to rest, and then use no CPU', async () => {
    await using large = await pages.server();
    await importLarge(large, { nodes: 2000, relations: 5000 });
    const page = await open('/', {}, large);
    await page.addInitScript(
      'const ask = requestAnimationFrame; globalThis.frames_asked = 0; globalThis.requestAnimationFrame = (call) => { globalThis.frames_asked += 1; return ask(call); };',
    );
    await page.goto(`${large.url}/?view=graph`);
    await expect.poll(() => shown(page).textContent(), PATIENCE).toMatch(/^500 of 2,000 memories/);
    await page.getByRole('button', { name: 'Show up to 2,000' }).click();
    await expect.poll(() => shown(page).textContent(), { timeout: 60_000 }).toMatch(/^2,000 memories, 5,\d{3} relations$/);
    await page.locator('canvas[aria-busy=false]').waitFor({ timeout: 120_000 });
    const asked = (): Promise<number> => page.evaluate<number>('frames_asked');
    const quiet = async (): Promise<number> => {
      const before = await asked();
      await page.waitForTimeout(400);
      return (await asked()) - before;
    };
    await expect.poll(quiet, { timeout: 30_000 }).toBe(0);
    await page.mouse.move(800, 500);
    await page.mouse.wheel(0, -300);
    await page.getByRole('searchbox', { name: 'Find in graph' }).fill('case 1234');
    await page.keyboard.press('Enter');
    await page.locator('.g-card').getByText('Case 1234').waitFor();
    // Before the server goes, of which the page would complain.
    expect(opened?.complaints).toEqual([]);
    await opened?.[Symbol.asyncDispose]();
    opened = undefined;
  }, 240_000);
});

describe('the graph is accessible', () => {
  const cases = [{ viewport: { width: 1440, height: 900 } }, PHONE].map((size) => [size.viewport.width, size] as const);

  it.each(cases)('as a picture and as a list, in both themes, %d pixels wide', async (_width, options) => {
    const page = await open(`/?view=graph&seed=${ids.retries}&hide=similar`, options);
    await page.locator('.g-card').getByText('Webhook').waitFor();
    await page.locator('.g-card summary').first().click();
    await expectAccessibleInBothThemes(page);
    await page.getByRole('link', { name: 'List', exact: true }).click();
    await rows(page).first().waitFor();
    if (options.viewport.width < 500) await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await expectAccessibleInBothThemes(page);
  });

  it.each(cases)('if it is empty, in both themes, %d pixels wide', async (_width, options) => {
    const page = await open('/?view=graph', options, empty);
    await page.getByRole('heading', { name: 'No relations yet' }).waitFor();
    await expectAccessibleInBothThemes(page);
    await page.goto(`${server.url}/?view=graph&strength=1&hide=supersedes`);
    await page.getByRole('heading', { name: 'No relation matches the filters' }).waitFor();
    await expectAccessibleInBothThemes(page);
  });
});
