import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { surroundings } from './administration.ts';
import { openPages, PATIENCE, type OpenOptions, type OpenPage, type Pages } from './lore-page.ts';

let pages: Pages;
let server: TestServer;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server({ administration: surroundings({ SERVICE_STORAGE_BACKUP_INTERVAL: '0' }) });
  for (const content of ['The tide tables are in the blue folder', 'Deploys happen on Tuesday', 'Ana holds the key'])
    await server.save(content);
});
afterAll(async () => {
  await server.close();
  await pages.close();
});

const openAdmin = (part = '', options: OpenOptions = {}): Promise<OpenPage> =>
  pages.open(server, { path: `/?view=admin${part === '' ? '' : `&part=${part}`}`, ...options });

describe('the health of the store', () => {
  it('shows problems and effects, with a link to the remedy', async () => {
    await using opened = await openAdmin();
    const { page } = opened;
    await page.getByRole('heading', { name: 'Administration' }).waitFor();
    const warnings = page.getByRole('list', { name: 'Warnings' });
    await warnings.getByText('Anyone on this machine can read these memories').waitFor();
    await warnings.getByText('There is no backup yet').waitFor();
    expect(await warnings.getByText('storage.backupInterval').count()).toBe(1);
    await warnings.getByRole('link', { name: 'Set a key…' }).click();
    expect(new URL(page.url()).searchParams.get('part')).toBe('keys');
    await page.getByText('The first key has full access.').waitFor();
    expect(await page.title()).toBe('Administration · Lore');
    expect(opened.complaints).toEqual([]);
  });

  it('has a line for each part of the store', async () => {
    await using opened = await openAdmin();
    const { page } = opened;
    const line = (name: string) => page.locator('#health li', { has: page.getByText(name, { exact: true }) });
    await expect.poll(() => line('Store').textContent(), PATIENCE).toMatch(/Healthy.*3 memories/);
    expect(await line('Search by meaning').textContent()).toMatch(/Ready.*hashed-words, builtin/);
    expect(await line('Index').textContent()).toMatch(/Up to date/);
    expect(await line('Background work').textContent()).toMatch(/Idle|Working/);
    expect(await line('Access').textContent()).toMatch(/Open.*this machine only, no key/);
    await expect.poll(() => line('Live updates').textContent(), PATIENCE).toMatch(/Live/);
    expect(await line('Capture').textContent()).toMatch(/On.*nothing captured yet/);
  });

  it('shows the current state', async () => {
    await using opened = await openAdmin();
    const { page } = opened;
    await page.getByText('3 memories,').waitFor();
    const id = await server.save('A fourth one');
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('4 memories,').waitFor();
    expect(await page.getByText('3 memories,').count()).toBe(0);
    await server.call('DELETE', `/api/${id}`);
  });

  it('can be linked by section', async () => {
    await using opened = await openAdmin('settings');
    const { page } = opened;
    const contents = page.getByRole('navigation', { name: 'Sections' });
    await expect.poll(() => contents.getByRole('link', { name: 'Settings' }).getAttribute('aria-current'), PATIENCE).toBe('true');
    await expect.poll(() => page.evaluate<number>('scrollY'), PATIENCE).toBeGreaterThan(300);
    await contents.getByRole('link', { name: 'Health' }).click();
    await expect.poll(() => page.evaluate<number>('scrollY'), PATIENCE).toBeLessThan(200);
    expect(new URL(page.url()).searchParams.get('part')).toBe('health');
    await page.goBack();
    await expect.poll(() => page.evaluate<number>('scrollY'), PATIENCE).toBeGreaterThan(300);
  });

  it('helps if the server is gone', async () => {
    await using other = await pages.server();
    await using opened = await pages.open(other, { path: '/?view=admin' });
    const { page } = opened;
    await page.getByText('0 memories,').waitFor();
    await other.closeServer();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByRole('heading', { name: 'The server is not responding' }).waitFor();
    expect(await page.getByText('lore serve').count()).toBe(1);
  });
});

describe('the settings', () => {
  it('are shown with their sources, can be searched, and hide secrets', async () => {
    await using opened = await openAdmin('settings');
    const { page } = opened;
    const table = page.getByRole('region', { name: 'List of settings' }).getByRole('table');
    const row = (key: string) => table.getByRole('row').filter({ has: page.getByText(key, { exact: true }) });
    await row('search.limit').waitFor();
    expect(await row('server.port').count()).toBe(0);
    await page.getByLabel('Show defaults').check();
    await row('server.port').waitFor();
    expect(await row('search.limit').textContent()).toMatch(/20.*environment/);
    expect(await row('server.port').textContent()).toMatch(/7007.*default/);
    expect(await row('server.auth.apiKeys').textContent()).toMatch(/not set/);
    const filter = page.getByRole('searchbox', { name: 'Filter settings' });
    await filter.fill('backup');
    await expect.poll(() => table.getByRole('row').count(), PATIENCE).toBeLessThan(6);
    await row('storage.backupInterval').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('backup');
    await filter.fill('no such setting');
    await page.getByText('No matching setting.').waitFor();
    await filter.fill('');
    await page.getByLabel('Show defaults').uncheck();
    await expect.poll(() => table.getByText('default', { exact: true }).count(), PATIENCE).toBe(0);
    await row('storage.backupInterval').waitFor();
    expect(opened.complaints).toEqual([]);
  });
});

describe('the integrations', () => {
  it('show the state of each client and the command to fix it', async () => {
    await using opened = await openAdmin('integrations', { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = opened;
    const line = (title: string) => page.locator('#integrations li').filter({ has: page.getByText(title, { exact: true }) });
    await line('Cursor').waitFor();
    expect(await line('Cursor').textContent()).toMatch(
      /Needs attention.*from another installation or version of Lore.*lore setup --target cursor/,
    );
    expect(await line('Claude Code').textContent()).toMatch(/Set up/);
    expect(await line('Windsurf').textContent()).toMatch(/Not set up.*Not found on this machine/);
    expect(await line('Codex').textContent()).toMatch(/Cannot be read.*manually/);
    await line('Cursor').getByRole('button', { name: 'Copy the command for Cursor' }).click();
    await page.getByText('Command copied').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('lore setup --target cursor');
  });

  it('have an explanation if the server has none', async () => {
    await using other = await pages.server();
    await using opened = await pages.open(other, { path: '/?view=admin&part=integrations' });
    await opened.page.getByText('Only lore serve shows clients').waitFor();
    expect(await opened.page.locator('#integrations li').count()).toBe(0);
  });
});

describe('the administration', () => {
  it('collapses settings with defaults, and expands them on request or by a link', async () => {
    await using opened = await openAdmin('', { viewport: { width: 1440, height: 900 } });
    const { page } = opened;
    const section = (name: string) => page.getByRole('region', { name, exact: true });
    await section('Archive').getByText('Nothing archived.').waitFor();
    await section('Inbox').getByText('Nothing to review.').waitFor();
    await section('API keys').getByText('No key is set.').waitFor();
    expect(await section('Archive').getByRole('button', { name: 'Preview compaction' }).count()).toBe(0);
    // A client needs attention.
    await section('Integrations').getByText('Needs attention').first().waitFor();
    await expectAccessibleInBothThemes(page);
    const show = section('Archive').getByRole('button', { name: 'Show Archive' });
    await show.focus();
    await page.keyboard.press('Enter');
    await section('Archive').getByRole('button', { name: 'Preview compaction' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => section('Archive').getByRole('button', { name: 'Preview compaction' }).count(), PATIENCE).toBe(0);
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'API keys' }).click();
    await section('API keys').getByText('The first key has full access.').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it.each([360, 1440])('is accessible in both themes, and fits a window of %i px', async (width) => {
    await using opened = await openAdmin('', { viewport: { width, height: 800 } });
    const { page } = opened;
    await page.getByLabel('Show defaults').check();
    for (const section of ['Inbox', 'Archive', 'API keys']) await page.getByRole('button', { name: `Show ${section}` }).click();
    await page.getByText('The archive is empty').waitFor();
    await page.locator('#integrations li').first().waitFor();
    await expectAccessibleInBothThemes(page);
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(opened.complaints).toEqual([]);
    expect([...opened.hosts]).toEqual([new URL(server.url).host]);
  });
});
