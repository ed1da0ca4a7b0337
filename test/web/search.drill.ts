import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { surroundings } from './administration.ts';
import { delay, PATIENCE, type OpenOptions } from './lore-page.ts';
import { stage } from './stage.ts';

const lore = stage({
  fill: async (server) => {
    await server.save('The release train leaves on Tuesday', { tags: ['release'], namespace: 'harbor' });
    await server.save('Retried webhooks carry an idempotency key', { tags: ['webhooks', 'decision'], namespace: 'harbor' });
    await server.save('Webhook deliveries are retried eight times', { tags: ['webhooks'], namespace: 'dock', priority: 'high' });
    await server.save('The cat sleeps on the warm radiator', { tags: ['home'], namespace: 'dock' });
  },
});

const open = (path = '/', options: OpenOptions = {}): Promise<Page> => lore.open({ ...options, path });

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search memories' });
const hits = (page: Page) => page.locator('.hit');
const texts = (page: Page) => page.locator('.hit-text').allTextContents();
/** Rows of the list of everything. */
const rows = (page: Page) => page.locator('.line-text');

describe('the search view', () => {
  it('searches while typing, marks word forms and keeps the query in the address', async () => {
    const page = await open();
    await field(page).pressSequentially('webhook retry');
    await page.locator('.hit-text mark').first().waitFor();
    expect((await texts(page)).slice(0, 2).toSorted()).toEqual([
      'Retried webhooks carry an idempotency key',
      'Webhook deliveries are retried eight times',
    ]);
    await expect
      .poll(async () => (await page.locator('.hit-text mark').allTextContents()).toSorted(), PATIENCE)
      .toEqual(['Retried', 'Webhook', 'retried', 'webhooks']);
    expect(new URL(page.url()).searchParams.get('q')).toBe('webhook retry');
    expect(await page.title()).toBe('webhook retry · Lore');
  });

  it('uses the chosen mode', async () => {
    const page = await open('/?q=webhooks');
    await hits(page).first().waitFor();
    const asked = page.waitForRequest((request) => request.url().includes('/api/search'));
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByRole('radio', { name: 'Keyword' }).check();
    expect(JSON.parse((await asked).postData() ?? '')).toMatchObject({ query: 'webhooks', searchMode: 'keyword' });
    expect(new URL(page.url()).searchParams.get('mode')).toBe('keyword');
    await page.getByText('2 memories in').waitFor();
  });

  it.each([
    ['keyword', 'k', /Words0\.\d\d(?:Othersigns0\.\d\d)?Keywordsearch:meaningisnotcounted/],
    ['vector', 'v', /Meaning0\.\d\dVectorsearch:wordsarenotcounted/],
  ])('shows the only score part in a %s search', async (mode, tone, said) => {
    const page = await open(`/?q=webhooks&mode=${mode}`);
    const score = hits(page).first().getByRole('button', { name: 'Score' });
    expect(Number(await score.locator('b').textContent())).toBeGreaterThan(0.3);
    expect(await score.locator('svg rect:not(.t)').first().getAttribute('class')).toBe(tone);
    const why = page.getByRole('region', { name: 'Why this result' });
    expect((await why.textContent())?.replaceAll(/\s/g, '')).toMatch(said);
  });

  it('drops an outdated response', async () => {
    const page = await open();
    await rows(page).first().waitFor();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/search?*', async (route) => {
      if (route.request().postData()?.includes('"cat"') === true) await held;
      await route.continue().catch(() => undefined);
    });
    await field(page).fill('cat');
    await page.waitForRequest((request) => request.postData()?.includes('"cat"') ?? false);
    const failed = page.waitForEvent('requestfailed');
    await field(page).fill('release train');
    expect((await failed).postData()).toContain('"cat"');
    await page.locator('mark', { hasText: 'release' }).first().waitFor();
    answer();
    expect((await texts(page))[0]).toBe('The release train leaves on Tuesday');
    expect(lore.opened.complaints).toEqual([]);
  });

  it('explains filters without results, and the number without them', async () => {
    const page = await open('/?q=webhooks&mode=keyword&ns=dock&tag=home');
    await page.getByRole('heading', { name: 'No results for “webhooks”' }).waitFor();
    await page.getByText('Filtered by namespace dock, tag home. Without the filters there are 2 memories.').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
    await expect.poll(() => hits(page).count(), PATIENCE).toBe(2);
    await field(page).fill('volcano');
    await page.getByRole('heading', { name: 'No results for “volcano”' }).waitFor();
    await page.getByText('No memory contains these words.').waitFor();
    await page.getByRole('button', { name: 'Search hybrid' }).click();
    expect(new URL(page.url()).searchParams.get('mode')).toBe(null);
  });

  it('collapses irrelevant nearest results, and offers to save the query', async () => {
    const page = await open('/?q=volcano eruptions in Iceland');
    await page.getByRole('heading', { name: 'No match for “volcano eruptions in Iceland”' }).waitFor();
    expect(await hits(page).count()).toBe(0);
    expect(await page.getByRole('article', { name: 'Selected memory' }).count()).toBe(0);
    await page.getByRole('button', { name: /^Show the nearest/ }).click();
    await page.getByRole('status').filter({ hasText: 'none fits well' }).waitFor();
    expect(await hits(page).count()).toBeGreaterThan(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.hit') !== null), PATIENCE).toBe(true);
    await field(page).fill('webhooks');
    await page.locator('mark', { hasText: 'webhooks' }).first().waitFor();
    await field(page).fill('volcano eruptions on Iceland');
    await page.getByRole('heading', { name: 'No match for “volcano eruptions on Iceland”' }).waitFor();
    await page.getByRole('link', { name: 'Save this as a memory' }).click();
    await expect.poll(() => page.getByRole('textbox', { name: 'Memory' }).inputValue(), PATIENCE).toBe('volcano eruptions on Iceland');
    expect(lore.opened.complaints).toEqual([]);
  });

  it('goes back to the previous page, and forward again', async () => {
    const page = await open();
    await rows(page).nth(3).waitFor();
    await field(page).pressSequentially('radiator', { delay: 20 });
    await expect.poll(async () => (await texts(page))[0], PATIENCE).toBe('The cat sleeps on the warm radiator');
    await page.locator('mark').first().waitFor();
    await page.waitForURL('**/?q=radiator');
    await page.goBack();
    await expect.poll(() => rows(page).count(), PATIENCE).toBe(4);
    expect(await field(page).inputValue()).toBe('');
    await page.goForward();
    await expect.poll(() => field(page).inputValue(), PATIENCE).toBe('radiator');
  });

  it('ends a query at once, also right after typing', async () => {
    const page = await open();
    await rows(page).nth(3).waitFor();
    await field(page).fill('radiato');
    await page.waitForURL('**/?q=radiato');
    await page.evaluate(() => {
      // A busy page: the moment of the last letter is over before anything is drawn.
      addEventListener('popstate', () => {
        const end = performance.now() + 150;
        while (performance.now() < end);
      });
    });
    await page.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('#search-field');
      if (input === null) return;
      input.value = 'radiator';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      history.back();
    });
    await expect.poll(() => rows(page).count(), PATIENCE).toBe(4);
    await expect.poll(() => field(page).inputValue(), PATIENCE).toBe('');
    expect(new URL(page.url()).search).toBe('');
  });

  it('adds the tag of a result to the filter', async () => {
    const page = await open('/?q=webhooks');
    await hits(page).nth(1).waitFor();
    await hits(page).getByRole('link', { name: 'decision', exact: true }).click();
    await expect.poll(() => texts(page), PATIENCE).toEqual(['Retried webhooks carry an idempotency key']);
    await page.getByRole('button', { name: 'Remove filter: tag decision' }).click();
    await expect.poll(() => hits(page).count(), PATIENCE).toBe(2);
  });

  it('is restored from its address by back and forward', async () => {
    const page = await open('/?q=webhooks&mode=keyword&ns=dock');
    await expect.poll(() => texts(page), PATIENCE).toEqual(['Webhook deliveries are retried eight times']);
    expect(await field(page).inputValue()).toBe('webhooks');
    await page.getByRole('button', { name: 'Options Keyword' }).waitFor();
    await page.getByRole('link', { name: 'Statistics' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    await page.goBack();
    await expect.poll(() => field(page).inputValue(), PATIENCE).toBe('webhooks');
  });

  it('works by keyboard', async () => {
    const page = await open();
    await rows(page).nth(3).waitFor();
    // The page opens in the field; Escape leaves it, and a key leads back.
    const focused = () => page.evaluate('document.activeElement.id');
    await expect.poll(focused).toBe('search-field');
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await expect.poll(focused).toBe('search-field');
    await page.keyboard.type('webhook');
    await hits(page).nth(1).waitFor();
    await expect.poll(focused).toBe('search-field');
    const all = await texts(page);
    const current = () => page.locator('.hit[aria-current="true"] .hit-text').textContent();
    for (const key of ['ArrowDown', 'j']) await page.keyboard.press(key);
    await expect.poll(current, PATIENCE).toBe(all[1]);
    await page.keyboard.press('k');
    await expect.poll(current, PATIENCE).toBe(all[0]);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Memory' });
    await dialog.getByText('1 of 2').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Save a memory' }).waitFor();
  });

  it('is the first Tab stop, with the views after the results', async () => {
    const page = await open('/?q=webhooks');
    await hits(page).nth(1).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to navigation');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('search-field');
    const stops = async (): Promise<string> => {
      await page.keyboard.press('Tab');
      return await page.evaluate<string>("document.activeElement.closest('aside, .hit, main')?.className ?? ''");
    };
    const seen: string[] = [];
    while (!seen.includes('side') && seen.length < 60) seen.push(await stops());
    expect(seen.filter((name) => name.startsWith('hit'))).toHaveLength(await hits(page).count());
  });

  it('moves to both ends of the list and back to the field by keys', async () => {
    const page = await open('/?q=webhooks');
    await hits(page).nth(1).waitFor();
    const current = () => page.locator('.hit[aria-current="true"] .hit-text').textContent();
    const all = await texts(page);
    await page.keyboard.press('End');
    await expect.poll(current, PATIENCE).toBe(all.at(-1));
    await page.keyboard.press('Home');
    await expect.poll(current, PATIENCE).toBe(all[0]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('search-field');
    await page.keyboard.press('Escape');
    await expect.poll(() => field(page).inputValue()).toBe('');
    await expect.poll(() => new URL(page.url()).search, PATIENCE).toBe('');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(true);
    await page.keyboard.press('/');
    await page.keyboard.type('cat');
    await expect.poll(async () => (await texts(page))[0], PATIENCE).toBe('The cat sleeps on the warm radiator');
  });

  it('renders Markdown excerpts without its characters, code as code, with marked words', async () => {
    await using other = await lore.pages.server();
    await other.save(
      '# Rollout\n\n- **Never** on Fridays\n- run `make rollout` first, see [the plan](https://example.com/plan)\n\n```sh\nmake undo\n```',
    );
    await other.save('Plain # text with a * star ~ and 2 * 3 * 4');
    await using window = await lore.pages.open(other, { path: '/?q=rollout' });
    const first = window.page.locator('.hit-text').first();
    await first.locator('mark').first().waitFor();
    expect((await first.textContent())?.replaceAll(/\s+/g, ' ').trim()).toBe(
      'Rollout · Never on Fridays · run make rollout first, see the plan make undo',
    );
    expect(await first.locator('code').textContent()).toBe('make rollout');
    expect(await first.locator('mark').allTextContents()).toEqual(['Rollout', 'rollout']);
    await field(window.page).fill('star');
    await expect.poll(async () => await texts(window.page), PATIENCE).toContain('Plain # text with a * star ~ and 2 * 3 * 4');
    expect(window.complaints).toEqual([]);
  });

  it('loads more than the first hundred results, and shows the total', async () => {
    await using long = await lore.pages.server();
    for (let number = 0; number < 130; number++) await long.save(`Number ${number} of a long list`);
    await long.save('Something else');
    await using window = await lore.pages.open(long, { path: '/?q=long list&mode=keyword' });
    const { page } = window;
    await page
      .getByRole('status')
      .filter({ hasText: /^130 memories in/ })
      .waitFor();
    for (let steps = 0; steps < 4; steps++) {
      await hits(page).last().scrollIntoViewIfNeeded();
      if ((await hits(page).count()) === 130) break;
      await expect.poll(() => hits(page).count(), PATIENCE).toBeGreaterThan(99);
    }
    await expect.poll(() => hits(page).count(), PATIENCE).toBe(130);
    expect(new Set(await texts(page)).size).toBe(130);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    await page.goto(`${long.url}/?q=long list`);
    await page
      .getByRole('status')
      .filter({ hasText: /^130 memories in/ })
      .waitFor();
    expect(window.complaints).toEqual([]);
  });

  it('shows the position and total in the details, and continues past the loaded ones', async () => {
    await using long = await lore.pages.server();
    for (let number = 0; number < 110; number++) await long.save(`Number ${number} of a long list`);
    await using window = await lore.pages.open(long, { path: '/?q=long list&mode=keyword' });
    const { page } = window;
    await hits(page).first().getByRole('link').first().press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 of 110').waitFor();
    for (let place = 2; place <= 110; place++) {
      await page.keyboard.press('j');
      await dialog.getByText(`${place} of 110`, { exact: true }).waitFor();
    }
    expect(window.complaints).toEqual([]);
  });

  it('loads nothing else before the first results of a direct link', async () => {
    await using window = await lore.pages.open(lore.server, { path: '/api/health' });
    const { page } = window;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const go = await delay(page, '**/assets/rows-*.js');
    const answered = page.waitForResponse('**/api/search?*');
    await page.goto(`${lore.server.url}/?q=webhooks`);
    await answered;
    // Longer than the page waits before it loads the next views.
    await page.waitForTimeout(800);
    expect(asked.filter((path) => /assets.(?:browse|preview|with-preview)-/.test(path))).toEqual([]);
    expect(asked.filter((path) => path.startsWith('/assets/')).length).toBeLessThan(16);
    go();
    await page.locator('.hit').first().waitFor();
    await expect.poll(() => asked.some((path) => path.includes('/browse-')), PATIENCE).toBe(true);
  });

  it('shows an empty store three ways to begin', async () => {
    await using empty = await lore.pages.server({ administration: surroundings({}, 'node "/opt/lore here/bin/run.js"') });
    await using window = await lore.pages.open(empty, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = window;
    await page.getByRole('heading', { name: /Nothing remembered yet/ }).waitFor();
    const agent = page.getByRole('region', { name: 'Connect your agent' });
    await agent.getByText('Found here: Claude Code, Cursor, Codex').waitFor();
    await agent.getByRole('button', { name: 'Copy command' }).click();
    await expect
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'), PATIENCE)
      .toBe('node "/opt/lore here/bin/run.js" setup --all');
    await page.getByText('node "/opt/lore here/bin/run.js" demo').waitFor();

    const lines = `${JSON.stringify({ content: 'Out of a file' })}\n`;
    const file = { name: 'memories.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(lines) };
    await page.getByLabel('Choose a file').setInputFiles(file);
    await page.getByRole('region', { name: 'Import' }).getByText('memories.jsonl').first().waitFor();
    await page.goBack();

    await page.getByLabel('The first memory').fill('The spare key is with Ana');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => rows(page).allTextContents(), PATIENCE).toEqual(['The spare key is with Ana']);
    expect(window.complaints).toEqual([]);
  });

  it('explains why the first memory could not be saved, and keeps it', async () => {
    await using empty = await lore.pages.server();
    await using window = await lore.pages.open(empty);
    const { page } = window;
    await page.route('**/api/save?*', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ success: false, error: 'The disk is full.' }),
      }),
    );
    await page.getByLabel('The first memory').fill('The spare key is with Ana');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('The first memory').inputValue()).toBe('The spare key is with Ana');
  });

  it('reports an unreachable server, keeps the results, and recovers automatically', async () => {
    const page = await open('/?q=webhooks');
    await hits(page).first().waitFor();
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await field(page).fill('cat');
    const alert = page.getByRole('alert');
    await alert.getByText('The server is not responding').waitFor();
    await page.getByRole('complementary', { name: 'Main' }).getByText('Not responding').waitFor();
    expect(await hits(page).count()).toBeGreaterThan(0);
    await page.unroute('**/api/**');
    await expect.poll(async () => (await texts(page))[0], PATIENCE).toBe('The cat sleeps on the warm radiator');
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await alert.count()).toBe(0);
  });

  it('shows the error for an overlong query', async () => {
    const page = await open('/?mode=keyword');
    await rows(page).first().waitFor();
    await field(page).fill('x'.repeat(5000));
    const message = page.getByText('query must be at most 4096 bytes');
    await message.waitFor();
    expect(await page.getByRole('alert').innerText()).toContain(await message.innerText());
  });
});
