import { describe, expect, it } from 'vitest';
import { surroundings } from './administration.ts';
import { openPages, PATIENCE } from './lore-page.ts';

const FILTER =
  'ns=harbour&container=harbour&tag=ship&tag=two%2C+words&priority=high&source=api&min=0.1&max=1&from=2026-01-01&to=2036-01-01';
/** Each view, and addresses of it in which it asks for other things. */
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  memories: ['q=ship&mode=keyword&explain=1', 'as=timeline', 'sort=-importance'],
  graph: ['seed=:id&depth=3&strength=0.2&hide=similar', ''],
  save: [''],
  stats: ['range=12m'],
  admin: ['part=archive&reason=forgotten&page=1', 'part=data', ''],
};
const addresses = Object.entries(VIEWS).flatMap(([view, ways]) =>
  [`view=${view}`, `view=${view}&${FILTER}`].flatMap((start) => ways.map((more) => `/?${start}&${more}`)),
);

/** What these addresses ask for at least. */
const ASKED = ['archive', 'backups', 'events', 'graph', 'health', 'integrations', 'list', 'namespaces', 'search', 'settings']
  .concat('stats', 'stats/activity', 'stats/growth', 'timeline', '{id}', '{id}/history', '{id}/passages', '{id}/related', '{id}/similar')
  .map((route) => `/api/${route}`);

describe('the page', () => {
  it('sends only known fields, in each view, with every filter and an open memory', async () => {
    const pages = await openPages();
    const server = await pages.server({ administration: surroundings() });
    const fields = { namespace: 'harbour', container: 'harbour', tags: ['ship', 'two, words'], priority: 'high' };
    const id = await server.save('The ship leaves at nine', fields);
    await server.call('POST', '/api/relations', {
      body: { sourceId: await server.save('The ship leaves at ten', fields), targetId: id, type: 'references' },
    });
    await using opened = await pages.open(server);
    const refused: string[] = [];
    const asked = new Set<string>();
    opened.page.on('request', (request) => asked.add(new URL(request.url()).pathname.replace(id, '{id}')));
    opened.page.on('response', (response) => {
      if (response.status() === 400) refused.push(response.url());
    });
    for (const address of ['/docs', `/?id=${id}`, ...addresses, '/?view=admin&part=data']) {
      await opened.page.goto(server.url + address.replace(':id', id));
      await expect.poll(() => opened.page.locator('main').count(), PATIENCE).toBeGreaterThan(0);
      await opened.page.waitForLoadState('load');
      // The next address would end what this one has not asked for yet.
      const due = /[?&]id=/.test(address) ? ASKED.filter((route) => route.includes('{id}')) : [];
      await expect.poll(() => due.filter((route) => !asked.has(route)), PATIENCE).toEqual([]);
    }
    await expect.poll(() => ASKED.filter((route) => !asked.has(route)), PATIENCE).toEqual([]);
    expect(refused).toEqual([]);
    await server.close();
    await pages.close();
  });
});
