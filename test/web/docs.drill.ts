import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../helpers/server.ts';
import { openPages, PATIENCE, type Pages } from './lore-page.ts';

let pages: Pages;
let server: TestServer;

beforeAll(async () => {
  pages = await openPages();
  server = await pages.server();
  await server.save('The anchor weighs two tons', { namespace: 'harbor', tags: ['ship'] });
});
afterAll(async () => {
  await server.close();
  await pages.close();
});

describe('/docs', () => {
  it('shows every operation of the document with parameters, schemas and responses', async () => {
    await using opened = await pages.open(server, { path: '/docs' });
    const { page, complaints } = opened;
    const { body } = await server.call('GET', '/openapi.json');
    const methods = ['get', 'post', 'patch', 'delete', 'put'];
    const operations = Object.values((body as unknown as { paths: Record<string, object> }).paths).flatMap((item) =>
      Object.keys(item).filter((name) => methods.includes(name)),
    );
    await page.locator('.route').first().waitFor();
    expect(await page.locator('.route').count()).toBe(operations.length);
    const save = page.getByRole('region', { name: 'POST /api/save', exact: true });
    const said = await save.innerText();
    for (const part of ['POST', 'content string required', 'Request body', '200', 'Problems: 400']) expect(said).toContain(part);
    expect(complaints).toEqual([]);
  });

  it('tries a request with a body and shows the response and the curl command', async () => {
    await using opened = await pages.open(server, { path: '/docs' });
    const { page } = opened;
    const search = page.getByRole('region', { name: 'POST /api/search', exact: true });
    await search.getByRole('button', { name: 'Try it' }).click();
    const form = search.getByRole('form', { name: 'Try it: POST /api/search' });
    await form.getByLabel(/Request body/).fill('{ "query": "it\'s an anchor", "searchMode": "keyword" }');
    await form.getByRole('button', { name: 'Send' }).click();
    const answer = form.getByRole('region', { name: 'Answer' }).last();
    await answer.getByText('The anchor weighs two tons').waitFor();
    await form.getByText('200 OK').waitFor();
    const curl = await form.getByRole('region', { name: 'As a shell command' }).innerText();
    expect(curl).toContain(`curl '${server.url}/api/search'`);
    expect(curl).toContain(String.raw`it'\''s an anchor`);
    expect(opened.hosts.size).toBe(1);
  });

  it('tries a request with parameters in path and query', async () => {
    await using opened = await pages.open(server, { path: '/docs' });
    const { page } = opened;
    const list = page.getByRole('region', { name: 'GET /api/list', exact: true });
    await list.getByRole('button', { name: 'Try it' }).click();
    const form = list.getByRole('form');
    await form.getByLabel(/^namespace/).fill('harbor');
    await form.getByLabel(/^allNamespaces/).selectOption('false');
    const sent = page.waitForRequest((request) => request.url().includes('/api/list'));
    await form.getByRole('button', { name: 'Send' }).click();
    expect(new URL((await sent).url()).search).toBe('?namespace=harbor&allNamespaces=false');
    await form.getByText('200 OK').waitFor();
  });

  it('stops an endless response on request or automatically, and says which', async () => {
    await using opened = await pages.open(server, { path: '/docs' });
    const { page } = opened;
    const events = page.getByRole('region', { name: 'GET /api/events', exact: true });
    await events.getByRole('button', { name: 'Try it' }).click();
    const form = events.getByRole('form');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('This stream does not end: the first 3 seconds are shown.').waitFor();
    expect(await form.getByRole('region', { name: 'Answer' }).last().innerText()).toContain('retry:');
    expect(await form.getByText('characters are shown').count()).toBe(0);
    await page.clock.install();
    const begun = page.waitForResponse((response) => response.url().includes('/api/events'));
    await form.getByRole('button', { name: 'Send' }).click();
    await begun;
    await form.getByRole('button', { name: 'Stop' }).click();
    await form.getByRole('button', { name: 'Send' }).waitFor();
    // Past the moment at which it would have been given up.
    await page.clock.fastForward(10_000);
    await expect.poll(() => form.getByRole('button', { name: 'Stop' }).count(), PATIENCE).toBe(0);
    expect(opened.complaints).toEqual([]);
  });

  it('shows an error as the server reports it', async () => {
    await using opened = await pages.open(server, { path: '/docs' });
    const { page } = opened;
    const forget = page
      .locator('.route', { has: page.locator('.method--delete') })
      .filter({ has: page.getByText('/api/{id}', { exact: true }) });
    await forget.getByRole('button', { name: 'Try it' }).click();
    await forget.getByLabel(/^id/).fill('01920000-0000-7000-8000-000000000000');
    await forget.getByRole('button', { name: 'Send' }).click();
    await forget.getByText('404 Not Found').waitFor();
    expect(await forget.getByRole('region', { name: 'Answer' }).last().innerText()).toContain('"code": "NOT_FOUND"');
  });

  it('asks for the key if the server has one, sends it, and never shows it', async () => {
    await using locked = await pages.server({ keys: [{ name: 'all', access: 'full' }] });
    await using opened = await pages.open(locked, { path: '/docs' });
    const { page } = opened;
    const key = locked.keys.get('all')!;
    await page.getByRole('dialog').getByLabel('API key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Unlock' }).click();
    const health = page.getByRole('region', { name: 'GET /api/health', exact: true });
    await health.getByRole('button', { name: 'Try it' }).click();
    await health.getByRole('button', { name: 'Send' }).click();
    await health.getByText('200 OK').waitFor();
    expect(await health.innerText()).toContain('x-api-key: $LORE_KEY');
    expect(await page.content()).not.toContain(key);
  });

  it('shows recursive schemas', async () => {
    await using opened = await pages.open(server, { path: '/' });
    const { page } = opened;
    const node = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } },
    };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Tree', version: '1' },
      tags: [{ name: 'Trees', description: 'What grows.' }],
      paths: {
        '/api/tree': {
          post: {
            tags: ['Trees'],
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } },
            responses: {
              '200': { description: 'Grown.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Loop' } } } },
            },
          },
        },
      },
      components: { schemas: { Node: node, Loop: { $ref: '#/components/schemas/Loop' } } },
    };
    await page.route('**/openapi.json', (route) => route.fulfill({ json: document }));
    await page.goto(`${server.url}/docs`);
    await page.getByRole('heading', { level: 2, name: 'Trees' }).last().waitFor();
    const route = page.getByRole('region', { name: 'POST /api/tree' });
    await route.getByText('children', { exact: true }).click();
    await route.getByText('Node, as above').waitFor();
    await route.getByRole('button', { name: 'Try it' }).click();
    await expect.poll(() => route.getByLabel(/Request body/).inputValue()).toBe('{\n  "name": "text"\n}');
    expect(opened.complaints).toEqual([]);
  });
});
