// npm run screenshots [-- --help]: pictures of the page with the memories of `lore demo`, for the documents. Not part of the tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { smallPng } from './small-png.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const USAGE = `npm run screenshots -- [options]
  --out FOLDER   where they go; default docs/images
  --only NAMES   some of them, separated by commas
  --themes LIST  default light,dark
`;
const WIDE = { name: '', viewport: { width: 1440, height: 900 } };
const PHONE = { name: '-390', viewport: { width: 390, height: 844 }, hasTouch: true };
const QUESTION = 'why do we retry webhooks';
/** Views fetch what they show, and the graph is laid out in its own time. */
const SETTLED_MS = 900;
const GRAPH_MS = 4_000;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: path.join(ROOT, 'docs/images') },
    only: { type: 'string' },
    themes: { type: 'string', default: 'light,dark' },
    help: { type: 'boolean', default: false },
  },
});

async function openFirst(page) {
  const preview = page.getByRole('complementary', { name: 'Selected memory' });
  const wide = await preview.isVisible();
  await (wide ? preview.getByRole('button', { name: 'Open' }) : page.locator('.hit-text a').first()).click();
  await page.locator('dialog.drawer .drawer-main').waitFor();
}

async function showRelations(page) {
  await openFirst(page);
  await page.waitForTimeout(SETTLED_MS);
  await page
    .locator('dialog.drawer')
    .getByRole('heading', { name: /^Relations/ })
    .scrollIntoViewIfNeeded();
}

/** Each with its address, what is done there before the picture, and whether a small screen is shown too. */
const SHOTS = [
  { name: 'search', address: `/?q=${encodeURIComponent(QUESTION)}`, phone: true },
  { name: 'explain', address: `/?q=${encodeURIComponent(QUESTION)}&explain=1` },
  { name: 'entry', address: `/?q=${encodeURIComponent('runbook webhooks do not arrive')}`, act: openFirst, phone: true },
  { name: 'relations', address: `/?q=${encodeURIComponent('webhook deliveries retry 8 times with jittered backoff')}`, act: showRelations },
  { name: 'memories', address: '/', phone: true },
  { name: 'timeline', address: '/?as=timeline' },
  { name: 'graph', address: '/?view=graph&ns=kelpwright/api', wait: GRAPH_MS, phone: true },
  { name: 'graph-list', address: '/?view=graph&as=list' },
  { name: 'save', address: '/?view=save', act: fillSaveForm, phone: true },
  { name: 'stats', address: '/?view=stats', phone: true },
  { name: 'admin', address: '/?view=admin', phone: true },
  { name: 'palette', address: `/?q=${encodeURIComponent(QUESTION)}`, act: openPalette, phone: true },
  { name: 'help', address: '/', act: (page) => page.keyboard.press('?') },
  { name: 'docs', address: '/docs#recall', act: tryIt, phone: true },
  { name: 'guide', address: '/docs#guide-curl', phone: true },
];

async function fillSaveForm(page) {
  const text = 'Webhook timeout is 8 s, connect 2 s. Anything slower gets the retry. The island partner answers in 5 s on a good day.';
  await page.getByRole('combobox', { name: 'Tags' }).pressSequentially('webhooks,decision,');
  await page.getByRole('textbox', { name: 'Memory' }).fill(text);
  await page.waitForTimeout(SETTLED_MS);
}

async function openPalette(page) {
  const wide = page.viewportSize().width > 800;
  if (wide) await page.keyboard.press('Control+k');
  else await page.getByRole('button', { name: 'Commands' }).last().click();
  await page.getByRole('combobox', { name: 'Command or memory' }).pressSequentially('arch');
}

async function tryIt(page) {
  const route = page.getByRole('region', { name: 'POST /api/recall', exact: true });
  await route.getByRole('button', { name: 'Try it' }).click();
  await route.getByLabel(/Request body/).fill(JSON.stringify({ query: QUESTION, limit: 2 }, undefined, 2));
  await route.getByRole('button', { name: 'Send' }).click();
}

const browserPath = () =>
  [process.env['CHROME_PATH'], '/usr/bin/chromium', '/usr/bin/google-chrome'].find((place) => place !== undefined && existsSync(place));

async function startDemo() {
  const child = spawn(process.execPath, [path.join(ROOT, 'bin/run.js'), 'demo', '--no-open', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  child.stdout.resume();
  return { child, url: JSON.parse(String(line)).url };
}

async function take(browser, url, { shot, theme, screen }) {
  const context = await browser.newContext({
    ...screen,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: timeZone(),
  });
  const page = await context.newPage();
  await page.goto(url + shot.address);
  await page.waitForLoadState('load');
  await page.waitForTimeout(SETTLED_MS);
  await shot.act?.(page);
  await page.waitForTimeout(shot.wait ?? SETTLED_MS);
  // The pointer is nobody's in a picture.
  await page.mouse.move(0, 0);
  const file = path.join(values.out, `${shot.name}${screen.name}-${theme}.png`);
  await writeFile(file, smallPng(await page.screenshot({ animations: 'disabled', caret: 'hide' })));
  await context.close();
  process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
}

/** That of the server: days begin at the same time in both. */
const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

async function run() {
  if (values.help) return process.stdout.write(USAGE);
  await mkdir(values.out, { recursive: true });
  const shots = SHOTS.filter(({ name }) => values.only === undefined || values.only.split(',').includes(name));
  const { child, url } = await startDemo();
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', '--disable-lcd-text'],
  });
  try {
    for (const shot of shots) {
      for (const theme of values.themes.split(',')) {
        for (const screen of shot.phone ? [WIDE, PHONE] : [WIDE]) await take(browser, url, { shot, theme, screen });
      }
    }
  } finally {
    await browser.close();
    child.kill('SIGINT');
    await once(child, 'exit');
  }
}

await run();
