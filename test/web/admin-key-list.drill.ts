import { describe, expect, it } from 'vitest';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { surroundings } from './administration.ts';
import { PATIENCE } from './lore-page.ts';
import { stage } from './stage.ts';

const lore = stage({
  fresh: true,
  server: { administration: surroundings() },
  fill: async (server) => void (await server.save('Saved by a client', { namespace: 'mine' })),
});
const region = () => lore.page.getByRole('region', { name: 'API keys', exact: true });
const rows = () => region().locator('tbody tr');
const withKey = async (method: string, path: string, key: string) =>
  (await lore.server.call(method, path, { headers: { 'x-api-key': key } })).status;

/** Creates a key in the form as it stands. Gives the key that is shown. */
async function create(name: string): Promise<string> {
  await region().getByLabel('Name', { exact: true }).fill(name);
  await region().getByRole('button', { name: 'Create key' }).click();
  await region().getByText(`“${name}” is created.`).waitFor();
  return await region().locator('.term .grow').innerText();
}

describe('the API keys on the page', () => {
  it('start with one that this tab uses, and every other request then needs one', async () => {
    await lore.open({ path: '/?view=admin&part=keys', permissions: ['clipboard-read', 'clipboard-write'] });
    await region().getByText('The first key has full access.').waitFor();
    expect(await region().getByRole('group', { name: 'Access' }).count()).toBe(0);
    const key = await create('owner');
    expect(key).toMatch(/^lore_[\w-]{43}$/);
    await region().getByRole('button', { name: 'Copy key' }).click();
    await lore.page.getByText('Key copied').waitFor();
    expect(await lore.page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await region().getByText('This tab uses a key.').waitFor();
    await expect.poll(() => rows().allInnerTexts(), PATIENCE).toEqual([expect.stringMatching(/owner\s+Full access.+This tab/s)]);
    expect((await lore.server.call('GET', '/api/list')).status).toBe(401);
    await lore.page.reload();
    await rows().first().waitFor();
    expect(await lore.page.locator('#main').innerText()).not.toContain(key);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('are created with a scope, show their last use, and are revoked after confirmation', async () => {
    await lore.open({ path: '/?view=admin&part=keys' });
    await create('owner');
    await region().getByText('Read-only', { exact: true }).click();
    await region().getByLabel('Only in namespace').fill('mine');
    const key = await create('dashboard');
    await rows().nth(1).getByText('Read-only, only mine').waitFor();
    expect(await rows().nth(1).innerText()).toContain('Never');
    expect(await withKey('GET', '/api/list', key)).toBe(200);
    expect(await withKey('GET', '/api/keys', key)).toBe(403);
    await lore.page.getByRole('button', { name: 'Check again' }).click();
    await rows().nth(1).getByText('Just now').waitFor();
    await region().getByRole('button', { name: 'Revoke “dashboard”' }).click();
    const dialog = lore.page.getByRole('dialog', { name: 'Revoke “dashboard”?' });
    await expectAccessibleInBothThemes(lore.page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await rows().count()).toBe(2);
    await region().getByRole('button', { name: 'Revoke “dashboard”' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await expect.poll(() => rows().count(), PATIENCE).toBe(1);
    expect(await withKey('GET', '/api/list', key)).toBe(401);
    await region().getByLabel('Name', { exact: true }).fill('owner');
    await region().getByRole('button', { name: 'Create key' }).click();
    await lore.page.getByText('Not done: A key named "owner" exists already.').waitFor();
  });

  it.each([1440, 1024, 390])('is usable on a window of %i pixels', async (width) => {
    await lore.open({ path: '/?view=admin&part=keys', viewport: { width, height: 900 } });
    await region().getByText('The first key has full access.').waitFor();
    await expectAccessibleInBothThemes(lore.page);
    await create('owner');
    await rows().first().waitFor();
    await expectAccessibleInBothThemes(lore.page);
    const [inner, scroll] = await lore.page.evaluate<[number, number]>('[innerWidth, document.documentElement.scrollWidth]');
    expect(scroll).toBeLessThanOrEqual(inner);
  });
});
