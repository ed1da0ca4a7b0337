import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { openPages, PATIENCE, type OpenPage, type Pages } from './lore-page.ts';

const CODE = 'fn main() {\n    push(event);\n\n\tdone();\n}';

let pages: Pages;
let server: TestServer;
let opened: OpenPage;
let ids: string[];

beforeAll(async () => {
  pages = await openPages();
});
beforeEach(async () => {
  server = await pages.server();
  ids = [
    await server.save('The spare key is with Ana', { tags: ['home'], namespace: 'house', container: 'keys', priority: 'high' }),
    await server.save(CODE, { namespace: 'house' }),
  ];
});
afterEach(async () => {
  await opened[Symbol.asyncDispose]();
  await server.close();
});
afterAll(() => pages.close());

describe('the details of a memory', () => {
  it('show beside the list what is selected, with its spaces and line breaks', async () => {
    opened = await pages.open(server);
    const preview = opened.page.getByRole('complementary', { name: 'Selected memory' });
    await preview.getByText('push(event)').waitFor();
    expect(await preview.locator('.plain').innerText()).toBe(CODE);
  });

  it('open over the page with every fact, and again from their address', async () => {
    opened = await pages.open(server, { path: `/?id=${ids[0]}` });
    const dialog = opened.page.getByRole('dialog', { name: 'Memory' });
    await dialog.getByText('The spare key is with Ana').waitFor();
    const facts = dialog.getByRole('complementary', { name: 'Facts' });
    const said = (await facts.textContent()) ?? '';
    for (const part of ['High', 'house', 'keys', 'HTTP API', '25 characters', ids[0]!, 'home']) expect(said).toContain(part);
    expect(opened.complaints).toEqual([]);
  });

  it('say which files and people the text names', async () => {
    const id = await server.save('The retry lives in src/http/retry.ts, says @ken', { namespace: 'house' });
    opened = await pages.open(server, { path: `/?id=${id}` });
    const facts = opened.page.getByRole('dialog', { name: 'Memory' }).getByRole('complementary', { name: 'Facts' });
    await facts.getByText('src/http/retry.ts, @ken').waitFor();
    expect(opened.complaints).toEqual([]);
  });

  it('say so where the id names nothing', async () => {
    opened = await pages.open(server, { path: '/?id=01920000-0000-7000-8000-000000000000' });
    await opened.page.getByRole('dialog').getByRole('heading', { name: 'This memory is not here' }).waitFor();
    expect(await opened.page.getByRole('dialog').getByRole('button', { name: 'Forget' }).count()).toBe(0);
  });

  it('copy the id, the text and a link', async () => {
    opened = await pages.open(server, { path: `/?id=${ids[0]}`, permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = opened;
    const dialog = page.getByRole('dialog', { name: 'Memory' });
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await dialog.getByRole('button', { name: 'Copy the id' }).click();
    await dialog.getByText('Id copied').waitFor();
    expect(await copied()).toBe(ids[0]);
    await dialog.getByRole('button', { name: 'Copy text' }).click();
    await dialog.getByText('Text copied').waitFor();
    expect(await copied()).toBe('The spare key is with Ana');
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    await dialog.getByText('Link copied').waitFor();
    expect(await copied()).toBe(`${server.url}/?id=${ids[0]}`);
  });

  it('forget a memory only after it was confirmed', async () => {
    opened = await pages.open(server, { path: `/?id=${ids[0]}` });
    const { page } = opened;
    await page.getByRole('dialog', { name: 'Memory' }).getByRole('button', { name: 'Forget' }).click();
    const question = page.getByRole('dialog', { name: 'Forget this memory?' });
    await question.getByRole('button', { name: 'Keep it' }).click();
    expect((await server.call('GET', `/api/${ids[0]}`)).status).toBe(200);
    await page.getByRole('dialog', { name: 'Memory' }).getByRole('button', { name: 'Forget' }).click();
    await question.getByRole('button', { name: 'Forget it' }).click();
    await page.getByText('Memory forgotten').first().waitFor();
    expect((await server.call('GET', `/api/${ids[0]}`)).status).toBe(404);
    await expect.poll(() => page.locator('.hit').count(), PATIENCE).toBe(1);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  it('take a memory that someone else forgot meanwhile as forgotten', async () => {
    opened = await pages.open(server, { path: `/?id=${ids[0]}` });
    const { page } = opened;
    await page.getByRole('dialog', { name: 'Memory' }).getByRole('button', { name: 'Forget' }).click();
    await server.call('DELETE', `/api/${ids[0]}`);
    await page.getByRole('button', { name: 'Forget it' }).click();
    await page.getByText('It was forgotten already').first().waitFor();
    await expect.poll(() => page.locator('.hit').count(), PATIENCE).toBe(1);
  });
});
