import { describe, expect, it } from 'vitest';
import { PATIENCE } from './lore-page.ts';
import { stage } from './stage.ts';

const HEBREW = 'המפתח הרזרבי נמצא אצל אנה, ולכן אפשר לבקש ממנה (גם בערב).';
const ARABIC = 'النسخة الاحتياطية تعمل كل ليلة عند الساعة 02:00 ثم تُرسل إلى الخادم الثاني';
const PERSIAN = 'پشتیبان‌گیری هر شب اجرا می‌شود';
const REVERSED = 'The file is called invoice\u202efdp.exe and must not be opened';
const SHOWN = 'The file is called invoice␦fdp.exe and must not be opened';

let reversed = '';
const lore = stage({
  fresh: true,
  fill: async (server) => {
    const id = await server.save(`# ${PERSIAN}\n\n- ${PERSIAN}\n- ${HEBREW}\n\n> ${ARABIC}`, { namespace: 'harbor' });
    const other = await server.save(ARABIC, { namespace: 'harbor' });
    await server.call('POST', '/api/relations', { body: { sourceId: id, targetId: other, type: 'supersedes' } });
    reversed = await server.save(REVERSED, { namespace: 'harbor', tags: ['invoice'] });
  },
});

describe('a text from right to left', () => {
  it('has its list, its quote and the current version of its fact on its side', async () => {
    const page = await lore.open();
    await page.locator('.line-text', { hasText: PERSIAN }).click();
    const dialog = page.getByRole('dialog', { name: 'Memory' });
    const direction = (of: string) =>
      dialog
        .locator(of)
        .first()
        .evaluate((element) => getComputedStyle(element).direction);
    await dialog.locator('.prose ul').waitFor();
    for (const part of ['.prose ul', '.prose blockquote', '.strip b']) await expect.poll(() => direction(part), PATIENCE).toBe('rtl');
  });

  it('begins on its side in the editor and in a row', async () => {
    const page = await lore.open();
    const row = page.locator('.line-text', { hasText: ARABIC }).first();
    const isPlain = (element: Element): string => getComputedStyle(element).unicodeBidi;
    expect(await row.evaluate(isPlain)).toBe('plaintext');
    await row.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
    expect(await page.locator('#edit-content').evaluate(isPlain)).toBe('plaintext');
  });

  it('keeps its end in the labels of the graph', async () => {
    const page = await lore.open({ path: '/?view=graph' });
    await page.locator('canvas[aria-busy="false"]').waitFor();
    const written = await page.evaluate<readonly (readonly [string, string])[]>(`(async () => {
      const seen = new Map();
      const { prototype } = CanvasRenderingContext2D;
      const { fillText } = prototype;
      prototype.fillText = function (text, x, y) {
        seen.set(text, this.direction);
        fillText.call(this, text, x, y);
      };
      document.documentElement.dataset.theme = 'dark';
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return [...seen];
    })()`);
    expect(written.map(([, direction]) => direction)).toEqual(['rtl', 'rtl']);
  });
});

describe('characters that reverse text', () => {
  it('are shown in the archive', async () => {
    await lore.server
      .call('POST', '/api/forget', { body: { ids: [reversed] } })
      .then(({ body: { token } }) => lore.server.call('POST', '/api/forget', { body: { ids: [reversed], confirm: token } }));
    const page = await lore.open({ path: '/?view=admin&part=archive' });
    await expect.poll(() => page.getByText(SHOWN).count(), PATIENCE).toBe(1);
  });

  it('are shown next to a text that repeats them', async () => {
    const page = await lore.open({ path: '/?view=save&ns=harbor' });
    await page.locator('#save-content').fill(`${REVERSED} today`);
    await expect.poll(() => page.locator('#save-near').innerText(), PATIENCE).toContain(SHOWN);
  });

  it('are shown in an earlier version', async () => {
    await lore.server.call('PATCH', `/api/${reversed}`, { body: { content: 'Open the invoice before noon' } });
    const page = await lore.open({ path: `/?id=${reversed}` });
    await page.getByRole('button', { name: 'Show previous text' }).click();
    await expect.poll(() => page.locator('.before-b').innerText(), PATIENCE).toBe(SHOWN);
  });
});

describe('dates', () => {
  it('are in the language of the browser', async () => {
    const page = await lore.open({ locale: 'de-DE', path: '/?from=2026-03-01&to=2026-05-02' });
    await expect.poll(() => page.locator('.chip', { hasText: 'Saved' }).first().innerText(), PATIENCE).toMatch(/1\. März.* to 2\. Mai/);
    await page.goto(lore.server.url);
    const today = new Intl.DateTimeFormat('de-DE', { weekday: 'long', day: 'numeric', month: 'long' }).format(new Date());
    await expect.poll(() => page.locator('.day').first().innerText(), PATIENCE).toContain(today);
  });
});
