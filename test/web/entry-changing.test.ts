import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

let pages: Pages;
let server: TestServer;
let opened: OpenPage;
let [key, kettle, lighthouse] = ['', '', ''];

beforeAll(async () => {
  pages = await openPages();
});
beforeEach(async () => {
  server = await pages.server();
  key = await server.save('The spare key is with Ana', { tags: ['home'], namespace: 'house', container: 'keys' });
  kettle = await server.save('The **kettle** whistles before the water boils over', { namespace: 'house' });
  lighthouse = await server.save('A lighthouse stands at the end of the quay', { namespace: 'coast' });
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
  readonly metadata: { readonly tags: string[]; readonly priority: string; readonly namespace: string; readonly container: string };
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
  it('changes its text, tags, priority and place, by keys alone where one wants', async () => {
    const { page, form } = await edit(key);
    await expect.poll(() => page.evaluate('document.activeElement.id'), PATIENCE).toBe('edit-content');
    await form.getByRole('textbox', { name: 'Text' }).fill('The spare key is with **Bo**');
    await form.getByRole('combobox', { name: 'Tags' }).fill('keys');
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'Remove tag home' }).click();
    await form.getByText('High', { exact: true }).click();
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

  it('ends on Escape at once where nothing was changed, and asks where something was', async () => {
    const { page, form } = await edit(key);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    await detailsOf(page).getByText('The spare key is with Ana').waitFor();
    await page.keyboard.press('e');
    await form.getByRole('textbox', { name: 'Text' }).fill('Something else');
    await page.keyboard.press('Escape');
    await form.getByText('Discard what you changed?').waitFor();
    await form.getByRole('button', { name: 'Keep editing' }).click();
    expect(await form.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Something else');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await form.getByRole('button', { name: 'Discard' }).click();
    await detailsOf(page).getByText('The spare key is with Ana').waitFor();
    expect((await stored(key)).content).toBe('The spare key is with Ana');
  });

  it('says so where someone changed the memory meanwhile, and saves what was edited here alone', async () => {
    const { page, form } = await edit(key);
    await form.getByRole('textbox', { name: 'Text' }).fill('The spare key is with Cem');
    await server.call('PATCH', `/api/${key}`, { body: { tags: ['theirs'], content: 'The spare key is with Dora' } });
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('This memory was changed meanwhile').waitFor();
    await form.getByText('What it says now').click();
    await form.getByText('The spare key is with Dora').waitFor();
    expect((await stored(key)).content).toBe('The spare key is with Dora');
    await form.getByRole('button', { name: 'Save mine over it' }).click();
    await detailsOf(page).getByText('The spare key is with Cem').waitFor();
    expect(await stored(key)).toMatchObject({ content: 'The spare key is with Cem', metadata: { tags: ['theirs'] } });
    expect(opened.complaints).toEqual([]);
  });

  it('takes no empty text', async () => {
    const { form } = await edit(key);
    await form.getByRole('textbox', { name: 'Text' }).fill('  ');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('A memory needs some text.').waitFor();
    expect((await stored(key)).content).toBe('The spare key is with Ana');
  });

  it('adds a tag at once beside the others', async () => {
    opened = await pages.open(server, { path: `/?id=${key}` });
    const dialog = detailsOf(opened.page);
    await dialog.getByRole('button', { name: 'Add a tag' }).click();
    await opened.page.keyboard.type('shelf');
    await opened.page.keyboard.press('Enter');
    await dialog.getByRole('link', { name: 'shelf' }).waitFor();
    expect((await stored(key)).metadata.tags).toEqual(['home', 'shelf']);
    await dialog.getByText('Tag shelf added', { exact: true }).first().waitFor();
  });
});

describe('the history of a memory', () => {
  it('shows an earlier text, and takes the last change back', async () => {
    await server.call('PATCH', `/api/${key}`, {
      body: { content: 'The spare key is with Bo\nand she is away' },
      headers: { 'x-lore-source': 'cli' },
    });
    opened = await pages.open(server, { path: `/?id=${key}` });
    const { page } = opened;
    const dialog = detailsOf(page);
    await dialog.getByText('Text edited, +2 −1 lines').waitFor();
    expect(await dialog.locator('.hist li').first().innerText()).toContain('command line');
    await dialog.getByRole('button', { name: 'Show the text before' }).click();
    const before = page.getByRole('dialog', { name: 'The text until' });
    await before.getByText('The spare key is with Ana').waitFor();
    await before.getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('button', { name: 'Take the last change back' }).click();
    await dialog.locator('.prose').getByText('The spare key is with Ana').waitFor();
    expect((await stored(key)).content).toBe('The spare key is with Ana');
    expect(opened.complaints).toEqual([]);
  });
});

describe('what a memory has to do with others', () => {
  it('is shown both ways with type, strength and who said it, and leads there and back', async () => {
    await server.call('POST', '/api/relations', { body: { sourceId: key, type: 'contradicts', targetId: kettle, strength: 0.7 } });
    await server.call('POST', '/api/relations', { body: { sourceId: lighthouse, type: 'elaborates', targetId: key } });
    opened = await pages.open(server, { path: `/?id=${key}` });
    const { page } = opened;
    const dialog = detailsOf(page);
    await dialog.getByText('1 out, 1 in').waitFor();
    const row = dialog.getByRole('listitem').filter({ hasText: 'Contradicts' }).first();
    expect(await row.innerText()).toMatch(/The kettle whistles[\s\S]*0\.70[\s\S]*by you/);
    expect(await dialog.locator('.rel', { hasText: 'Elaborated by' }).count()).toBe(1);
    await row.getByRole('link').click();
    await dialog.locator('strong', { hasText: 'kettle' }).waitFor();
    await dialog.locator('.rel', { hasText: 'Contradicted by' }).waitFor();
    await page.goBack();
    await dialog.locator('.prose').getByText('The spare key is with Ana').waitFor();
    await dialog.getByRole('link', { name: 'Show in graph' }).click();
    await expect.poll(() => page.url(), PATIENCE).toContain(`view=graph&seed=${key}`);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('is added by looking for the other one, and removed with a way back', async () => {
    opened = await pages.open(server, { path: `/?id=${key}` });
    const { page } = opened;
    const dialog = detailsOf(page);
    await dialog.getByRole('button', { name: 'Add a relation' }).click();
    await dialog.getByRole('combobox', { name: 'This memory' }).selectOption('Superseded by');
    await dialog.getByRole('combobox', { name: 'Which memory' }).fill('lighthouse');
    await dialog.getByRole('option', { name: /A lighthouse stands/ }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByText('A newer memory takes the place of this one.').waitFor();
    const relations = async () => (await server.call('GET', `/api/relations?id=${key}`)).body.relations;
    expect(await relations()).toMatchObject([{ sourceId: lighthouse, type: 'supersedes', targetId: key, origin: 'manual' }]);
    await dialog.getByRole('button', { name: /^Remove relation: Superseded by/ }).click();
    await dialog.getByText('None yet.').waitFor();
    expect(await relations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('1 in', { exact: true }).waitFor();
    expect(await relations()).toHaveLength(1);
    expect(opened.complaints).toEqual([]);
  });

  it('begins with those that are similar, nearest first', async () => {
    const twin = await server.save('The spare key is with Ana now', { namespace: 'house' });
    opened = await pages.open(server, { path: `/?id=${key}` });
    const dialog = detailsOf(opened.page);
    const similar = dialog.getByRole('region', { name: 'Similar memories' });
    await similar.getByRole('link', { name: 'The spare key is with Ana now' }).waitFor();
    expect(await similar.getByRole('listitem').first().innerText()).toMatch(/^\d\.\d\d[\s\S]*The spare key is with Ana now/);
    expect(await similar.getByText('A lighthouse').count()).toBe(0);
    await similar.getByRole('link').first().click();
    await expect.poll(() => opened.page.url(), PATIENCE).toContain(twin);
  });
});
