import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

const RICH = [
  '# Rollout of the **pricing** page',
  'A first paragraph whose lines are broken because they are full, at about\nseventy letters, is joined by the page into one, whatever its width is.',
  'Short lines\n  keep their breaks.',
  '- [x] reviewed\n- [ ] legal\n  1. Euro\n  2. Dollar',
  '> Prices are with tax.',
  '| Plan | Price |\n|:-----|------:|\n| Solo | 0 € |',
  'See [the runbook](https://wiki.example.com/run), `make ship`, ~~old~~ and *new*.\n![Chart](https://img.example.com/a.png)',
  "```ts\nexport const price = (plan: string): number => (plan === 'solo' ? 0 : 49); // euro\n```",
  '---',
  'The end, says `__init__`.',
].join('\n\n');
const PLAIN = 'First line of a note\n  an indented line\n\n\tafter a blank one, 2 * 3 * 4';

let pages: Pages;
let server: TestServer;
let opened: OpenPage;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server();
});
afterEach(() => opened[Symbol.asyncDispose]());
afterAll(async () => {
  await server.close();
  await pages.close();
});

const textOf = (page: Page): Locator => page.getByRole('region', { name: 'Memory', exact: true }).locator('.prose');

async function details(content: string, query = ''): Promise<Locator> {
  const id = await server.save(content, { namespace: `n${Math.random()}` });
  opened = await pages.open(server, { path: `/?${query}id=${id}` });
  const text = textOf(opened.page);
  await text.waitFor();
  return text;
}

describe('a text of any script', () => {
  /** How far the first character is from either edge of its paragraph. */
  const start = (selector: string): Promise<{ left: number; right: number }> =>
    opened.page.evaluate(`(() => {
      const paragraph = document.querySelector(${JSON.stringify(selector)});
      const range = document.createRange();
      const node = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT).nextNode();
      range.setStart(node, 0);
      range.setEnd(node, 1);
      const [one, all] = [range.getBoundingClientRect(), paragraph.getBoundingClientRect()];
      return { right: all.right - one.right, left: one.left - all.left };
    })()`);

  it('follows the direction of its script, in the row and in the details', async () => {
    await details('המפתח הרזרבי אצל אנה, API key v2', 'q=API+key&');
    const { left, right } = await start('dialog .prose p');
    expect(right).toBeLessThan(4);
    expect(left).toBeGreaterThan(20);
    const row = await start('.hit-text');
    expect(row.right).toBeLessThan(row.left);
  });

  it('escapes bidirectional control characters', async () => {
    const text = await details('Open invoice\u202efdp.exe');
    expect(await text.locator('p').first().textContent()).toBe('Open invoice␦fdp.exe');
  });
});

describe('a text of Markdown', () => {
  it('is rendered', async () => {
    const text = await details(RICH);
    await text.getByRole('heading', { name: 'Rollout of the pricing page', level: 3 }).waitFor();
    expect(await text.locator('h3 strong').innerText()).toBe('pricing');
    expect(await text.locator('p').first().getAttribute('class')).toBeNull();
    expect(await text.locator('p.lines').first().innerText()).toBe('Short lines\n  keep their breaks.');
    expect(await text.locator('ul > li').count()).toBe(2);
    expect(await text.getByRole('img', { name: 'Done' }).count()).toBe(1);
    expect(await text.locator('ul ol > li').allInnerTexts()).toEqual(['Euro', 'Dollar']);
    expect(await text.locator('blockquote').innerText()).toBe('Prices are with tax.');
    expect(await text.locator('table td').allInnerTexts()).toEqual(['Solo', '0 €']);
    expect(await text.locator('del').innerText()).toBe('old');
    expect(await text.locator('em').innerText()).toBe('new');
    expect(await text.locator('hr').count()).toBe(1);
    expect(await text.locator('p code').allInnerTexts()).toEqual(['make ship', '__init__']);
    const link = text.getByRole('link', { name: 'the runbook' });
    expect([await link.getAttribute('href'), await link.getAttribute('rel'), await link.getAttribute('target')]).toEqual([
      'https://wiki.example.com/run',
      'noopener noreferrer',
      '_blank',
    ]);
    expect(opened.complaints).toEqual([]);
  });

  it('has highlighted code without external resources, and a copy button', async () => {
    const text = await details(RICH);
    const code = text.getByRole('group', { name: 'Code, ts' });
    await code.locator('.c-k', { hasText: 'export' }).first().waitFor();
    expect(await code.locator('.c-s').innerText()).toBe("'solo'");
    expect(await code.locator('.c-c').innerText()).toBe('// euro');
    expect(await code.innerText()).toContain("export const price = (plan: string): number => (plan === 'solo' ? 0 : 49); // euro");
    await opened.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await text.getByRole('button', { name: 'Copy code' }).click();
    await opened.page.getByRole('dialog').getByText('Code copied').waitFor();
    expect(await opened.page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^export .* euro$/);
    expect([...opened.hosts]).toEqual([new URL(server.url).host]);
    expect(opened.complaints).toEqual([]);
  });

  it('has no empty block if it is cut at a fence', async () => {
    const text = await details('Run it and look at the answer:\n\n```');
    await expect.poll(() => text.locator('p').innerText()).toBe('Run it and look at the answer:');
    expect(await text.locator('pre').count()).toBe(0);
  });

  it('is shown as source on request', async () => {
    const text = await details(RICH);
    const button = text.getByRole('button', { name: 'Plain text' });
    await text.getByRole('heading').waitFor();
    await button.click();
    await text.locator('.plain').waitFor();
    expect(await text.locator('.plain').textContent()).toBe(RICH);
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    await button.click();
    await text.getByRole('heading').waitFor();
  });

  it('never loads an image, and links to it instead', async () => {
    const text = await details(RICH);
    const link = text.getByRole('link', { name: 'Image: Chart' });
    expect(await link.getAttribute('href')).toBe('https://img.example.com/a.png');
    expect(await opened.page.locator('.prose img').count()).toBe(0);
    await opened.page.getByRole('heading', { name: 'Similar memories' }).waitFor();
    expect([...opened.hosts]).toEqual([new URL(server.url).host]);
  });

  it('has the search words marked, in code too', async () => {
    const text = await details('# Kettles\n\nThe **kettle** whistles.\n\n```ts\nconst kettle = 1;\n```\n\n- a kettle\n- tea', 'q=kettle&');
    await text.locator('.c-k').first().waitFor();
    await expect.poll(() => text.locator('mark').allInnerTexts(), PATIENCE).toEqual(['Kettles', 'kettle', 'kettle', 'kettle']);
    expect(await text.locator('pre mark').count()).toBe(1);
  });
});

describe('a text that is not Markdown', () => {
  it('is rendered as code if it is part of a source file', async () => {
    const content = 'export const a = 1; // **one**';
    const files = [{ path: 'src/a.ts', hash: 'h', passages: [{ content, start: 1, end: 1 }] }];
    await server.call('POST', '/api/sources', { body: { kind: 'index', root: 'shop', namespace: 'shop', files } });
    opened = await pages.open(server, { path: '/?q=export const&ns=shop' });
    const preview = opened.page.getByRole('complementary', { name: 'Selected memory' });
    await preview.getByRole('group', { name: 'Code, ts' }).locator('.c-k').first().waitFor();
    expect(await preview.locator('.c-c').innerText()).toBe('// **one**');
    expect(opened.complaints).toEqual([]);
  });

  it('keeps line breaks and spaces, and has no switch', async () => {
    const text = await details(PLAIN);
    expect(await text.locator('.plain').innerText()).toBe(PLAIN);
    expect(await text.getByRole('button', { name: 'Plain text' }).count()).toBe(0);
  });

  it('is rendered quickly if it is a megabyte of nested quotes', async () => {
    const hostile = `${'> '.repeat(10_000)}deep\n\n${'*a '.repeat(330_000)}`;
    const text = await details(hostile);
    await text.getByRole('button', { name: /^Show all 1,010,00\d characters$/ }).waitFor();
    expect((await text.locator('.plain').textContent())?.slice(0, 20)).toBe('> > > > > > > > > > ');
    await text.getByRole('button', { name: /^Show all/ }).click();
    await expect.poll(async () => (await text.locator('.plain').textContent())?.length, PATIENCE).toBe(hostile.length);
    expect(opened.complaints).toEqual([]);
  });
});

describe('the best passage', () => {
  const gulls = Array.from({ length: 40 }, (_, at) => `Sentence ${at} speaks of gulls above the harbour.`).join(' ');
  const weather = Array.from({ length: 40 }, (_, at) => `Then sentence ${at} speaks of the weather.`).join(' ');

  it('has a bar next to it in plain text', async () => {
    const id = await server.save(`${gulls} The lighthouse keeper has the spare key. ${weather}`, { namespace: 'rule' });
    opened = await pages.open(server, { path: `/?q=lighthouse+keeper&ns=rule&id=${id}` });
    const text = textOf(opened.page);
    await text.locator('.best-words mark').first().waitFor();
    expect(await text.locator('.best-words').textContent()).toContain('The lighthouse keeper has the spare key.');
    expect(await text.locator('.plain').textContent()).toBe(`${gulls} The lighthouse keeper has the spare key. ${weather}`);
    expect((await text.locator('.best-rule').boundingBox())?.height).toBeGreaterThan(20);
    expect(opened.complaints).toEqual([]);
  });

  it('has a bar next to its blocks in Markdown, and the list of passages links to others', async () => {
    const id = await server.save(
      `# Gulls\n\n${gulls.replaceAll('. ', '.\n\n')}\n\n## Keys\n\nThe **lighthouse** keeper has the spare key.\n\n${weather.replaceAll('. ', '.\n\n')}`,
      {
        namespace: 'rule2',
      },
    );
    opened = await pages.open(server, { path: `/?q=lighthouse+keeper&ns=rule2&id=${id}` });
    const { page } = opened;
    const text = textOf(page);
    await text.locator('.best', { hasText: 'The lighthouse keeper' }).waitFor();
    expect(await text.locator('.best').innerText()).not.toContain('Sentence 0');
    await page.getByText('best match').waitFor();
    await page.getByTitle('Show passage 1 in the text').click();
    await text.locator('.best', { hasText: 'Sentence 0 ' }).waitFor();
    expect(await text.locator('.best', { hasText: 'The lighthouse keeper' }).count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });
});
