import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { TEST_NAMESPACE, type TestServer } from '../helpers/server.ts';
import { expectAccessible } from './accessibility.ts';
import { openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

let pages: Pages;
let server: TestServer;
let opened: OpenPage;
let page: Page;

beforeAll(async () => {
  pages = await openPages();
});
beforeEach(async () => {
  server = await pages.server();
  await server.save('Something to know tags and namespaces by', { tags: ['decision', 'deploy'], namespace: 'harbor', container: 'crane' });
  opened = await pages.open(server, { path: '/?view=save' });
  ({ page } = opened);
});
afterEach(async () => {
  await opened[Symbol.asyncDispose]();
  await server.close();
});
afterAll(() => pages.close());

const content = () => page.getByRole('textbox', { name: 'Memory' });
const receipt = () => page.getByRole('region', { name: 'Receipt' }).first();
const save = () => page.getByRole('button', { name: 'Save memory' }).click();

describe('the save form', () => {
  it('saves a memory with all its fields and links to it from the receipt', async () => {
    await content().fill('Deploy on Tuesdays only');
    const tags = page.getByRole('combobox', { name: 'Tags' });
    await tags.fill('dec');
    await page.getByRole('option', { name: /decision/ }).click();
    await tags.fill('weekly');
    await tags.press('Enter');
    await page.getByLabel('Namespace', { exact: true }).fill('harbor');
    await page.getByLabel('Container', { exact: true }).fill('ship');
    await page.getByRole('radio', { name: 'High' }).check();
    await save();
    await receipt().getByRole('heading', { name: 'Saved: “Deploy on Tuesdays only”' }).waitFor();
    expect(await content().inputValue()).toBe('');
    await receipt().getByRole('link', { name: 'Open' }).click();
    const dialog = page.getByRole('dialog', { name: 'Memory' });
    await dialog.getByText('Deploy on Tuesdays only').waitFor();
    const id = new URL(page.url()).searchParams.get('id');
    const { body } = await server.call('GET', `/api/${id}`);
    expect(body.entry.content).toBe('Deploy on Tuesdays only');
    expect(body.entry.metadata).toMatchObject({
      namespace: 'harbor',
      container: 'ship',
      tags: ['decision', 'weekly'],
      priority: 'high',
      source: 'web',
    });
    expect(opened.complaints).toEqual([]);
  });

  it('leaves the namespace to the server where none is given, and says which that is', async () => {
    await page.getByText(`${TEST_NAMESPACE} unless you name another.`).waitFor();
    await content().fill('A thought without a place');
    await content().press('Control+Enter');
    await receipt().waitFor();
    const { body } = await server.call('GET', `/api/list?namespace=${TEST_NAMESPACE}`);
    expect(body.entries.map((entry: { content: string }) => entry.content)).toEqual(['A thought without a place']);
  });

  it('saves into the global namespace', async () => {
    await content().fill('Tabs are two spaces');
    await page.getByRole('switch', { name: /Global/ }).check();
    expect(await page.getByLabel('Namespace', { exact: true }).isDisabled()).toBe(true);
    await save();
    await receipt().waitFor();
    expect((await server.call('GET', '/api/list?namespace=global')).body.total).toBe(1);
  });

  it('says of a text it knows that it was not stored twice', async () => {
    for (const title of ['Saved: “Once is enough”', 'Already known: “Once is enough”']) {
      await content().fill('Once is enough');
      await save();
      await receipt().getByRole('heading', { name: title }).waitFor();
    }
    expect((await server.call('GET', `/api/list?namespace=${TEST_NAMESPACE}`)).body.total).toBe(1);
  });

  it('shows at the field what the server found wrong with it', async () => {
    await save();
    await page.locator('#save-content-error').waitFor();
    expect(await page.locator('#save-content-error').textContent()).toContain('content must not be blank');
    expect(await content().getAttribute('aria-invalid')).toBe('true');
    await content().fill('A fine text');
    expect(await page.locator('#save-content-error').count()).toBe(0);
    await page.getByLabel('Container', { exact: true }).fill('x'.repeat(300));
    await save();
    await page.locator('#save-container-error').waitFor();
    expect(await page.locator('#save-container-error').textContent()).toBe('container must be at most 256 characters');
    expect(await content().inputValue()).toBe('A fine text');
  });

  it('keeps a draft over a look at another view', async () => {
    await content().fill('Half a thou');
    await page.getByRole('link', { name: 'Statistics' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    await page.getByRole('link', { name: 'Save a memory' }).first().click();
    await expect.poll(() => content().inputValue(), PATIENCE).toBe('Half a thou');
  });

  it('does not lose a tag that was typed but not yet added', async () => {
    await content().fill('Tagged in haste');
    await page.getByRole('combobox', { name: 'Tags' }).fill('haste');
    await page.getByRole('combobox', { name: 'Tags' }).press('Control+Enter');
    await receipt().waitFor();
    const { body } = await server.call('GET', `/api/list?namespace=${TEST_NAMESPACE}`);
    expect(body.entries[0]?.metadata.tags).toEqual(['haste']);
  });
});

const KNOWN = 'Webhook deliveries retry 8 times over 24 hours with jitter, then they go to the dead letters table.';
const near = () => page.getByRole('region', { name: 'Close to something you know' });
const inNamespace = async (namespace: string): Promise<string[]> =>
  (await server.call('GET', `/api/list?namespace=${namespace}`)).body.entries.map((entry: { content: string }) => entry.content);

describe('what is close to what is being written', () => {
  const WRITTEN = `${KNOWN} Nobody is paged.`;
  let known: string;
  beforeEach(async () => {
    known = await server.save(KNOWN, { tags: ['webhooks'] });
    await content().fill(WRITTEN);
    await near().getByText(KNOWN).waitFor();
  });

  it('is shown while typing, can be opened, and goes when the text is another one', async () => {
    expect(await near().locator('article').count()).toBe(1);
    expect(Number(await near().locator('.num b').innerText())).toBeGreaterThanOrEqual(0.92);
    await near().getByRole('link', { name: 'Open' }).click();
    await page.getByRole('dialog', { name: 'Memory' }).getByText(KNOWN).first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => content().inputValue(), PATIENCE).toBe(WRITTEN);
    await content().fill('Tabs are two spaces wide in every file of ours');
    await near().waitFor({ state: 'detached' });
    const { body } = await server.call('GET', `/api/${known}`);
    expect(body.entry.metadata).not.toHaveProperty('recalls');
    expect(opened.complaints).toEqual([]);
  });

  it('is not looked for in other namespaces', async () => {
    await page.getByLabel('Namespace', { exact: true }).fill('harbor');
    await expect.poll(() => near().count(), PATIENCE).toBe(0);
    await page.getByLabel('Namespace', { exact: true }).fill('');
    await expect.poll(() => near().count(), PATIENCE).toBe(1);
  });

  it('can be updated instead, with the tags of both, and that taken back', async () => {
    await page.getByRole('combobox', { name: 'Tags' }).fill('paging');
    await page.getByRole('combobox', { name: 'Tags' }).press('Enter');
    await near().getByRole('button', { name: 'Update that one instead' }).click();
    await receipt()
      .getByRole('heading', { name: /^Updated: “Webhook deliveries/ })
      .waitFor();
    const { body } = await server.call('GET', `/api/${known}`);
    expect([body.entry.content, body.entry.metadata.tags]).toEqual([WRITTEN, ['webhooks', 'paging']]);
    expect(await content().inputValue()).toBe('');
    await receipt().getByRole('button', { name: 'Undo' }).click();
    await receipt()
      .getByRole('heading', { name: /^Taken back/ })
      .waitFor();
    expect(await inNamespace(TEST_NAMESPACE)).toEqual([KNOWN]);
    expect(await content().inputValue()).toBe(WRITTEN);
  });

  it('can be succeeded', async () => {
    await near().getByRole('button', { name: 'Save as its successor' }).click();
    await receipt().getByRole('link', { name: 'the older one' }).waitFor();
    const { body } = await server.call('GET', `/api/relations?id=${known}&type=supersedes`);
    expect(body.relations.map(({ targetId }) => targetId)).toEqual([known]);
    const found = await server.call('POST', '/api/recall', { body: { query: 'webhook deliveries retry' } });
    expect(found.body.results.map((hit) => (hit as unknown as { entry: { content: string } }).entry.content)).toEqual([WRITTEN]);
  });

  it('is named in the receipt where it is saved all the same', async () => {
    await save();
    await receipt()
      .getByTitle(/similar$/)
      .click();
    await page.getByRole('dialog', { name: 'Memory' }).waitFor();
    expect(new URL(page.url()).searchParams.get('id')).toBe(known);
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme, wide and narrow, with its receipts', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 1440, height: 900 });
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 780 });
    await page.getByRole('button', { name: 'Close to 1 memory you know' }).click();
    await expect.poll(async () => (await near().boundingBox())?.y, PATIENCE).toBeLessThan(400);
    await expectAccessible(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await save();
    await receipt().waitFor();
    await expectAccessible(page);
    await receipt().getByRole('button', { name: 'Undo' }).click();
    await receipt()
      .getByRole('heading', { name: /^Taken back/ })
      .waitFor();
    await expectAccessible(page);
  });
});

describe('a receipt', () => {
  it('takes a save back and gives the text back to the form', async () => {
    await content().fill('Said too soon');
    await save();
    await receipt().getByRole('button', { name: 'Undo' }).click();
    await receipt().getByRole('heading', { name: 'Taken back: “Said too soon”' }).waitFor();
    expect(await inNamespace(TEST_NAMESPACE)).toEqual([]);
    expect(await content().inputValue()).toBe('Said too soon');
    await page.locator('#save-content:focus').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('leads on to the next one', async () => {
    await content().fill('The first of two');
    await save();
    await receipt().getByRole('button', { name: 'Save another' }).click();
    await page.keyboard.type('The second of two');
    await page.keyboard.press('Control+Enter');
    await receipt().getByRole('heading', { name: 'Saved: “The second of two”' }).waitFor();
    expect((await inNamespace(TEST_NAMESPACE)).toSorted()).toEqual(['The first of two', 'The second of two']);
  });

  it('says what looks like a secret', async () => {
    await content().fill('The key for the door is AKIAIOSFODNN7EXAMPLE, it says');
    await save();
    await receipt().waitFor();
    expect(await receipt().innerText()).toMatch(/Please look|Blotted out/);
  });
});

describe('what is written and not yet saved', () => {
  it('is there again after the page was loaded anew', async () => {
    await content().fill('Half a thought, kept');
    await page.getByRole('radio', { name: 'High' }).check();
    await page.reload();
    await expect.poll(() => content().inputValue(), PATIENCE).toBe('Half a thought, kept');
    expect(await page.getByRole('radio', { name: 'High' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.reload();
    await content().waitFor();
    expect(await content().inputValue()).toBe('');
  });

  it('can come with the address, beside what is there', async () => {
    await page.goto(`${server.url}/?view=save&q=${encodeURIComponent('From a link')}&ns=harbor&tag=linked&priority=high`);
    await expect.poll(() => content().inputValue(), PATIENCE).toBe('From a link');
    expect(new URL(page.url()).search).toBe('?view=save');
    expect(await page.getByLabel('Namespace', { exact: true }).inputValue()).toBe('harbor');
    await page.getByRole('button', { name: 'Remove tag linked' }).waitFor();
    await page.goto(`${server.url}/?view=save&q=${encodeURIComponent('From another')}`);
    await expect.poll(() => content().inputValue(), PATIENCE).toBe('From a link\n\nFrom another');
    await save();
    await receipt().waitFor();
    expect(await inNamespace('harbor')).toContain('From a link\n\nFrom another');
  });
});
