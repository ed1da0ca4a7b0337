import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { expectAccessible } from './accessibility.ts';
import { PATIENCE } from './lore-page.ts';
import { stage } from './stage.ts';

const lore = stage({ fresh: true, fill: (server) => server.save('The first memory of all', { namespace: 'harbor' }) });
beforeEach(async () => {
  await lore.open();
  await state('Live').waitFor();
});

const side = () => lore.page.getByRole('complementary', { name: 'Main' });
const state = (word: string) => side().getByText(word, { exact: true });
/** A line to the server that can be cut. */
async function wireTo({ port }: TestServer): Promise<AsyncDisposable & { url: string; cut: () => void; mend: () => void }> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const wire = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => other.destroy());
      one.pipe(other);
    }
    if (isCut) near.destroy();
  });
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  const { port: own } = wire.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    mend: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => wire.close(resolve));
    },
  };
}
/** What the side counts in a namespace. */
const entries = (namespace: string) => side().getByRole('link', { name: new RegExp(`^${namespace}`) });
const newest = () => lore.page.locator('.line-text').first();

describe('the page during changes by others', () => {
  it('shows new memories and their count', async () => {
    await lore.server.save('A second one, from elsewhere', { namespace: 'harbor' });
    await expect.poll(() => entries('harbor').innerText(), PATIENCE).toContain('2');
    await side().getByText('1 new memory since you opened this page').waitFor({ state: 'attached' });
    const lines = Array.from({ length: 300 }, (_, nth) => JSON.stringify({ content: `Line ${nth} of a file`, namespace: 'crowd' }));
    await lore.server.call('POST', '/api/import', { body: lines.join('\n'), headers: { 'content-type': 'application/x-ndjson' } });
    await expect.poll(() => entries('crowd').innerText(), PATIENCE).toContain('300');
    await expect
      .poll(
        () =>
          side()
            .getByText(/new memories since/)
            .textContent(),
        PATIENCE,
      )
      .toContain('301 new memories');
    expect(lore.opened.complaints).toEqual([]);
  });

  it('freezes while paused, also after a reload, and catches up afterwards', async () => {
    await side().getByRole('button', { name: 'Pause live updates' }).click();
    await state('Paused').waitFor();
    await lore.page.reload();
    await state('Paused').waitFor();
    await entries('harbor').waitFor();
    await lore.server.save('Said while nobody listens', { namespace: 'harbor' });
    await lore.server.save('And in another place', { namespace: 'quay' });
    await side().getByRole('button', { name: 'Resume live updates' }).click();
    await state('Live').waitFor();
    await lore.server.save('Said while somebody does', { namespace: 'harbor' });
    await expect.poll(() => entries('harbor').innerText(), PATIENCE).toContain('3');
    await entries('quay').waitFor();
    expect(lore.opened.complaints).toEqual([]);
  });

  it('reconnects automatically and catches up', async () => {
    await using wire = await wireTo(lore.server);
    await using behind = await lore.pages.open({ ...lore.server, url: wire.url });
    const foot = behind.page.getByRole('complementary', { name: 'Main' });
    await foot.getByText('Live', { exact: true }).waitFor();
    wire.cut();
    await foot.getByText('Reconnecting', { exact: true }).waitFor();
    await lore.server.save('Missed by the page', { namespace: 'missed' });
    wire.mend();
    await foot.getByText('Live', { exact: true }).waitFor();
    await foot.getByRole('link', { name: /^missed/ }).waitFor();
    await expect.poll(() => foot.getByText('1 new memory since you opened this page').count(), PATIENCE).toBe(1);
  });

  it('works without live updates', async () => {
    await lore.page.route('**/api/events*', (route) =>
      route.fulfill({ status: 404, json: { success: false, error: 'no', code: 'NOT_FOUND' } }),
    );
    await lore.page.reload();
    await state('Not live').waitFor();
    await expect.poll(() => newest().innerText(), PATIENCE).toBe('The first memory of all');
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme, live and paused', async (colorScheme) => {
    await lore.page.emulateMedia({ colorScheme });
    await expectAccessible(lore.page);
    await side().getByRole('button', { name: 'Pause live updates' }).click();
    await state('Paused').waitFor();
    await expectAccessible(lore.page);
  });
});

describe('results in view', () => {
  const QUERY = 'first memory of all';
  const rows = () => lore.page.locator('.hit-text').allInnerTexts();
  const bar = () => lore.page.getByRole('button', { name: /new memor/ });
  /** The very text that is asked for comes before one that holds it. */
  const saveBetter = (namespace: string): Promise<string> => lore.server.save(QUERY, { namespace });
  let second: string;
  beforeEach(async () => {
    await lore.page.getByRole('searchbox').fill(QUERY);
    await lore.page.locator('.hit-text').first().waitFor();
    second = await saveBetter('quay');
    await bar().click();
    await lore.page.locator('.hit-text').nth(1).waitFor();
  });

  it('do not move: new ones wait behind a bar', async () => {
    await saveBetter('dock');
    await lore.page.getByRole('button', { name: '1 new memory', exact: true }).waitFor();
    const gone = await saveBetter('pier');
    await lore.page.getByRole('button', { name: '2 new memories' }).waitFor();
    await lore.server.call('DELETE', `/api/${gone}`);
    await lore.page.getByRole('button', { name: '1 new memory', exact: true }).waitFor();
    expect(await rows()).toEqual([QUERY, 'The first memory of all']);
    await expectAccessible(lore.page);
    await bar().click();
    await expect.poll(rows, PATIENCE).toEqual([QUERY, QUERY, 'The first memory of all']);
    await lore.page.locator('ol li:first-child a:focus').first().waitFor();
    expect(await bar().count()).toBe(0);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('update changed memories and drop forgotten ones in place', async () => {
    const [first] = (await lore.server.call('GET', '/api/list?namespace=harbor&form=reference')).body.entries;
    await lore.server.call('PATCH', `/api/${first!.id}`, { body: { content: 'The first memory of all, changed' } });
    await expect.poll(rows, PATIENCE).toEqual([QUERY, 'The first memory of all, changed']);
    await lore.server.call('DELETE', `/api/${second}`);
    await expect.poll(rows, PATIENCE).toEqual(['The first memory of all, changed']);
    expect(await bar().count()).toBe(0);
  });
});

describe('the connection of a page', () => {
  it('is shared, and closed with the page', async () => {
    const ended = (): number => lore.server.logged.filter(({ path }) => path === '/api/events').length;
    await lore.page.getByRole('link', { name: 'Statistics' }).first().click();
    await lore.page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    await lore.page.getByRole('link', { name: 'Memories' }).first().click();
    await newest().waitFor();
    expect(ended()).toBe(0);
    await lore.page.close();
    await expect.poll(ended, PATIENCE).toBe(1);
  });
});
