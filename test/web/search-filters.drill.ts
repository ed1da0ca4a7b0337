import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { PATIENCE, type OpenOptions } from './lore-page.ts';
import { stage } from './stage.ts';

/** Noon of a day, by the clock of this machine and not so many hours ago, so that no clock of a test is near its border. */
const noon = (daysAgo: number): string => {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, 12).toISOString();
};

const lore = stage({
  fill: async (server) => {
    const lines = [
      {
        content: 'The tide table hangs in the office',
        namespace: 'harbor',
        tags: ['fact'],
        source: 'mcp',
        importance: 0.9,
        timestamp: noon(0),
      },
      {
        content: 'The tide gauge is read at six',
        namespace: 'harbor',
        tags: ['fact', 'daily'],
        priority: 'high',
        source: 'cli',
        timestamp: noon(3),
      },
      {
        content: 'The tide gate is closed in a storm',
        namespace: 'harbor',
        container: 'gates',
        tags: ['rule, really'],
        source: 'web',
        timestamp: noon(20),
      },
      {
        content: 'The tide song is sung on Sundays',
        namespace: 'choir',
        priority: 'low',
        source: 'import',
        importance: 0.2,
        timestamp: noon(200),
      },
    ];
    await server.call('POST', '/api/import?form=reference', {
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    });
  },
});

async function open(path = '/', options: OpenOptions = {}): Promise<Page> {
  const page = await lore.open({ ...options, path });
  await page.locator('.hit, .line, .state').first().waitFor();
  return page;
}

const filters = (page: Page) => page.getByRole('list', { name: 'Filters' });
const chip = (page: Page, name: string | RegExp) => filters(page).getByRole('button', { name, exact: true });
const box = (page: Page, name: string) => page.getByRole('dialog', { name });
const parameters = (page: Page): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams);
/** The third word of every memory that is listed: table, gauge, gate or song. */
const listed = async (page: Page): Promise<string[]> =>
  (await page.locator('.hit-text, .line-text').allTextContents()).map((text) => text.split(' ')[2] ?? '');
async function expectListed(page: Page, words: readonly string[]): Promise<void> {
  await expect.poll(async () => (await listed(page)).toSorted(), PATIENCE).toEqual(words.toSorted());
}

/** Opens a filter, behind `Filter` where it does not stand there by itself. */
async function openFilter(page: Page, name: string): Promise<void> {
  await chip(page, 'Filter').click();
  await box(page, 'Add a filter').getByRole('button', { name }).click();
}

describe('the filters', () => {
  it('select a namespace, and clear it in place', async () => {
    const page = await open();
    await chip(page, 'All namespaces').click();
    await box(page, 'Namespace').getByRole('button', { name: 'choir' }).click();
    await expectListed(page, ['song']);
    expect(parameters(page)).toEqual({ ns: 'choir' });
    await page.getByRole('button', { name: 'Remove filter: namespace' }).click();
    await expectListed(page, ['table', 'gauge', 'gate', 'song']);
    expect(parameters(page)).toEqual({});
    expect(await page.evaluate('document.activeElement.textContent')).toBe('All namespaces');
    expect(lore.opened.complaints).toEqual([]);
  });

  it('combine several tags, also one with a comma', async () => {
    const page = await open();
    await chip(page, 'Tags').click();
    await box(page, 'Tag').getByRole('button', { name: 'fact' }).click();
    await expectListed(page, ['table', 'gauge']);
    await box(page, 'Tag').getByRole('textbox', { name: 'Find a tag' }).fill('dai');
    await page.keyboard.press('Enter');
    await expectListed(page, ['gauge']);
    expect(new URL(page.url()).searchParams.getAll('tag')).toEqual(['fact', 'daily']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove filter: tag fact' }).click();
    await page.getByRole('button', { name: 'Remove filter: tag daily' }).click();
    await chip(page, 'Tags').click();
    await box(page, 'Tag').getByRole('button', { name: 'rule, really' }).click();
    await expectListed(page, ['gate']);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('select by priority, source and container behind one button', async () => {
    const page = await open();
    await openFilter(page, 'Priority');
    await box(page, 'Add a filter').getByRole('button', { name: 'High' }).click();
    await expectListed(page, ['gauge']);
    await chip(page, /^Priority/).click();
    const option = await box(page, 'Priority').getByRole('button', { name: 'Low' }).boundingBox();
    expect(option!.width).toBeGreaterThan(150);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove filter: priority' }).click();
    await expect.poll(() => chip(page, /^Priority/).count(), PATIENCE).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('filter-more-button');
    await openFilter(page, 'Source');
    await box(page, 'Add a filter').getByRole('button', { name: 'Agent (MCP)' }).click();
    await expectListed(page, ['table']);
    await chip(page, /^Source/).click();
    await box(page, 'Source').getByRole('button', { name: 'Import' }).click();
    await expectListed(page, ['song']);
    await page.getByRole('button', { name: 'Remove filter: source' }).click();
    await openFilter(page, 'Container');
    await box(page, 'Add a filter').getByRole('textbox', { name: 'Find a container' }).fill('gates');
    await page.keyboard.press('Enter');
    await expectListed(page, ['gate']);
    expect(parameters(page)).toEqual({ container: 'gates' });
  });

  it('select by importance', async () => {
    const page = await open();
    await openFilter(page, 'Priority');
    await page.getByText('Exact importance').click();
    const least = page.getByRole('slider', { name: 'At least' });
    await least.fill('0.85');
    await expectListed(page, ['table']);
    expect(parameters(page)).toEqual({ min: '0.85' });
    await expect.poll(() => chip(page, /^Priority/).textContent(), PATIENCE).toBe('Priority ≥ 0.85');
    await page.getByRole('slider', { name: 'At most' }).fill('0.3');
    await expectListed(page, ['song']);
    expect(parameters(page)).toEqual({ max: '0.3' });
  });

  it('select days in the time zone of the person, both ends included', async () => {
    const page = await open();
    await chip(page, 'Any time').click();
    await box(page, 'Saved').getByRole('button', { name: 'Today' }).click();
    await expectListed(page, ['table']);
    expect(await chip(page, /^Saved/).textContent()).toBe('Saved today');
    await chip(page, /^Saved/).click();
    await box(page, 'Saved').getByRole('button', { name: '7 days' }).click();
    await expectListed(page, ['table', 'gauge']);
    await chip(page, /^Saved/).click();
    await box(page, 'Saved').getByRole('button', { name: '30 days' }).click();
    await expectListed(page, ['table', 'gauge', 'gate']);
    const day = noon(20).slice(0, 10);
    await chip(page, /^Saved/).click();
    await box(page, 'Saved').getByLabel('First day').fill(day);
    await box(page, 'Saved').getByLabel('Last day').fill(day);
    await expectListed(page, ['gate']);
    expect(parameters(page)).toEqual({ from: day, to: day });
  });

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('use days in the time zone %s', async (timezoneId) => {
    const page = await open('/', { timezoneId });
    await chip(page, 'Any time').click();
    const there = new Intl.DateTimeFormat('sv-SE', { timeZone: timezoneId }).format(new Date(noon(20)));
    await box(page, 'Saved').getByLabel('First day').fill(there);
    await box(page, 'Saved').getByLabel('Last day').fill(there);
    await expectListed(page, ['gate']);
  });

  it('apply to searches and lists, are in the address, and can be cleared together', async () => {
    const page = await open(`/?q=tide&ns=harbor&tag=fact&tag=daily&priority=high&source=cli&min=0.1&max=1&from=${noon(4).slice(0, 10)}`);
    await expectListed(page, ['gauge']);
    expect(await filters(page).getByRole('listitem').count()).toBeGreaterThan(6);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expectListed(page, ['table', 'gauge', 'gate', 'song']);
    expect(parameters(page)).toEqual({ q: 'tide' });
    await page.goBack();
    await expectListed(page, ['gauge']);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('work by keyboard: Escape closes a box and keeps the search', async () => {
    const page = await open('/?q=tide');
    await chip(page, 'All namespaces').focus();
    await page.keyboard.press('Enter');
    await box(page, 'Namespace').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => box(page, 'Namespace').isVisible(), PATIENCE).toBe(false);
    expect(await page.evaluate('document.activeElement.id')).toBe('filter-ns-button');
    expect(parameters(page)).toEqual({ q: 'tide' });
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.className'), PATIENCE).toBe('option');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expectListed(page, ['song']);
    expect(await page.evaluate('document.activeElement.id')).toBe('filter-ns-button');
  });

  it('focus a box that is reopened while it closes', async () => {
    const page = await open();
    const focused = () => page.evaluate('document.activeElement.className');
    await chip(page, 'All namespaces').press('Enter');
    await expect.poll(focused, PATIENCE).toBe('option');
    await box(page, 'Namespace').evaluate((element: HTMLElement) => {
      element.hidePopover();
      element.showPopover();
    });
    await expect.poll(focused, PATIENCE).toBe('option');
  });

  it('stay when a tag of a result is added', async () => {
    const page = await open('/?ns=harbor&min=0.1');
    await page.locator('.line').getByRole('link', { name: 'daily' }).click();
    await expectListed(page, ['gauge']);
    expect(parameters(page)).toEqual({ ns: 'harbor', min: '0.1', tag: 'daily' });
  });

  it.each([1440, 360])('are accessible in both themes %i pixels wide while they are changed', async (width) => {
    const page = await open('/?q=tide&ns=harbor&tag=fact&min=0.1', { viewport: { width, height: 780 } });
    for (const name of [/^Namespace/, 'Any time']) {
      await chip(page, name).click();
      await page.locator('.popover:popover-open').waitFor();
      await expectAccessibleInBothThemes(page);
      await page.keyboard.press('Escape');
    }
    await openFilter(page, 'Source');
    await expectAccessibleInBothThemes(page);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(lore.opened.complaints).toEqual([]);
  });
});

describe('the values of a filter', () => {
  it('show how many listed memories each would leave', async () => {
    const page = await open('/?ns=harbor');
    await chip(page, 'Tags').click();
    await box(page, 'Tag').getByRole('button', { name: 'fact 2' }).waitFor();
    await page.keyboard.press('Escape');
    await openFilter(page, 'Priority');
    for (const name of ['High 1', 'Normal 2', 'Low 0']) await box(page, 'Add a filter').getByRole('button', { name }).waitFor();
    await box(page, 'Add a filter').getByRole('button', { name: 'High 1' }).click();
    await chip(page, 'Namespace harbor').click();
    // Without its own condition: what another choice would find.
    await box(page, 'Namespace').getByRole('button', { name: 'harbor 1' }).waitFor();
    await box(page, 'Namespace').getByRole('button', { name: 'choir 0' }).waitFor();
    expect(lore.opened.complaints).toEqual([]);
  });

  it('show during a search how many matching memories each would leave', async () => {
    const page = await open('/?q=gauge%20gate%20song');
    const found = page.getByRole('search').getByRole('status');
    await chip(page, 'Tags').click();
    for (const name of ['daily 1', 'fact 1', 'rule, really 1']) await box(page, 'Tag').getByRole('button', { name }).waitFor();
    await page.keyboard.press('Escape');
    await chip(page, 'All namespaces').click();
    await box(page, 'Namespace').getByText('Numbers: memories with these words.').waitFor();
    await box(page, 'Namespace').getByRole('button', { name: 'choir 1' }).waitFor();
    await expectAccessibleInBothThemes(page);
    await box(page, 'Namespace').getByRole('button', { name: 'harbor 2' }).click();
    await expect.poll(() => found.textContent(), PATIENCE).toMatch(/^2 memories/);
    await openFilter(page, 'Priority');
    for (const name of ['High 1', 'Normal 1', 'Low 0']) await box(page, 'Add a filter').getByRole('button', { name }).waitFor();
    await box(page, 'Add a filter').getByRole('button', { name: 'High 1' }).click();
    await expect.poll(() => found.textContent(), PATIENCE).toMatch(/^1 memory/);
    expect(lore.opened.complaints).toEqual([]);
  });

  it('have no numbers in a search by meaning, which matches all', async () => {
    const page = await open('/?q=gauge&mode=vector');
    await chip(page, 'All namespaces').click();
    await box(page, 'Namespace').getByText('No numbers: a search by meaning leaves out no memory.').waitFor();
    expect((await box(page, 'Namespace').getByRole('button').allTextContents()).toSorted()).toEqual(['choir', 'harbor']);
    await expectAccessibleInBothThemes(page);
  });

  it('list the years with memories', async () => {
    await lore.server.call('POST', '/api/import?form=reference', {
      body: JSON.stringify({ content: 'The tide mill burnt down', namespace: 'mill', timestamp: '2019-07-01T12:00:00Z' }),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const page = await open('/');
    await chip(page, 'Any time').click();
    await box(page, 'Saved').getByRole('button', { name: '2019 1' }).click();
    await expect.poll(() => chip(page, /^Saved/).textContent(), PATIENCE).toBe('Saved 2019');
    await page.getByText('The tide mill burnt down').first().waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe('2019-01-01');
  });

  it('separate memories from file passages, in the list and in a search', async () => {
    await lore.server.call('POST', '/api/import?form=reference', {
      body: JSON.stringify({ content: 'The tide manual has ten pages', namespace: 'harbor', source: 'ingest' }),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const page = await open('/?ns=harbor');
    await openFilter(page, 'Kind');
    await box(page, 'Add a filter').getByRole('button', { name: 'Memories 3' }).waitFor();
    await expectAccessibleInBothThemes(page);
    await box(page, 'Add a filter').getByRole('button', { name: 'Passages of files 1' }).click();
    await expectListed(page, ['manual']);
    expect(parameters(page)).toEqual({ ns: 'harbor', kind: 'file' });
    await page.goto(page.url().replace('?', '?q=tide&'));
    await expectListed(page, ['manual']);
    await page.getByRole('button', { name: 'Remove filter: kind' }).click();
    await expectListed(page, ['table', 'gauge', 'gate', 'manual']);
    expect(lore.opened.complaints).toEqual([]);
  });
});
