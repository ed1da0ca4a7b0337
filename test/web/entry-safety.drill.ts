import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { openPages, type Pages } from './lore-page.ts';

const RUN = 'window.ran=1';
/** What must neither run nor be loaded nor be led to. */
const ADDRESSES = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  `java\tscript:${RUN}`,
  `&#106;avascript:${RUN}`,
  `\u0001javascript:${RUN}`,
  `vbscript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9IndpbmRvdy5yYW49MSIvPg==',
  'file:///etc/passwd',
  '//evil.example/x',
];
const MARKUP = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"><animate onbegin="${RUN}"/></svg>`,
  `<a href="javascript:${RUN}">press</a>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<style>body{display:none}</style>`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<math><mi xlink:href="javascript:${RUN}">x</mi></math>`,
  `<input autofocus onfocus="${RUN}">`,
  `<form action="javascript:${RUN}"><button>go</button></form>`,
  `<base href="https://evil.example/">`,
  `<link rel="stylesheet" href="https://evil.example/x.css">`,
  `<object data="https://evil.example/x"></object>`,
];

/** Every construct of Markdown that can hold an address or a text. */
const WITH_ADDRESS: readonly ((address: string) => string)[] = [
  (address) => `[press](${address})`,
  (address) => `[press](<${address}>)`,
  (address) => `[press](<${address}> "title")`,
  (address) => `![see](<${address}>)`,
  (address) => `[![see](<${address}>)](<${address}>)`,
  (address) => `<${address}>`,
  (address) => `[press][ref]\n\n[ref]: <${address}>`,
  (address) => `- [press](<${address}>)\n- item`,
  (address) => `| a | b |\n|---|---|\n| [press](<${address}>) | ![see](<${address}>) |`,
  (address) => `# [press](<${address}>)`,
  (address) => `> ![see](<${address}>)`,
  (address) => `**[press](<${address}>)** ~~[press](<${address}>)~~`,
];
const WITH_MARKUP: readonly ((markup: string) => string)[] = [
  (markup) => markup,
  (markup) => `text ${markup} text`,
  (markup) => `- ${markup}\n- ${markup}`,
  (markup) => `> ${markup}`,
  (markup) => `# ${markup}`,
  (markup) => `| ${markup} | b |\n|---|---|\n| ${markup} | \`${markup}\` |`,
  (markup) => `[${markup}](https://example.com "${markup}")`,
  (markup) => `![${markup}](https://example.com/a.png)`,
  (markup) => `\`\`\`html\n${markup}\n\`\`\``,
  (markup) => `\`\`\`${markup}\ncode\n\`\`\``,
  (markup) => `**${markup}** \`${markup}\``,
];

let pages: Pages;
let server: TestServer;
beforeAll(async () => {
  pages = await openPages();
  server = await pages.server();
});
afterAll(async () => {
  await server.close();
  await pages.close();
});

/** A few together make one memory. */
function groups<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / 4) }, (_, nth) => all.slice(4 * nth, 4 * nth + 4));
}

async function expectHarmless(content: string, fields: Record<string, unknown> = {}): Promise<void> {
  const id = await server.save(content, { namespace: 'safe', ...fields });
  await using opened = await pages.open(server, { path: `/?id=${id}` });
  const { page, hosts, complaints } = opened;
  const text = page.getByRole('region', { name: 'Memory', exact: true });
  await text.locator('.prose > :not(.plain, button)').first().waitFor();
  await page.getByRole('heading', { name: 'Similar memories' }).waitFor();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  // What is a link leads to the web, and nothing else does.
  const targets = await page.evaluate<string[]>("[...document.querySelectorAll('.prose a')].map((link) => link.getAttribute('href'))");
  expect(targets.filter((target) => !/^(?:https?:\/\/|mailto:)/.test(target))).toEqual([]);
  const elements = 'script:not([src]), iframe, img, object, embed, form:not([aria-label]), base[href], style, link[href^="https:"], math';
  expect(await page.locator(elements).count()).toBe(0);
  const handlers = "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames()).filter((name) => name.startsWith('on'))";
  expect(await page.evaluate(handlers)).toEqual([]);
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect([...hosts]).toEqual([new URL(server.url).host]);
  expect(complaints).toEqual([]);
}

describe('the text of a memory', () => {
  it('has only web links, in every construct', async () => {
    for (const constructs of groups(WITH_ADDRESS)) {
      await expectHarmless(['# Addresses', ...constructs.flatMap((construct) => ADDRESSES.map(construct)), '`end`'].join('\n\n'));
    }
  }, 120_000);

  it('is shown as text if it is markup, in every construct', async () => {
    for (const constructs of groups(WITH_MARKUP)) {
      await expectHarmless(['# Markup', ...constructs.flatMap((construct) => MARKUP.map(construct)), '`end`'].join('\n\n'));
    }
  }, 120_000);

  it('shows markup and refused links as written', async () => {
    const id = await server.save(`# See\n\n${MARKUP[1]}\n\nand [press](javascript:${RUN}) **now**`, { namespace: 'safe' });
    await using opened = await pages.open(server, { path: `/?id=${id}` });
    const text = opened.page.getByRole('region', { name: 'Memory', exact: true }).locator('.prose');
    await text.locator('strong').waitFor();
    expect(await text.innerText()).toContain(MARKUP[1]);
    expect(await text.innerText()).toContain(`[press](javascript:${RUN})`);
  });
});

describe('the fields of a memory', () => {
  it('are shown as text too: tags, namespace, container, names and history', async () => {
    const [markup = '', image = ''] = MARKUP;
    const tag = `javascript:${RUN}`;
    await expectHarmless(`# Beside\n\nsee src/${markup}.ts and \`${image}\``, {
      namespace: image,
      container: markup,
      tags: [markup, image, tag],
    });
    const id = await server.save('# Old\n\n**text**', { namespace: markup });
    await server.call('PATCH', `/api/${id}`, { body: { content: `# New\n\n${image}`, tags: [image], namespace: image } });
    await using opened = await pages.open(server, { path: `/?id=${id}` });
    const { page } = opened;
    await page.getByRole('button', { name: 'Show previous text' }).click();
    await page.getByRole('dialog', { name: 'Text until' }).getByText('**text**').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('form', { name: 'Edit memory' }).waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(opened.complaints).toEqual([]);
  });
});
