import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessible } from './accessibility.ts';
import { surroundings } from './administration.ts';
import { openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

const REFUSED = /status of 40[13]/;

let pages: Pages;
let server: TestServer;
let opened: OpenPage;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server({
    administration: surroundings(),
    keys: [
      { name: 'owner', access: 'full' },
      { name: 'reader', access: 'read' },
      { name: 'bound', access: 'full', namespace: 'mine' },
      { name: 'guest', access: 'read', namespace: 'mine' },
    ],
  });
  await server.app.memories.save({ content: 'In my namespace', namespace: 'mine' });
  await server.app.memories.save({ content: 'Out of sight', namespace: 'elsewhere' });
  const gone = await server.app.memories.save({ content: 'Put away', namespace: 'mine' });
  const { lifecycle } = server.app.memories;
  const { token } = await lifecycle.forgetMany({ ids: [...gone.ids] });
  await lifecycle.forgetMany({ ids: [...gone.ids], ...(token !== undefined && { confirm: token }) });
});
beforeEach(async () => {
  opened = await pages.open(server, { path: '/?view=admin', acceptDownloads: true });
});
afterEach(() => opened[Symbol.asyncDispose]());
afterAll(async () => {
  await server.close();
  await pages.close();
});

async function enter(name: string): Promise<void> {
  const dialog = opened.page.getByRole('dialog', { name: 'This store requires an API key' });
  await dialog.getByLabel('API key', { exact: true }).fill(server.keys.get(name)!);
  await dialog.getByRole('button', { name: 'Unlock' }).click();
}
const section = (name: string) => opened.page.getByRole('region', { name, exact: true });

describe('the administration with a key', () => {
  it('is complete with full access, and asks for a key otherwise', async () => {
    const { page } = opened;
    await enter('owner');
    await page.getByText('Key required').waitFor();
    expect(await page.getByText('Anyone on this machine can read these memories').count()).toBe(0);
    await page.getByRole('button', { name: 'Back up now' }).first().waitFor();
    await page.getByRole('searchbox', { name: 'Filter settings' }).fill('apiKeys');
    await page.getByText('server.auth.apiKeys').waitFor();
    expect(await page.getByText('set, not shown').count()).toBe(0);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export 2 memories' }).click()]);
    expect(download.suggestedFilename()).toMatch(/\.jsonl$/);
    await page.getByLabel('Choose file').setInputFiles({
      name: 'a.jsonl',
      mimeType: 'text/plain',
      buffer: Buffer.from('{"content":"In my namespace","metadata":{"namespace":"mine"}}\n'),
    });
    await page.getByText('Nothing new in this file.').waitFor();
    expect(opened.complaints.filter((complaint) => !REFUSED.test(complaint))).toEqual([]);
  });

  it('shows a read-only key the state of the store without actions', async () => {
    const { page } = opened;
    await enter('reader');
    await page.getByText('The key of this tab is read-only: you see the state of the store but cannot change it.').waitFor();
    await page.getByText('2 memories,').waitFor();
    await section('Archived memories').getByText('Put away').waitFor();
    for (const name of [/^Restore/, /^Back up now/, /^See what would/, /^Re-embed/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByLabel('Choose file').count()).toBe(0);
    expect(await section('Integrations').getByText('Requires a key with full access to all namespaces.').count()).toBe(1);
    expect(await section('Settings').getByText('Requires a key with full access to all namespaces.').count()).toBe(1);
    await page.getByRole('button', { name: 'Export 2 memories' }).waitFor();
    await expectAccessible(page);
  });

  it('shows a read-only key of one namespace no actions', async () => {
    const { page } = opened;
    await enter('guest');
    await page.getByText('The key of this tab is read-only and limited to mine').waitFor();
    // The size on disk is that of every namespace.
    await page.getByText('1 memory', { exact: true }).waitFor();
    await section('Archived memories').getByText('Put away').waitFor();
    for (const name of [/^Restore/, /^Back up now/, /^See what would/, /^Re-embed/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByLabel('Choose file').count()).toBe(0);
    expect(await page.locator('#main').textContent()).not.toMatch(/elsewhere|\/home\/ana|All namespaces/);
    await page.getByRole('button', { name: 'Export 1 memory' }).waitFor();
    await expectAccessible(page);
  });

  it('shows a key of one namespace only that namespace', async () => {
    const { page } = opened;
    await enter('bound');
    await page.getByText('The key of this tab is limited to mine').waitFor();
    // The size on disk is that of every namespace.
    await page.getByText('1 memory', { exact: true }).waitFor();
    await section('Archived memories').getByText('Put away').waitFor();
    expect(await page.locator('#main').textContent()).not.toMatch(/elsewhere|\/home\/ana/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export 1 memory' }).click()]);
    const text = await (await download.createReadStream()).toArray();
    expect(Buffer.concat(text as Buffer[]).toString()).not.toContain('Out of sight');
    await page.getByRole('button', { name: 'Restore “Put away”' }).click();
    await page.getByText('1 memory restored').waitFor();
    await section('Archive').getByRole('heading', { name: 'The archive is empty' }).waitFor();
    await expectAccessible(page);
  });

  it('forgets the key of the tab on request, with its searches, and leaves the page', async () => {
    const { page } = opened;
    await enter('owner');
    await section('API keys').getByText('This tab uses a key.').waitFor();
    await page.evaluate("sessionStorage.setItem('lore.searches', '[\"something private\"]')");
    await page.getByRole('button', { name: 'Lock this tab' }).click();
    await page.waitForURL(`${server.url}/`);
    await page.getByRole('dialog', { name: 'This store requires an API key' }).waitFor();
    const kept = await page.evaluate<string>('Object.values(sessionStorage).join()');
    expect(kept).not.toContain(server.keys.get('owner')!);
    expect(kept).not.toContain('something private');
    expect(await page.locator('#main').textContent()).not.toContain('/home/ana');
    await page.goto(`${server.url}/?view=admin`);
    await enter('reader');
    await page.getByText('The key of this tab is read-only: you see').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Back up now' }).count(), PATIENCE).toBe(0);
  });
});
