import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { PATIENCE } from './lore-page.ts';
import { seedThousand } from './seed.ts';
import { stage } from './stage.ts';

const PHONE = { width: 360, height: 780 };

const lore = stage({ fill: seedThousand });
beforeEach(async () => {
  const page = await lore.open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.locator('.line-text').first().waitFor();
});

const palette = () => lore.page.getByRole('dialog', { name: 'Commands' });
const input = () => palette().getByRole('combobox', { name: 'Command or memory' });
const chosen = () => palette().getByRole('option', { selected: true });
async function open(typed = ''): Promise<void> {
  await lore.page.keyboard.press('Control+k');
  await input().waitFor();
  await input().pressSequentially(typed);
}
const address = (): URL => new URL(lore.page.url());

describe('the palette', () => {
  it('opens by its key, also from a field, and closes by Escape with the focus restored', async () => {
    await lore.page.getByRole('searchbox').focus();
    await lore.page.keyboard.type('tide');
    await open();
    await lore.page.keyboard.press('Escape');
    await expect.poll(() => palette().count(), PATIENCE).toBe(0);
    await expect.poll(() => lore.page.evaluate('document.activeElement.type'), PATIENCE).toBe('search');
  });

  it('opens a view', async () => {
    await open('stati');
    await expect.poll(() => chosen().innerText(), PATIENCE).toContain('Statistics');
    await lore.page.keyboard.press('Enter');
    await lore.page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    expect(lore.opened.complaints).toEqual([]);
  });

  it('opens a namespace and a tag', async () => {
    await open('namespace gate');
    await palette()
      .getByRole('option', { name: /^Namespace kelpwright\/gate/ })
      .click();
    await expect.poll(() => address().searchParams.get('ns'), PATIENCE).toBe('kelpwright/gate');
    await open('tag webh');
    await palette()
      .getByRole('option', { name: /^Tag webhooks \d+ memories/ })
      .click();
    await expect.poll(() => address().searchParams.getAll('tag'), PATIENCE).toEqual(['webhooks']);
  });

  it('finds memories while typing, and opens them', async () => {
    await open('ferry deck sold twice');
    const first = palette().getByRole('option', { name: /^The same car deck was sold twice/ });
    await first.waitFor();
    expect(await first.locator('mark').allInnerTexts()).toEqual(['deck', 'sold', 'twice']);
    await first.click();
    await lore.page.getByRole('dialog', { name: 'Memory' }).getByText('one very patient skipper').first().waitFor();
  });

  it('passes the typed text to the search', async () => {
    await open('tidal flats');
    await palette().getByRole('option', { name: 'All memories about “tidal flats”' }).click();
    await expect.poll(() => lore.page.getByRole('searchbox').inputValue(), PATIENCE).toBe('tidal flats');
  });

  it('is navigated by arrows in a loop, and keeps the focus in the field', async () => {
    await open();
    const first = await chosen().innerText();
    await lore.page.keyboard.press('ArrowUp');
    await expect.poll(() => chosen().innerText()).not.toBe(first);
    await lore.page.keyboard.press('ArrowDown');
    await expect.poll(() => chosen().innerText()).toBe(first);
    const named = await input().getAttribute('aria-activedescendant');
    expect(await chosen().getAttribute('id')).toBe(named);
    expect(await lore.page.evaluate('document.activeElement.role')).toBe('combobox');
  });

  it('is narrowed to one group by Tab, and widened by Backspace', async () => {
    await open('arch');
    await palette().getByRole('group', { name: 'Go to' }).waitFor();
    await lore.page.keyboard.press('Tab');
    await expect.poll(() => palette().getByRole('group').count(), PATIENCE).toBe(1);
    await input().fill('');
    await lore.page.keyboard.press('Backspace');
    await expect.poll(() => palette().getByRole('group').count(), PATIENCE).toBeGreaterThan(1);
  });

  it('remembers searches of this tab', async () => {
    await lore.page.getByRole('searchbox').fill('idempotency');
    const recent = () => lore.page.evaluate<string | null>("sessionStorage.getItem('lore.searches')");
    await expect.poll(recent, PATIENCE).toContain('idempotency');
    await lore.page.getByRole('searchbox').fill('');
    await open();
    await palette().getByRole('group', { name: 'Recent searches' }).getByRole('option', { name: 'idempotency' }).click();
    await expect.poll(() => address().searchParams.get('q'), PATIENCE).toBe('idempotency');
  });

  it('runs actions: theme, mode, link', async () => {
    await open('dark theme');
    await lore.page.keyboard.press('Enter');
    await expect.poll(() => lore.page.locator('html').getAttribute('data-theme'), PATIENCE).toBe('dark');
    expect(await lore.page.getByRole('radio', { name: 'Dark' }).first().isChecked()).toBe(true);
    await open('words only');
    await lore.page.keyboard.press('Enter');
    await expect.poll(() => address().searchParams.get('mode'), PATIENCE).toBe('keyword');
    await open('copy link');
    await lore.page.keyboard.press('Enter');
    await lore.page.getByText('Link copied').waitFor();
    expect(await lore.page.evaluate<string>('navigator.clipboard.readText()')).toBe(lore.page.url());
  });

  it('opens above the details of a memory', async () => {
    await lore.page.locator('.line-text').first().focus();
    await lore.page.keyboard.press('Enter');
    await lore.page.getByRole('dialog', { name: 'Memory' }).waitFor();
    await open('graph');
    await lore.page.keyboard.press('Escape');
    await expect.poll(() => palette().count(), PATIENCE).toBe(0);
    expect(await lore.page.getByRole('dialog', { name: 'Memory' }).count()).toBe(1);
  });

  it('shows its search over the details of a memory', async () => {
    await lore.page.locator('.line-text').first().focus();
    await lore.page.keyboard.press('Enter');
    await lore.page.getByRole('dialog', { name: 'Memory' }).waitFor();
    await open('words only');
    await lore.page.keyboard.press('Enter');
    await expect.poll(() => lore.page.getByRole('dialog').count(), PATIENCE).toBe(0);
    expect(address().searchParams.get('mode')).toBe('keyword');
    await expect.poll(() => lore.page.evaluate('document.activeElement.type'), PATIENCE).toBe('search');
  });

  it('only ever shows text', async () => {
    await lore.server.save('<img src=x onerror="window.ran = 1"> hostile palette', { namespace: '<b>bold</b>' });
    await open('hostile palette');
    await palette()
      .getByRole('option', { name: /<img src=x/ })
      .waitFor();
    await input().fill('bold');
    await palette()
      .getByRole('option', { name: /Namespace <b>bold<\/b>/ })
      .waitFor();
    expect(await lore.page.evaluate('window.ran')).toBeUndefined();
  });
});

describe('the help', () => {
  it('lists every key, and the keys work', async () => {
    // The page opens in the search field, where a key is a letter.
    await lore.page.keyboard.press('Escape');
    await lore.page.keyboard.press('?');
    const help = lore.page.getByRole('dialog', { name: 'Keyboard' });
    await help.waitFor();
    const rows = (await help.locator('dl > div').allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' '));
    expect(rows).toEqual(expect.arrayContaining(['Commands Ctrl K', 'Save a memory N', 'Next J or ↓', 'Close Esc']));
    await lore.page.keyboard.press('Escape');
    await expect.poll(() => help.count(), PATIENCE).toBe(0);
    for (const [key, view] of [
      ['b', null],
      ['g', 'graph'],
      ['n', 'save'],
    ] as const) {
      await lore.page.locator('#main').focus();
      await lore.page.keyboard.press(key);
      await expect.poll(() => address().searchParams.get('view'), PATIENCE).toBe(view);
    }
    // The form takes the focus once it is there: a key is a letter from then on, so it comes last.
    await expect.poll(() => lore.page.evaluate('document.activeElement.tagName'), PATIENCE).toBe('TEXTAREA');
  });

  it('opens by its button next to the commands', async () => {
    const side = lore.page.getByRole('complementary', { name: 'Main' });
    await side.getByRole('button', { name: 'Keyboard' }).click();
    await lore.page.getByRole('dialog', { name: 'Keyboard' }).getByRole('button', { name: 'Close' }).click();
    await side.getByRole('button', { name: 'Commands' }).click();
    await expect.poll(() => palette().count(), PATIENCE).toBe(1);
  });
});

it.each([1440, 360])('both are accessible in both themes at %i pixels', async (width) => {
  await using own = await lore.pages.open(lore.server, { viewport: { width, height: 800 } });
  await own.page.locator('.line-text').first().waitFor();
  await own.page.keyboard.press('Control+k');
  await own.page.getByRole('combobox', { name: 'Command or memory' }).pressSequentially('web');
  await own.page.getByRole('group', { name: 'Memories' }).waitFor();
  await expectAccessibleInBothThemes(own.page);
  for (const key of ['Escape', 'Escape', '?']) await own.page.keyboard.press(key);
  await own.page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await expectAccessibleInBothThemes(own.page);
});

it('opens by a button on a small screen', async () => {
  await using own = await lore.pages.open(lore.server, { viewport: PHONE, hasTouch: true });
  await own.page.getByRole('button', { name: 'Commands' }).tap();
  await own.page.getByRole('option', { name: /^Administration/ }).tap();
  await expect.poll(() => new URL(own.page.url()).searchParams.get('view'), PATIENCE).toBe('admin');
  expect(await own.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
});

it('locks the tab of a server with a key', async () => {
  await using locked = await lore.pages.server({ keys: [{ name: 'all', access: 'full' }] });
  await locked.app.memories.save({ content: 'Known to those who have the key', namespace: 'vault' });
  await using own = await lore.pages.open(locked);
  const question = own.page.getByRole('dialog', { name: 'This store requires an API key' });
  await question.getByLabel('API key', { exact: true }).fill(locked.keys.get('all')!);
  await question.getByRole('button', { name: 'Unlock' }).click();
  await own.page.locator('.line').getByText('Known to those who have the key').waitFor();
  expect(await question.count()).toBe(0);
  await own.page.getByRole('link', { name: 'Save a memory' }).first().click();
  await own.page.getByRole('textbox', { name: 'Memory' }).fill('Not for anyone who comes next');
  await own.page.keyboard.press('Control+k');
  await own.page.getByRole('combobox', { name: 'Command or memory' }).pressSequentially('lock this');
  await own.page.keyboard.press('Enter');
  await question.waitFor();
  expect(await own.page.evaluate<number>('sessionStorage.length')).toBe(0);
  expect(await own.page.locator('body').innerHTML()).not.toMatch(/Known to those|vault/);
  await own.page.goBack();
  await question.waitFor();
  expect(await own.page.locator('#save-content').inputValue()).toBe('');
});
