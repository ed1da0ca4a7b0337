import { describe, expect, it } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { surroundings } from './administration.ts';
import { PATIENCE } from './lore-page.ts';
import { stage } from './stage.ts';

const lore = stage({
  fresh: true,
  server: { administration: surroundings() },
  fill: async (server) => void (await server.save('Saved by a client')),
});
const region = () => lore.page.getByRole('region', { name: 'Requests', exact: true });
const rows = () => region().locator('tbody tr');

describe('the requests of the last hour', () => {
  it('are listed newest first, filtered to failures on request, and refreshed with the page', async () => {
    await lore.server.call('GET', '/api/none/of/these');
    await lore.open({ path: '/?view=admin&part=requests' });
    await region().getByText('GET /api/none/of/these').waitFor();
    const all = await rows().count();
    expect(all).toBeGreaterThan(2);
    await region().getByText('Failed', { exact: true }).click();
    await expect.poll(() => rows().allInnerTexts(), PATIENCE).toEqual([expect.stringMatching(/GET \/api\/none\/of\/these\s+404/)]);
    await expectAccessible(lore.page);
    await lore.server.call('GET', '/api/other/of/these');
    await lore.page.getByRole('button', { name: 'Check again' }).click();
    await expect.poll(() => rows().count(), PATIENCE).toBe(2);
    expect(await rows().first().innerText()).toContain('/api/other/of/these');
    expect(lore.opened.complaints).toEqual([]);
  });
});
