import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LiveSettings } from '../../src/cli/settings/live-settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { surroundings } from './administration.ts';
import { openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let pages: Pages;
let server: TestServer;
let opened: OpenPage;

beforeEach(async () => {
  folder = await temporaryFolder();
  const directories = { data: folder.path, config: folder.path };
  const env = { SERVICE_MEMORY_MAX_LIMIT: '50', SERVICE_EMBEDDINGS_PROVIDER: 'builtin' };
  const live = new LiveSettings(loadConfig({ cwd: '/', env, directories }), () => undefined);
  pages = await openPages();
  server = await pages.server({ settings: live, administration: surroundings() });
});
afterEach(async () => {
  await opened[Symbol.asyncDispose]();
  await server.close();
  await pages.close();
  await folder[Symbol.asyncDispose]();
});

const file = (): Promise<unknown> => readFile(join(folder.path, 'config.json'), 'utf8').then(JSON.parse);
const region = () => opened.page.getByRole('region', { name: 'Settings', exact: true });
const row = (key: string) =>
  region()
    .locator('tbody tr')
    .filter({ has: opened.page.getByText(key, { exact: true }) });
async function look(filter: string, width = 1280): Promise<void> {
  opened = await pages.open(server, { path: `/?view=admin&part=settings&q=${filter}`, viewport: { width, height: 900 } });
  await region().locator('tbody tr').first().waitFor();
}

describe('the settings on the page', () => {
  it('are changed at once and in the file, rejected with a reason, and reset to the default', async () => {
    await look('search.limit');
    await row('search.limit').getByRole('button', { name: 'Change search.limit' }).click();
    const field = row('search.limit').getByRole('textbox', { name: 'search.limit' });
    await expect.poll(() => field.evaluate('document.activeElement?.ariaLabel'), PATIENCE).toBe('search.limit');
    await field.fill('60');
    await row('search.limit').getByRole('button', { name: 'Save' }).click();
    await opened.page.getByText('Not changed: search.limit must be at most memory.maxLimit (50)').waitFor();
    await field.fill('20');
    await row('search.limit').getByRole('button', { name: 'Save' }).click();
    await row('search.limit').getByText('user file').waitFor();
    expect(await file()).toEqual({ search: { limit: 20 } });
    await row('search.limit').getByRole('button', { name: 'Change search.limit' }).click();
    await row('search.limit').getByRole('button', { name: 'Reset to default' }).click();
    await row('search.limit').getByText('default', { exact: true }).waitFor();
    expect(await file()).toEqual({ search: {} });
    expect(opened.complaints.filter((one) => !/status of 400/.test(one))).toEqual([]);
  });

  it('are a choice if they have few values, and read-only if a change had no effect', async () => {
    await look('capture');
    await row('capture.enabled').getByRole('button', { name: 'Change capture.enabled' }).click();
    await row('capture.enabled').getByRole('combobox').selectOption('false');
    await row('capture.enabled').getByRole('button', { name: 'Save' }).click();
    await row('capture.enabled').getByText('user file').waitFor();
    await row('capture.sourceTag').getByText('Needs a restart').waitFor();
    expect(await row('capture.sourceTag').getByRole('button').count()).toBe(0);
    await region().getByRole('searchbox').fill('maxLimit');
    await row('memory.maxLimit').getByText('Set by the environment SERVICE_MEMORY_MAX_LIMIT').waitFor();
    expect(await row('memory.maxLimit').getByRole('button').count()).toBe(0);
  });

  it.each([1440, 1024, 390])('is usable on a window of %i pixels', async (width) => {
    await look('compaction', width);
    await row('compaction.ttlDays').getByRole('button', { name: 'Change compaction.ttlDays' }).click();
    await row('compaction.removeLowImportance').getByRole('button', { name: 'Change compaction.removeLowImportance' }).click();
    await row('compaction.ttlDays').getByText('Allowed: a whole number from 0 to 36500').waitFor();
    await expectAccessibleInBothThemes(opened.page);
    const [inner, scroll] = await opened.page.evaluate<[number, number]>('[innerWidth, document.documentElement.scrollWidth]');
    expect(scroll).toBeLessThanOrEqual(inner);
  });
});
