import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { surroundings } from './administration.ts';
import { delay, openPages, PATIENCE, type Pages } from './lore-page.ts';

let pages: Pages;
let server: TestServer;
let empty: TestServer;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server();
  empty = await pages.server({ administration: surroundings() });
  await server.save(`${'Gulls circle over the harbour all day. '.repeat(60)}The lighthouse stands at the end of the quay.`, {
    tags: ['harbour'],
  });
  await server.save('The lighthouse keeper retires in May', { namespace: 'coast', priority: 'high', tags: ['people', 'lighthouse'] });
  await server.save('Bread is baked before dawn', { namespace: 'bakery', priority: 'low' });
});
afterAll(async () => {
  await server.close();
  await empty.close();
  await pages.close();
});

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search memories' });
const away = (page: Page) => page.route('**/api/**', (route) => route.abort('connectionrefused'));
/** What a search asks. */
const ASKED = '**/api/search?*';
const refused = (page: Page) =>
  page.route(ASKED, (route) =>
    route.fulfill({ status: 503, json: { success: false, error: 'The store is closing.', code: 'UNAVAILABLE' } }),
  );

/** Every state that the view can be in, and what tells that it is. */
const STATES: readonly (readonly [name: string, path: string, reach: (page: Page) => Promise<void>])[] = [
  ['with results', '/?q=lighthouse', async (page) => page.locator('.hit mark').first().waitFor()],
  ['with explained results', '/?q=lighthouse&explain=1', async (page) => page.locator('.hit-why').first().waitFor()],
  [
    'with the score of a result open',
    '/?q=lighthouse',
    async (page) => {
      await page.locator('.hit .score').first().focus();
      await page.keyboard.press('Shift');
      await page.locator('.hit .pop').first().waitFor();
    },
  ],
  ['without a result', '/?q=volcano&mode=keyword&ns=bakery', async (page) => page.getByText('Without the filters').waitFor()],
  [
    'while it takes long',
    '/',
    async (page) => {
      await delay(page, ASKED);
      await page.goto(`${server.url}/?q=lighthouse`);
      await page.locator('.skel').waitFor();
    },
  ],
  [
    'after a failure',
    '/',
    async (page) => {
      await refused(page);
      await page.goto(`${server.url}/?q=lighthouse`);
      await page.getByText('The store is closing.').waitFor();
    },
  ],
  [
    'with results of before, while the server is away',
    '/?q=lighthouse',
    async (page) => {
      await page.locator('.hit').first().waitFor();
      await away(page);
      await field(page).fill('bread');
      await page.getByRole('alert').getByText('The server is not responding').waitFor();
    },
  ],
];

describe.each([1440, 360])('the search, %i pixels wide,', (width) => {
  it.each(STATES)('is accessible in both themes and needs no scrolling sideways %s', async (_name, path, reach) => {
    await using opened = await pages.open(server, { path, viewport: { width, height: 780 } });
    const { page } = opened;
    await reach(page);
    await expectAccessibleInBothThemes(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  });

  it('is accessible in both themes in an empty store', async () => {
    await using opened = await pages.open(empty, { viewport: { width, height: 780 } });
    await opened.page.getByRole('heading', { name: /Nothing remembered yet/ }).waitFor();
    await expectAccessibleInBothThemes(opened.page);
    expect(opened.complaints).toEqual([]);
  });
});

describe('a failed search', () => {
  it('shows the error of the server, keeps the input, and can be retried', async () => {
    await using opened = await pages.open(server);
    const { page } = opened;
    await refused(page);
    await page.goto(`${server.url}/?q=lighthouse`);
    await page.getByText('The store is closing.').waitFor();
    expect(await field(page).inputValue()).toBe('lighthouse');
    const answer = await delay(page, ASKED);
    await page.getByRole('button', { name: 'Try again' }).click();
    answer();
    await page.locator('.hit').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('is reported also if the response breaks off', async () => {
    await using opened = await pages.open(server, { path: '/?q=lighthouse' });
    const { page } = opened;
    await page.locator('.hit').first().waitFor();
    await page.evaluate(() => {
      const real = fetch;
      globalThis.fetch = async (...of) => {
        const answer = await real(...of);
        const cut = new ReadableStream({ start: (body) => body.error(new TypeError('cut')) });
        return new Response(cut, { status: answer.status });
      };
    });
    await field(page).fill('nothing of the kind');
    await page.getByRole('alert').getByText('The server is not responding').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('shows a placeholder only if the response is slow', async () => {
    await using opened = await pages.open(server, { path: '/?q=lighthouse' });
    const { page } = opened;
    await page.locator('.hit').first().waitFor();
    expect(await page.locator('.skel').count()).toBe(0);
    const answer = await delay(page, ASKED);
    await page.goto(`${server.url}/?q=lighthouse`);
    await page.locator('.skel').waitFor();
    answer();
    await page.locator('.hit').first().waitFor(PATIENCE);
    expect(await page.locator('.skel').count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });
});

describe('with a key of one namespace, the search', () => {
  let bound: TestServer;
  beforeAll(async () => {
    bound = await pages.server({ keys: [{ name: 'coast', access: 'full', namespace: 'coast' }] });
    await bound.app.memories.save({ content: 'The lighthouse stands on the rock', namespace: 'coast', tags: ['rock'] });
    await bound.app.memories.save({ content: 'The lighthouse bread is sweet', namespace: 'bakery' });
  });
  afterAll(() => bound.close());

  it('finds entries of that namespace, and knows the total without filters', async () => {
    await using opened = await pages.open(bound);
    const { page } = opened;
    await page.getByLabel('API key', { exact: true }).fill(bound.keys.get('coast')!);
    await page.keyboard.press('Enter');
    await page.locator('.line').getByText('The lighthouse stands on the rock').waitFor();
    expect(await page.locator('.line').count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.goto(`${bound.url}/?q=lighthouse&tag=nowhere`);
    await page.getByText('Without the filters there is 1 memory.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await page.locator('.hit').getByText('The lighthouse stands on the rock').waitFor();
    await page.locator('.hit mark').first().waitFor();
    expect(await page.locator('.hit').count()).toBe(1);
  });
});
