import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessible } from './accessibility.ts';
import { delay, openPages, PATIENCE, type OpenPage, type OpenOptions, type Pages } from './lore-page.ts';

let pages: Pages;
let server: TestServer;
let opened: OpenPage;
let ids: string[];

const rowOf = (page: Page, text: string) => page.locator('.line').filter({ hasText: text });
const select = (page: Page, text: string) => rowOf(page, text).getByRole('checkbox').check();
const tagsOf = async (id: string): Promise<string[]> => [...(await server.app.memories.get(id)).tags].toSorted();
const total = async (): Promise<number> => (await server.app.memories.list({ allNamespaces: true })).total;

async function browse(options: OpenOptions = {}): Promise<Page> {
  opened = await pages.open(server, { path: '/', ...options });
  await rowOf(opened.page, 'The pilot comes aboard').first().waitFor();
  return opened.page;
}

beforeAll(async () => {
  pages = await openPages();
});
beforeEach(async () => {
  server = await pages.server();
  ids = [
    await server.save('The pilot comes aboard', { namespace: 'harbour', tags: ['sea'] }),
    await server.save('The kiosk sells postcards', { namespace: 'harbour', tags: ['shop', 'old'] }),
    await server.save('The mill grinds on Mondays', { namespace: 'village', tags: ['old'] }),
    await server.save('The baker opens at five', { namespace: 'village' }),
  ];
});
afterEach(async () => {
  await opened[Symbol.asyncDispose]();
  await server.close();
});
afterAll(() => pages.close());

describe('a selection', () => {
  it('is forgotten after a preview, and restored by Undo', async () => {
    const page = await browse();
    await select(page, 'The pilot comes aboard');
    await select(page, 'The mill grinds');
    await page.getByRole('button', { name: 'Forget 2…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Forget 2 memories?' });
    await dialog.getByText('They go to the archive').waitFor();
    await dialog.getByText('The mill grinds on Mondays').waitFor();
    await expectAccessible(page);
    expect(await total()).toBe(4);
    await dialog.getByRole('button', { name: 'Forget 2' }).click();
    await expect.poll(() => page.locator('.line').count(), PATIENCE).toBe(2);
    expect(await total()).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Change undone for 2 memories').waitFor();
    await expect.poll(() => page.locator('.line').count(), PATIENCE).toBe(4);
    expect(await total()).toBe(4);
    expect(opened.complaints).toEqual([]);
  });

  it('gets and loses tags after a preview, and has its own again after Undo', async () => {
    const page = await browse();
    for (const text of ['The pilot comes aboard', 'The kiosk sells', 'The mill grinds']) await select(page, text);
    await page.keyboard.press('t');
    const dialog = page.getByRole('dialog', { name: 'Tag 3 memories' });
    await dialog.getByText('Enter a tag to add or remove.').waitFor();
    expect(await dialog.getByRole('button', { name: /^Tag/ }).isDisabled()).toBe(true);
    await dialog.getByLabel('Add tags').fill('sea');
    await page.keyboard.press('Enter');
    await dialog.getByText('2 memories would change.').waitFor();
    await dialog.getByLabel('Remove tags').fill('old');
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    expect(await tagsOf(ids[1]!)).toEqual(['old', 'shop']);
    await dialog.getByRole('button', { name: 'Tag 2' }).click();
    await page.getByText('2 memories tagged').waitFor();
    expect([await tagsOf(ids[0]!), await tagsOf(ids[1]!), await tagsOf(ids[2]!)]).toEqual([['sea'], ['sea', 'shop'], ['sea']]);
    await page.keyboard.press('z');
    await page.getByText('Change undone for 2 memories').waitFor();
    expect([await tagsOf(ids[1]!), await tagsOf(ids[2]!)]).toEqual([['old', 'shop'], ['old']]);
    expect(opened.complaints).toEqual([]);
  });

  it('moves to another namespace after a preview of merges, and back', async () => {
    await server.save('The pilot comes aboard', { namespace: 'archipelago' });
    const page = await browse({ path: '/' });
    for (const text of ['The pilot comes aboard', 'The baker opens']) await rowOf(page, text).last().getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Move' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 2 memories' });
    await dialog.getByLabel('To namespace').fill('archipelago');
    await dialog.getByText('1 memory would move to archipelago. 1 memory would be archived: the same text is already there.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Move 2' }).click();
    await page.getByText('1 memory moved to archipelago. 1 memory archived: the same text was already there').waitFor();
    expect((await server.app.memories.get(ids[3]!)).namespace).toBe('archipelago');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Change undone for 2 memories').waitFor();
    expect((await server.app.memories.get(ids[3]!)).namespace).toBe('village');
    expect((await server.app.memories.get(ids[0]!)).namespace).toBe('harbour');
    expect(opened.complaints).toEqual([]);
  });

  it('is archived if the target has all of it', async () => {
    await server.save('The pilot comes aboard', { namespace: 'archipelago' });
    const page = await browse();
    await rowOf(page, 'The pilot comes aboard').last().getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Move' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 1 memory' });
    await dialog.getByLabel('To namespace').fill('archipelago');
    await dialog.getByText('1 memory would be archived: the same text is already there.', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Move 1' }).click();
    await page.getByText('1 memory archived: the same text was already there.', { exact: true }).waitFor();
    expect(await total()).toBe(4);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Change undone for 1 memory').waitFor();
    expect(await total()).toBe(5);
  });

  it('may be everything except deselected memories', async () => {
    const page = await browse();
    await page.locator('.line').first().locator('.line-text').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('4 selected').waitFor();
    await rowOf(page, 'The mill grinds').getByRole('checkbox').uncheck();
    await page.getByText('3 selected').waitFor();
    expect(await rowOf(page, 'The mill grinds').getByRole('checkbox').isChecked()).toBe(false);
    expect(await rowOf(page, 'The kiosk sells').getByRole('checkbox').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Forget 3…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Forget 3 memories?' });
    expect(await dialog.getByText('The mill grinds').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Forget 3' }).click();
    await expect.poll(() => page.locator('.line').count(), PATIENCE).toBe(1);
    expect(await total()).toBe(1);
    expect((await server.app.memories.get(ids[2]!)).id).toBe(ids[2]);
    expect(opened.complaints).toEqual([]);
  });

  it('includes exactly the listed kind', async () => {
    await server.app.memories.sources.replace({
      kind: 'ingest',
      namespace: 'harbour',
      root: 'books',
      files: [{ path: 'book.md', hash: 'a1', passages: [{ content: 'The book of the sea' }] }],
    });
    opened = await pages.open(server, { path: '/?ns=harbour&kind=memory' });
    const { page } = opened;
    await rowOf(page, 'The pilot comes aboard').locator('.line-text').focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Forget 2…' }).click();
    await page.getByRole('dialog', { name: 'Forget 2 memories?' }).getByRole('button', { name: 'Forget 2' }).click();
    await page.getByText('2 memories forgotten').waitFor();
    const { entries } = await server.app.memories.list({ namespace: 'harbour' });
    expect(entries.map(({ content }) => content)).toEqual(['The book of the sea']);
    expect(opened.complaints).toEqual([]);
  });

  it('is empty once everything is deselected', async () => {
    const page = await browse({ path: '/?ns=harbour' });
    await page.locator('.line').first().locator('.line-text').focus();
    await page.keyboard.press('Control+a');
    for (const text of ['The pilot comes aboard', 'The kiosk sells']) await rowOf(page, text).getByRole('checkbox').uncheck();
    await expect.poll(() => page.getByRole('toolbar').count(), PATIENCE).toBe(0);
    await server.save('The ferry is late', { namespace: 'harbour' });
    await rowOf(page, 'The ferry is late').waitFor();
    expect(await rowOf(page, 'The ferry is late').getByRole('checkbox').isChecked()).toBe(false);
    expect(await page.getByRole('toolbar').count()).toBe(0);
  });

  it('is no longer resolved when its dialog is closed', async () => {
    const page = await browse();
    await page.locator('.line').first().locator('.line-text').focus();
    // As a browser tells it while Caps Lock is on.
    await page.locator(':focus').dispatchEvent('keydown', { key: 'A', ctrlKey: true, bubbles: true });
    await rowOf(page, 'The mill grinds').getByRole('checkbox').uncheck();
    await delay(page, '**/api/list*createdBefore*');
    const looking = page.waitForRequest(/createdBefore/);
    await page.getByRole('button', { name: 'Forget 3…' }).click();
    await looking;
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('createdBefore'));
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    await ended;
    expect(opened.complaints).toEqual([]);
  });

  it('leaves the focus in the list, or on the page if the list is gone', async () => {
    const page = await browse();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);
    await select(page, 'The pilot comes aboard');
    await page.keyboard.press('t');
    await page.getByRole('dialog').getByLabel('Add tags').fill('new');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Tag 1' }).click();
    await page.getByText('1 memory tagged').waitFor();
    await expect.poll(focused, PATIENCE).toBe('Memories');
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Forget 4…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget 4' }).click();
    await page.getByRole('heading', { name: 'Nothing remembered yet' }).waitFor();
    await expect.poll(focused, PATIENCE).toBe('main');
  });

  it('may be everything that matches, and is copied as JSON', async () => {
    const page = await browse({ path: '/?ns=harbour', permissions: ['clipboard-read', 'clipboard-write'] });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Select all 2' }).click();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Copy JSON' }).click();
    await page.getByText('2 memories copied as JSON').waitFor();
    const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()')) as { id: string }[];
    expect(copied.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    await page.getByRole('button', { name: 'Forget 2…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget 2' }).click();
    await page.getByRole('heading', { name: 'No memory matches these filters' }).waitFor();
    expect(await total()).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.locator('.line').count(), PATIENCE).toBe(2);
  });

  it('can be everything', async () => {
    const page = await browse();
    await page.locator('.line').first().locator('.line-text').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('4 selected').waitFor();
    await page.keyboard.press('t');
    await page.getByRole('dialog').getByLabel('Add tags').fill('all');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Tag 4' }).click();
    await page.getByText('4 memories tagged').waitFor();
    expect((await server.app.memories.list({ allNamespaces: true, tags: ['all'] })).total).toBe(4);
  });

  it('is unchanged if the server refuses, with the reason', async () => {
    const page = await browse();
    await select(page, 'The pilot comes aboard');
    await page.getByRole('button', { name: 'Forget 1…' }).click();
    await page.getByRole('dialog').getByText('They go to the archive').waitFor();
    await server.call('DELETE', `/api/${ids[0]}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Forget 1' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^Not done: /)
      .waitFor();
    expect(await total()).toBe(3);
  });
});

describe('the menu of a row', () => {
  it('copies, selects and forgets by keyboard, and returns the focus', async () => {
    const page = await browse({ permissions: ['clipboard-read', 'clipboard-write'] });
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('m');
    const menu = page.getByRole('menu', { name: 'Actions' });
    await menu.waitFor();
    await expectAccessible(page);
    await menu.getByRole('menuitem', { name: 'Copy id' }).click();
    await page.getByText('Id copied').waitFor();
    expect(await copied()).toBe(ids[3]);
    await page.getByRole('button', { name: /^Actions: The baker/ }).click();
    await menu.getByRole('menuitem', { name: 'Copy link' }).click();
    await page.getByText('Link copied').waitFor();
    expect(await copied()).toBe(`${server.url}/?id=${ids[3]}`);
    await page.getByRole('button', { name: /^Actions: The baker/ }).click();
    await menu.getByRole('menuitem', { name: 'Copy JSON' }).click();
    await page.getByText('Copied as JSON').waitFor();
    expect(JSON.parse(await copied())).toMatchObject({ id: ids[3], content: 'The baker opens at five' });
    await page.getByRole('button', { name: /^Actions: The baker/ }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect.poll(() => rowOf(page, 'The baker').count(), PATIENCE).toBe(0);
    await page.keyboard.press('z');
    await rowOf(page, 'The baker').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('closes on Escape', async () => {
    const page = await browse();
    const button = page.getByRole('button', { name: /^Actions: The baker/ });
    await button.click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menu').count(), PATIENCE).toBe(0);
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('an undo offer', () => {
  it('works by its key also in the details of a memory, outside text fields', async () => {
    const page = await browse();
    await page.getByRole('button', { name: /^Actions: The baker/ }).click();
    await page.getByRole('menuitem', { name: 'Forget' }).click();
    await expect.poll(() => rowOf(page, 'The baker').count(), PATIENCE).toBe(0);
    await page.getByRole('link', { name: 'The mill grinds' }).click();
    const drawer = page.getByRole('dialog', { name: 'Memory' });
    await drawer.getByRole('button', { name: 'Undo' }).waitFor();
    await drawer.getByRole('button', { name: /^Edit/ }).click();
    await page.getByRole('dialog').getByRole('textbox').first().press('z');
    expect(await total()).toBe(3);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Escape');
    await drawer.getByRole('button', { name: 'Undo' }).waitFor();
    await page.keyboard.press('z');
    await drawer.getByText('1 memory restored').waitFor();
    expect(await total()).toBe(4);
  });

  it('stays while it has the focus', async () => {
    const page = await browse();
    await select(page, 'The pilot comes aboard');
    await page.getByRole('button', { name: 'Forget 1…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget 1' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.focus();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => undo.count(), PATIENCE).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    expect(await total()).toBe(3);
  });
});
