import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { TEST_NAMESPACE, type TestServer } from '../helpers/server.ts';
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
