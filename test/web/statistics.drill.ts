import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts';
import { delay, openPages, PATIENCE, type Pages } from './lore-page.ts';

const DAY = 86_400_000;
const STATS = '/?view=stats';

let pages: Pages;
let server: TestServer;

const line = (content: string, days: number, fields: object = {}): string =>
  JSON.stringify({ content, createdAt: new Date(Date.now() - days * DAY).toISOString(), ...fields });

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server();
  const lines = [
    line('The berth is booked', 200, { namespace: 'harbor', source: 'mcp', tags: ['decision'] }),
    ...Array.from({ length: 20 }, (_, at) => line(`Ship ${at} has left`, 60 + at, { namespace: 'harbor', source: 'mcp', tags: ['ship'] })),
    ...Array.from({ length: 4 }, (_, at) => line(`Crane ${at} is free`, 0, { namespace: 'dock', source: 'cli', priority: 'high' })),
    line('The sea is salty', 3, { namespace: 'global', source: 'api', priority: 'low' }),
  ];
  await server.call('POST', '/api/import', { body: lines.join('\n'), headers: { 'content-type': 'application/x-ndjson' } });
  for (const query of ['ship', 'crane', 'berth']) await server.call('POST', '/api/recall', { body: { query, namespace: 'harbor' } });
  await server.call('POST', '/api/search', { body: { query: 'sea' }, headers: { 'x-lore-source': 'web' } });
  await tell('We decided to moor at pier four because pier two is being rebuilt.');
  await tell('ok');
  await server.app.memories.capture.undo({ session: 'nobody', dryRun: true });
  await server.app.memories.lifecycle.compact({});
});
afterAll(async () => {
  await server.close();
  await pages.close();
});

async function tell(text: string): Promise<void> {
  await server.call('POST', '/api/capture', { body: { client: 'test', session: 's', event: 'prompt', namespace: 'harbor', text } });
}

const card = (page: Page, name: string): Locator =>
  page
    .getByRole('main')
    .locator('.card')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });
const said = async (part: Locator): Promise<string> => (await part.innerText()).replaceAll(/\s+/g, ' ');

async function sideways(page: Page): Promise<number> {
  return await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

describe('the statistics', () => {
  it('show four numbers: size, speed, activity and location', async () => {
    await using opened = await pages.open(server, { path: STATS });
    const { page } = opened;
    await card(page, 'Growth').waitFor();
    const tiles = await said(page.locator('.tiles'));
    expect(tiles).toMatch(/Memories 27 \+6 in 7 days, 1 global/);
    expect(tiles).toMatch(/Recall, median [\d.]+ ms p95 [\d.]+ m?s over the last hour/);
    expect(tiles).toMatch(/Recalled today 3 67 % with a result, 1 more opened on this page, since \d\d:\d\d/);
    expect(tiles).toMatch(/On disk [\d.]+ [KM]B no backup yet/);
    expect(opened.complaints).toEqual([]);
  });

  it('link from a namespace, tag, source and priority to its memories', async () => {
    await using opened = await pages.open(server, { path: STATS });
    const { page } = opened;
    const ways = {
      dock: '?ns=dock',
      ship: '?tag=ship',
      'Command line': '?source=cli',
      High: '?priority=high',
    };
    for (const [name, search] of Object.entries(ways)) {
      await page.goto(server.url + STATS);
      await page.getByRole('main').getByRole('link', { name, exact: true }).click();
      expect(new URL(page.url()).search).toBe(search);
    }
  });

  it('show growth over the chosen range, which is in the address', async () => {
    await using opened = await pages.open(server, { path: STATS });
    const { page } = opened;
    const growth = page.getByRole('slider', { name: 'Growth, step by step' });
    await growth.waitFor();
    expect(await page.getByRole('radio', { name: '12 months' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: '30 days' }).check();
    await page.getByText('Saved each day').first().waitFor();
    expect(new URL(page.url()).search).toBe('?view=stats&range=30d');
    await expect.poll(() => growth.getAttribute('aria-valuemax'), PATIENCE).toBe('30');
    const rows = card(page, 'Growth').getByRole('row');
    expect(await rows.count()).toBe(31);
    expect(await rows.last().innerText()).toMatch(/\t5\t27$/);
    await page.reload();
    await growth.waitFor();
    expect(await growth.getAttribute('aria-valuemax')).toBe('30');
  });

  it('follow arrow keys and pointer through a chart', async () => {
    await using opened = await pages.open(server, { path: `${STATS}&range=30d` });
    const { page } = opened;
    const growth = page.getByRole('slider', { name: 'Growth, step by step' });
    await growth.focus();
    expect(await growth.getAttribute('aria-valuetext')).toMatch(/^27 memories, .+, \+5$/);
    for (let day = 0; day < 3; day += 1) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => growth.getAttribute('aria-valuetext')).toMatch(/^22 memories, .+, \+1$/);
    await page.keyboard.press('Home');
    await expect.poll(() => growth.getAttribute('aria-valuetext')).toMatch(/^21 memories, .+, \+0$/);
    await expect.poll(() => card(page, 'Growth').locator('.plot-tip').innerText()).toMatch(/^21 memories\n/);
    await page.keyboard.press('Tab');
    await expect.poll(() => card(page, 'Growth').locator('.plot-tip').count(), PATIENCE).toBe(0);
    const box = (await growth.boundingBox())!;
    await page.mouse.move(box.x + box.width - 4, box.y + 40);
    await expect.poll(() => card(page, 'Growth').locator('.plot-tip').innerText(), PATIENCE).toMatch(/^27 memories\n.+, \+5$/);
  });

  it('draw charts in the available width', async () => {
    await using opened = await pages.open(server, { path: STATS });
    const { page } = opened;
    const width = async () => Number(await page.locator('.plot-field svg').first().getAttribute('width'));
    await expect.poll(width, PATIENCE).toBeGreaterThan(500);
    await page.setViewportSize({ width: 360, height: 780 });
    await expect.poll(width, PATIENCE).toBeLessThan(320);
    expect(await sideways(page)).toBe(0);
  });

  it('show percentiles per minute, also as a table', async () => {
    await using opened = await pages.open(server, { path: STATS });
    const { page } = opened;
    const latency = page.getByRole('slider', { name: 'Recall latency, minute by minute' });
    await latency.waitFor();
    expect(await latency.getAttribute('aria-valuetext')).toMatch(/^p50 [\d.]+ m?s, p95 [\d.]+ m?s, \d\d:\d\d, \d recalls?/);
    expect(await said(card(page, 'Recall latency'))).toMatch(/requests to the server in all: p50 [\d.]+ m?s, p95 [\d.]+ m?s\./);
    expect(await card(page, 'Recall latency').getByRole('row').count()).toBeGreaterThan(1);
  });

  it('show captured and refused texts by reason', async () => {
    await using opened = await pages.open(server, { path: STATS });
    const { page } = opened;
    await expect.poll(() => said(card(page, 'Capture')), PATIENCE).toMatch(/Kept 1 Refused 1 .*Refused: 1 too short\./);
    expect(await page.getByRole('slider', { name: 'Capture, day by day' }).getAttribute('aria-valuetext')).toMatch(/^1 kept, 1 refused, /);
  });

  it('show a finished maintenance run automatically, without moving the rest', async () => {
    await using opened = await pages.open(server, { path: STATS });
    const { page } = opened;
    await card(page, 'Maintenance').getByText('0 archived, 0 purged').waitFor();
    const growth = page.getByRole('slider', { name: 'Growth, step by step' });
    await growth.focus();
    await page.keyboard.press('Home');
    const before = await growth.boundingBox();
    await server.call('POST', '/api/backups', { body: {} });
    await card(page, 'Maintenance')
      .getByRole('row', { name: /^Backup Today, .+ 27 memories, .+ Done$/ })
      .waitFor(PATIENCE);
    expect(await growth.boundingBox()).toEqual(before);
    expect(await growth.getAttribute('aria-valuenow')).toBe('1');
    expect(await growth.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('show how much of the store is indexed', async () => {
    await using opened = await pages.open(server, { path: STATS });
    const { page } = opened;
    await expect.poll(() => said(card(page, 'Index')), PATIENCE).toMatch(/Up to date Model hashed-words, builtin Indexed \d+ of 27/);
  });

  it('repeat every warning of the server', async () => {
    await using opened = await pages.open(server, { path: STATS });
    const { page } = opened;
    const warning = 'The model could not be fetched. Searches use word vectors until it arrives.';
    await page.route('**/api/health?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), degraded: [warning] } });
    });
    await page.reload();
    const warnings = page.getByRole('list', { name: 'Warnings' });
    await warnings.waitFor();
    expect(await warnings.innerText()).toBe(warning);
  });

  it('do not show the figures of another namespace on an error', async () => {
    await using opened = await pages.open(server, { path: STATS });
    const { page } = opened;
    const broken = (url: URL): boolean =>
      url.pathname === '/api/stats/growth' && /range=all|namespace=dock/.test(url.search) && !url.search.includes('range=30d');
    await card(page, 'Growth').waitFor();
    await page.route(broken, (route) => route.fulfill({ status: 500, json: { success: false, error: 'It broke.', code: 'INTERNAL' } }));
    await page.getByRole('radio', { name: 'All' }).check();
    await page.getByRole('alert').getByText('It broke.').waitFor();
    expect(await card(page, 'Growth').count()).toBe(0);
    await page.getByRole('radio', { name: '12 months' }).check();
    await card(page, 'Growth').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.evaluate("history.pushState(null, '', '/?view=stats&ns=dock'); dispatchEvent(new PopStateEvent('popstate'))");
    await page.getByText('Memories in dock').waitFor();
    await page.getByRole('alert').getByText('It broke.').waitFor();
    expect(await said(page.getByRole('main'))).not.toMatch(/Memories 27/);
  });

  it('count the last seven days of the person, like growth', async () => {
    await using small = await pages.server();
    const start = Math.floor(Date.now() / DAY - 6) * DAY;
    // By the days of UTC it would be one of the two.
    const lines = [-1, 1].map((hours) =>
      JSON.stringify({ content: `Hour ${hours}`, createdAt: new Date(start + hours * 3_600_000).toISOString() }),
    );
    await small.call('POST', '/api/import', { body: lines.join('\n'), headers: { 'content-type': 'application/x-ndjson' } });
    const { points } = await small.app.memories.statistics.growth({ range: '30d', timeZone: 'Pacific/Pago_Pago' });
    const week = points.slice(-7).reduce((sum, { saved }) => sum + saved, 0);
    await using opened = await pages.open(small, { path: STATS, timezoneId: 'Pacific/Pago_Pago' });
    const { page } = opened;
    await card(page, 'Growth').waitFor();
    expect(await said(page.getByRole('main'))).toContain(`Memories 2 +${week} in 7 days`);
    expect(week).not.toBe(1);
  });

  it('can be retried after an error', async () => {
    await using opened = await pages.open(server);
    const { page } = opened;
    await page.route('**/api/stats/growth?*', (route) =>
      route.fulfill({ status: 500, json: { success: false, error: 'It broke.', code: 'INTERNAL' } }),
    );
    await page.goto(server.url + STATS);
    await page.getByRole('alert').getByText('It broke.').waitFor();
    const answer = await delay(page, '**/api/stats/growth?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    answer();
    await card(page, 'Growth').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('the statistics of one namespace', () => {
  it('are those of a bound key', async () => {
    await using keyed = await pages.server({
      keys: [
        { name: 'full', access: 'full' },
        { name: 'bound', access: 'read', namespace: 'mine' },
      ],
    });
    const { memories } = keyed.app;
    await memories.save({ content: 'mine', namespace: 'mine', tags: ['own'] });
    await memories.save({ content: 'theirs', namespace: 'theirs', tags: ['secret'] });
    await memories.backups.create();
    await using opened = await pages.open(keyed, { path: STATS });
    const { page } = opened;
    await page.getByLabel('API key', { exact: true }).fill(keyed.keys.get('bound')!);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await card(page, 'Growth').waitFor();
    const all = await said(page.getByRole('main'));
    expect(all).toMatch(/Memories 1 \+1 in 7 days/);
    expect(all).toMatch(/Tags 1 distinct/);
    expect(all).not.toMatch(/theirs|secret|On disk|Maintenance|to the server in all/);
    expect(await sideways(page)).toBe(0);
    await expectAccessible(page);
  });

  it('are opened by their address', async () => {
    await using opened = await pages.open(server, { path: `${STATS}&ns=dock` });
    const { page } = opened;
    await card(page, 'Growth').waitFor();
    const all = await said(page.getByRole('main'));
    expect(all).toMatch(/Memories in dock/);
    expect(all).toMatch(/Memories 4 /);
    await page.getByRole('link', { name: 'High', exact: true }).click();
    expect(new URL(page.url()).search).toBe('?ns=dock&priority=high');
  });
});

describe('the statistics of a small store', () => {
  it('render with no, one and two memories', async () => {
    await using small = await pages.server();
    for (const memories of [0, 1, 2]) {
      if (memories > 0) await small.save(`Number ${memories}`);
      await using opened = await pages.open(small, { path: STATS });
      const { page } = opened;
      await card(page, 'Growth').waitFor();
      const all = await said(page.getByRole('main'));
      expect(all).toMatch(new RegExp(`Memories ${memories} \\+${memories} in 7 days, 0 global`));
      expect(all).toMatch(/Recall, median – no recall in the last hour/);
      expect(all).toMatch(memories === 0 ? /No memories yet\..*No namespaces yet\./ : /By namespace test \d/);
      expect(all).not.toMatch(/NaN|undefined|Infinity/);
      await expectAccessible(page);
      expect(opened.complaints).toEqual([]);
    }
  });
});

it.each([360, 1440])('the statistics are accessible in both themes at %i pixels and scroll vertically only', async (width) => {
  await using opened = await pages.open(server, { path: STATS, viewport: { width, height: 800 } });
  const { page } = opened;
  await card(page, 'Growth').waitFor();
  await page.getByRole('slider', { name: 'Recall latency, minute by minute' }).focus();
  await expectAccessibleInBothThemes(page);
  expect(await sideways(page)).toBe(0);
  expect(opened.complaints).toEqual([]);
});
