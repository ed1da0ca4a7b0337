import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

const CODE = 'fn main() {\n    push(event);\n\n\tdone();\n}';

let pages: Pages;
let server: TestServer;
let opened: OpenPage;
let ids: string[];

beforeAll(async () => {
  pages = await openPages();
});
beforeEach(async () => {
  server = await pages.server();
  ids = [
    await server.save('The spare key is with Ana', { tags: ['home'], namespace: 'house', container: 'keys', priority: 'high' }),
    await server.save(CODE, { namespace: 'house' }),
  ];
});
afterEach(async () => {
  await opened[Symbol.asyncDispose]();
  await server.close();
});
afterAll(() => pages.close());

const detailsOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Memory', exact: true });

describe('the details of a memory', () => {
  it('show the selected memory next to the list, with spaces and line breaks', async () => {
    opened = await pages.open(server, { path: '/?q=push event' });
    const preview = opened.page.getByRole('complementary', { name: 'Selected memory' });
    await preview.getByText('push(event)').waitFor();
    expect(await preview.locator('.plain').innerText()).toBe(CODE);
  });

  it('open over the page with every fact, and again from their address', async () => {
    opened = await pages.open(server, { path: `/?id=${ids[0]}` });
    const dialog = detailsOf(opened.page);
    await dialog.getByText('The spare key is with Ana').waitFor();
    const facts = dialog.getByRole('complementary', { name: 'Facts' });
    const said = (await facts.textContent()) ?? '';
    for (const part of ['High', 'house', 'keys', 'HTTP API', '25 characters', ids[0]!, 'home']) expect(said).toContain(part);
    expect(opened.complaints).toEqual([]);
  });

  it('show the recall count', async () => {
    for (let time = 0; time < 2; time++) await server.call('POST', '/api/search', { body: { query: 'spare key' } });
    opened = await pages.open(server, { path: `/?view=stats&id=${ids[0]}` });
    await expect.poll(() => detailsOf(opened.page).getByText('2 times, last').count(), PATIENCE).toBe(1);
  });

  it('link the entities of the text to a search', async () => {
    const id = await server.save('The retry lives in src/http/retry.ts, says @ken', { namespace: 'house' });
    opened = await pages.open(server, { path: `/?id=${id}` });
    const { page } = opened;
    await detailsOf(page).getByRole('link', { name: '@ken' }).waitFor();
    await detailsOf(page).getByRole('link', { name: 'src/http/retry.ts' }).click();
    await page.getByRole('searchbox', { name: 'Search memories' }).waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search memories' }).inputValue()).toBe('src/http/retry.ts');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  it('report an unknown id', async () => {
    opened = await pages.open(server, { path: '/?id=01920000-0000-7000-8000-000000000000' });
    await opened.page.getByRole('dialog').getByRole('heading', { name: 'Memory not found' }).waitFor();
    expect(await opened.page.getByRole('dialog').getByRole('button', { name: 'Forget' }).count()).toBe(0);
  });

  it('copy the id, text, link and JSON', async () => {
    opened = await pages.open(server, { path: `/?id=${ids[0]}`, permissions: ['clipboard-read', 'clipboard-write'] });
    const dialog = detailsOf(opened.page);
    const copied = () => opened.page.evaluate<string>('navigator.clipboard.readText()');
    const copies = async (button: string, said: string): Promise<string> => {
      await dialog.getByRole('button', { name: button, exact: true }).click();
      await dialog.getByText(said).waitFor();
      return await copied();
    };
    expect(await copies('Copy id', 'Id copied')).toBe(ids[0]);
    expect(await copies('Copy text', 'Text copied')).toBe('The spare key is with Ana');
    expect(await copies('Copy link', 'Link copied')).toBe(`${server.url}/?id=${ids[0]}`);
    expect(JSON.parse(await copies('Copy JSON', 'Copied as JSON'))).toMatchObject({ id: ids[0], metadata: { tags: ['home'] } });
  });

  it('go through the results by keys and buttons, and back to the list', async () => {
    opened = await pages.open(server, { path: `/?id=${ids[1]}` });
    const { page } = opened;
    const dialog = detailsOf(page);
    await dialog.getByText('1 of 2').waitFor();
    await page.keyboard.press('j');
    await dialog.getByText('The spare key is with Ana').waitFor();
    expect(await dialog.getByText('2 of 2').count()).toBe(1);
    await dialog.getByRole('button', { name: 'Previous result' }).click();
    await dialog.getByText('push(event)').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count(), PATIENCE).toBe(0);
  });
});

describe('forgetting', () => {
  it('is immediate and undone by one button', async () => {
    opened = await pages.open(server, { path: `/?id=${ids[0]}` });
    const { page } = opened;
    await detailsOf(page).getByRole('button', { name: 'Forget' }).click();
    await expect.poll(() => page.locator('.line').count(), PATIENCE).toBe(1);
    expect((await server.call('GET', `/api/${ids[0]}`)).status).toBe(404);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.locator('.line').count(), PATIENCE).toBe(2);
    expect((await server.call('GET', `/api/${ids[0]}`)).status).toBe(200);
    expect(opened.complaints).toEqual([]);
  });

  it('treats a memory that was already forgotten as forgotten', async () => {
    opened = await pages.open(server, { path: `/?id=${ids[0]}` });
    const { page } = opened;
    await detailsOf(page).getByText('The spare key is with Ana').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Pause live updates' }).click();
    await page.goBack();
    await detailsOf(page).getByRole('button', { name: 'Forget' }).waitFor();
    await server.call('DELETE', `/api/${ids[0]}`);
    await detailsOf(page).getByRole('button', { name: 'Forget' }).click();
    await page.getByText('Already forgotten').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expect.poll(() => page.locator('.line').count(), PATIENCE).toBe(1);
  });
});

describe('everyone', () => {
  it.each([1440, 360])('can use the details, in both themes at %i pixels', async (width) => {
    const text = '# Plan\n\n- [x] `one`\n- [ ] two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1; // note\n```\n\n> quoted @ken';
    const id = await server.save(`${text}\n\n${'A long sentence about the harbour. '.repeat(40)}`, { namespace: 'house', tags: ['plan'] });
    await server.call('POST', '/api/relations', { body: { sourceId: id, type: 'contradicts', targetId: ids[0], strength: 0.5 } });
    await server.call('POST', '/api/relations', { body: { sourceId: ids[1], type: 'supersedes', targetId: id } });
    await server.call('PATCH', `/api/${id}`, { body: { content: `${text}\n\nshorter`, priority: 'low' } });
    opened = await pages.open(server, { path: `/?id=${id}`, viewport: { width, height: 900 } });
    const { page } = opened;
    const dialog = detailsOf(page);
    await dialog.getByRole('heading', { name: 'Plan' }).waitFor();
    await dialog.getByRole('button', { name: 'Show previous text' }).waitFor();
    await dialog.locator('.c-k').first().waitFor();
    await expectAccessibleInBothThemes(page);
    const wide =
      'document.documentElement.scrollWidth > innerWidth || [...document.querySelectorAll("dialog")].some((e) => e.scrollWidth > e.clientWidth)';
    expect(await page.evaluate(wide)).toBe(false);
    await dialog.getByRole('button', { name: 'Add a relation' }).click();
    await dialog.getByRole('combobox', { name: 'Which memory' }).waitFor();
    await expectAccessibleInBothThemes(page);
    await dialog.getByRole('button', { name: 'Show previous text' }).click();
    const before = page.getByRole('dialog', { name: 'Text until' });
    await before.waitFor();
    await expectAccessibleInBothThemes(page);
    await page.keyboard.press('Escape');
    await before.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('form', { name: 'Edit memory' }).waitFor();
    await expectAccessibleInBothThemes(page);
    expect(await page.evaluate(wide)).toBe(false);
    expect(opened.complaints).toEqual([]);
  });
});
