import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { delay, openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

let pages: Pages;
let server: TestServer;
let opened: OpenPage;
let key = '';

beforeAll(async () => {
  pages = await openPages();
});
beforeEach(async () => {
  server = await pages.server();
  key = await server.save('The spare key is with Ana', { tags: ['home'], namespace: 'house', container: 'keys' });
});
afterEach(async () => {
  await opened[Symbol.asyncDispose]();
  await server.close();
});
afterAll(() => pages.close());

const detailsOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Memory', exact: true });
const stored = async (id: string) => (await server.call('GET', `/api/${id}`)).body.entry as unknown as Entry;
interface Entry {
  readonly content: string;
  readonly metadata: {
    readonly tags: string[];
    readonly priority: string;
    readonly importance: number;
    readonly namespace: string;
    readonly container: string;
  };
}

async function edit(id: string): Promise<{ page: Page; form: Locator }> {
  opened = await pages.open(server, { path: `/?id=${id}` });
  const { page } = opened;
  await detailsOf(page).getByRole('button', { name: 'Edit', exact: true }).waitFor();
  await page.keyboard.press('e');
  const form = page.getByRole('form', { name: 'Edit memory' });
  await form.waitFor();
  return { page, form };
}

describe('editing a memory', () => {
  it('changes priority and importance only if edited, and separately', async () => {
    const exactly = await server.save('Weighed by hand', { priority: 'low', importance: 0.93 });
    const { page, form } = await edit(exactly);
    const weight = async () => {
      const { priority, importance } = (await stored(exactly)).metadata;
      return [priority, Number(importance.toFixed(2))];
    };
    expect(await form.getByText('Exact importance').textContent()).toBe('Exact importance 0.93');
    await form.getByRole('textbox', { name: 'Text' }).fill('Weighed by hand, twice');
    await page.keyboard.press('Control+Enter');
    await detailsOf(page).getByText('Weighed by hand, twice').first().waitFor();
    expect(await weight()).toEqual(['low', 0.93]);
    await page.keyboard.press('e');
    await form.getByRole('radio', { name: 'High' }).check();
    expect(await form.getByText('Exact importance').textContent()).toBe('Exact importance 0.93');
    await page.keyboard.press('Control+Enter');
    await expect.poll(weight, PATIENCE).toEqual(['high', 0.93]);
    // What is edited next is the version that was saved.
    await detailsOf(page).getByText('Priority: Low → High').waitFor();
    await page.keyboard.press('e');
    await form.getByText('Exact importance').click();
    await form.getByRole('slider', { name: 'Importance' }).fill('0.4');
    await form.getByRole('button', { name: 'Discard the exact value' }).click();
    expect(await form.getByText('Exact importance').textContent()).toBe('Exact importance 0.93');
    expect(await page.evaluate('document.activeElement.type')).toBe('range');
    await form.getByRole('slider', { name: 'Importance' }).fill('0.4');
    await page.keyboard.press('Control+Enter');
    await expect.poll(weight, PATIENCE).toEqual(['high', 0.4]);
    expect(opened.complaints).toEqual([]);
  });

  it('changes text, tags, priority and location, also by keyboard', async () => {
    const { page, form } = await edit(key);
    await expect.poll(() => page.evaluate('document.activeElement.id'), PATIENCE).toBe('edit-content');
    await form.getByRole('textbox', { name: 'Text' }).fill('The spare key is with **Bo**');
    await form.getByRole('combobox', { name: 'Tags' }).fill('keys');
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'Remove tag home' }).click();
    await form.getByRole('radio', { name: 'High' }).check();
    await form.getByRole('combobox', { name: 'Namespace' }).fill('flat');
    await page.keyboard.press('Control+Enter');
    await detailsOf(page).locator('strong', { hasText: 'Bo' }).waitFor();
    expect(await stored(key)).toMatchObject({
      content: 'The spare key is with **Bo**',
      metadata: { tags: ['keys'], priority: 'high', namespace: 'flat', container: 'keys' },
    });
    await detailsOf(page).getByText('Text edited, +1 −1 lines').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent'), PATIENCE).toContain('Edit');
    expect(opened.complaints).toEqual([]);
  });

  it('ends on Escape, and asks first if there are changes', async () => {
    const { page, form } = await edit(key);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await detailsOf(page).getByText('The spare key is with Ana').waitFor();
    await page.keyboard.press('e');
    await form.getByRole('textbox', { name: 'Text' }).fill('Something else');
    await page.keyboard.press('Escape');
    await form.getByText('Discard your changes?').waitFor();
    await form.getByRole('button', { name: 'Keep editing' }).click();
    await expect.poll(() => form.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Something else');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.getByRole('button', { name: 'Discard' }).click();
    await detailsOf(page).getByText('The spare key is with Ana').waitFor();
    expect((await stored(key)).content).toBe('The spare key is with Ana');
  });

  it('reports a concurrent change, and saves only local edits', async () => {
    const { page, form } = await edit(key);
    await form.getByRole('textbox', { name: 'Text' }).fill('The spare key is with Cem');
    await server.call('PATCH', `/api/${key}`, { body: { tags: ['theirs'], content: 'The spare key is with Dora' } });
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('This memory has changed').waitFor();
    await form.getByText('Current text').click();
    await form.getByText('The spare key is with Dora').waitFor();
    expect((await stored(key)).content).toBe('The spare key is with Dora');
    await form.getByRole('button', { name: 'Overwrite with mine' }).click();
    await detailsOf(page).getByText('The spare key is with Cem').waitFor();
    expect(await stored(key)).toMatchObject({ content: 'The spare key is with Cem', metadata: { tags: ['theirs'] } });
    expect(opened.complaints).toEqual([]);
  });

  it('shows the concurrent text on a conflict, also without live updates', async () => {
    opened = await pages.open(server);
    await opened.page.evaluate("sessionStorage.setItem('lore.live', 'paused')");
    await opened.page.goto(`${server.url}/?id=${key}`);
    const dialog = detailsOf(opened.page);
    await dialog.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = opened.page.getByRole('form', { name: 'Edit memory' });
    await form.getByRole('textbox', { name: 'Text' }).fill('The spare key is with Cem');
    await server.call('PATCH', `/api/${key}`, { body: { content: 'The spare key is with Dora' } });
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByRole('button', { name: 'Keep the other version' }).click();
    await expect.poll(() => dialog.locator('.prose').innerText(), PATIENCE).toContain('The spare key is with Dora');
  });

  it('continues an unfinished edit', async () => {
    opened = await pages.open(server, { path: `/?id=${key}` });
    const { page } = opened;
    await detailsOf(page).getByRole('button', { name: 'Close' }).click();
    await page.goBack();
    const edits = detailsOf(page).getByRole('button', { name: 'Edit', exact: true });
    await edits.click();
    const form = page.getByRole('form', { name: 'Edit memory' });
    await form.getByRole('textbox', { name: 'Text' }).fill('The spare key is with Cem');
    await page.goForward();
    await page.getByText('Your changes are kept until you open the memory again').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.goBack();
    await form.waitFor();
    expect(await form.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('The spare key is with Cem');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.getByRole('button', { name: 'Discard' }).click();
    await page.goForward();
    await detailsOf(page).waitFor({ state: 'detached' });
    await page.goBack();
    await edits.waitFor();
    expect([await form.count(), (await stored(key)).content]).toEqual([0, 'The spare key is with Ana']);
    expect(opened.complaints).toEqual([]);
  });

  it('continues after saving another memory, also with later input', async () => {
    const other = await server.save('The bike is in the shed');
    opened = await pages.open(server, { path: `/?id=${other}` });
    const { page } = opened;
    await detailsOf(page).getByText('The bike is in the shed').first().waitFor();
    await page.evaluate(`history.pushState(null, '', '/?id=${key}'); dispatchEvent(new PopStateEvent('popstate'))`);
    await detailsOf(page).locator('.drawer-main').getByText('The spare key is with Ana').first().waitFor();
    await page.keyboard.press('e');
    const text = page.getByRole('form', { name: 'Edit memory' }).getByRole('textbox', { name: 'Text' });
    await text.fill('The spare key is with Eli');
    let answer = await delay(page, `**/api/${key}?*`);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Saving…' }).waitFor();
    await page.goBack();
    await detailsOf(page).locator('.drawer-main').getByText('The bike is in the shed').first().waitFor();
    await page.keyboard.press('e');
    await text.fill('The bike is in the cellar');
    answer();
    await page.getByText('Memory changed').first().waitFor();
    await expect.poll(async () => (await stored(key)).content, PATIENCE).toBe('The spare key is with Eli');
    expect(await text.inputValue()).toBe('The bike is in the cellar');
    answer = await delay(page, `**/api/${other}?*`);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Saving…' }).waitFor();
    await text.fill('The bike is in the cellar, locked');
    answer();
    await expect.poll(async () => (await stored(other)).content, PATIENCE).toBe('The bike is in the cellar');
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    expect(await text.inputValue()).toBe('The bike is in the cellar, locked');
    await text.press('Control+Enter');
    await expect.poll(async () => (await stored(other)).content, PATIENCE).toBe('The bike is in the cellar, locked');
    await text.waitFor({ state: 'detached' });
  });

  it('rejects an empty text', async () => {
    const { form } = await edit(key);
    await form.getByRole('textbox', { name: 'Text' }).fill('  ');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('A memory needs text.').waitFor();
    expect((await stored(key)).content).toBe('The spare key is with Ana');
  });

  it('adds a tag without reloading', async () => {
    opened = await pages.open(server, { path: `/?id=${key}` });
    const dialog = detailsOf(opened.page);
    await dialog.getByRole('button', { name: 'Add a tag' }).click();
    await opened.page.keyboard.type('shelf');
    await opened.page.keyboard.press('Enter');
    await dialog.getByRole('link', { name: 'shelf' }).waitFor();
    expect((await stored(key)).metadata.tags).toEqual(['home', 'shelf']);
    await dialog.getByText('Tag shelf added', { exact: true }).first().waitFor();
  });

  it('sends a new tag once, nothing after a cancel, and keeps concurrent tags', async () => {
    opened = await pages.open(server, { path: `/?id=${key}` });
    const { page } = opened;
    const sent: string[] = [];
    page.on('request', (request) => {
      if (['PATCH', 'POST'].includes(request.method())) sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    const dialog = detailsOf(page);
    const add = dialog.getByRole('button', { name: 'Add a tag' });
    await add.click();
    await page.keyboard.type('shed');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => add.count(), PATIENCE).toBe(1);
    expect([sent, (await stored(key)).metadata.tags]).toEqual([[], ['home']]);
    await page.route('**/api/tags*', async (route) => {
      await server.call('PATCH', `/api/${key}`, { body: { tags: ['home', 'theirs'] } });
      await route.continue();
    });
    await add.click();
    await page.keyboard.type('shelf');
    await page.keyboard.press('Enter');
    await dialog.getByRole('link', { name: 'shelf' }).waitFor();
    expect((await stored(key)).metadata.tags).toEqual(['home', 'theirs', 'shelf']);
    expect(sent).toEqual(['POST /api/tags']);
  });
});

describe('the history of a memory', () => {
  it('shows an earlier text, and undoes the last change', async () => {
    await server.call('PATCH', `/api/${key}`, {
      body: { content: 'The spare key is with Bo\nand she is away' },
      headers: { 'x-lore-source': 'cli' },
    });
    opened = await pages.open(server, { path: `/?id=${key}` });
    const { page } = opened;
    const dialog = detailsOf(page);
    await dialog.getByText('Text edited, +2 −1 lines').waitFor();
    expect(await dialog.locator('.hist li').first().innerText()).toContain('command line');
    await dialog.getByRole('button', { name: 'Show previous text' }).click();
    const before = page.getByRole('dialog', { name: 'Text until' });
    await before.getByText('The spare key is with Ana').waitFor();
    await before.getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('button', { name: 'Undo the last change' }).click();
    await dialog.locator('.prose').getByText('The spare key is with Ana').waitFor();
    expect((await stored(key)).content).toBe('The spare key is with Ana');
    expect(opened.complaints).toEqual([]);
  });
});
