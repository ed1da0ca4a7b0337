import { describe, expect, it } from 'vitest';
import { TEST_NAMESPACE } from '../helpers/server.ts';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import { delay, PATIENCE } from './lore-page.ts';
import { saveForm } from './save-form.ts';

const { lore, content, receipt, save, inNamespace } = saveForm();

describe('the save form', () => {
  it('saves a memory with all its fields and links to it from the receipt', async () => {
    expect(await lore.page.getByLabel('Container', { exact: true }).count()).toBe(0);
    await lore.page.goto(`${lore.server.url}/?view=save&container=crane`);
    await content().fill('Deploy on Tuesdays only');
    const tags = lore.page.getByRole('combobox', { name: 'Tags' });
    await tags.fill('dec');
    await lore.page.getByRole('option', { name: /decision/ }).click();
    await tags.fill('weekly');
    await tags.press('Enter');
    await lore.page.getByLabel('Namespace', { exact: true }).fill('harbor');
    await lore.page.getByLabel('Container', { exact: true }).fill('ship');
    await lore.page.getByRole('radio', { name: 'High' }).check();
    await save();
    await receipt().getByRole('heading', { name: 'Saved: “Deploy on Tuesdays only”' }).waitFor();
    expect(await content().inputValue()).toBe('');
    await receipt().getByRole('link', { name: 'Open' }).click();
    const dialog = lore.page.getByRole('dialog', { name: 'Memory' });
    await dialog.getByText('Deploy on Tuesdays only').waitFor();
    const id = new URL(lore.page.url()).searchParams.get('id');
    const { body } = await lore.server.call('GET', `/api/${id}`);
    expect(body.entry.content).toBe('Deploy on Tuesdays only');
    expect(body.entry.metadata).toMatchObject({
      namespace: 'harbor',
      container: 'ship',
      tags: ['decision', 'weekly'],
      priority: 'high',
      source: 'web',
    });
    expect(lore.opened.complaints).toEqual([]);
  });

  it('has one control for priority and importance, and sends an exact value only if set', async () => {
    const exact = lore.page.getByText('Exact importance');
    const weight = async () => {
      const { body } = await lore.server.call('GET', `/api/list?namespace=${TEST_NAMESPACE}`);
      const { priority, importance } = body.entries[0]!.metadata;
      return [priority, Number(importance.toFixed(2))];
    };
    await lore.page.getByRole('radio', { name: 'High' }).check();
    await expect.poll(() => exact.textContent(), PATIENCE).toBe('Exact importance 0.80');
    await content().fill('It follows from the priority');
    await save();
    await receipt().waitFor();
    expect(await weight()).toEqual(['high', 0.8]);
    await exact.click();
    await lore.page.getByRole('slider', { name: 'Importance' }).fill('0.35');
    await expectAccessibleInBothThemes(lore.page);
    await content().fill('It is exact');
    await save();
    await receipt().getByRole('heading', { name: 'Saved: “It is exact”' }).waitFor();
    expect(await weight()).toEqual(['high', 0.35]);
    // It belonged to that memory alone.
    await expect.poll(() => exact.textContent(), PATIENCE).toBe('Exact importance 0.80');
  });

  it('leaves an empty namespace to the server, and shows it', async () => {
    await lore.page.getByText(`${TEST_NAMESPACE} unless you name another.`).waitFor();
    await content().fill('A thought without a place');
    await content().press('Control+Enter');
    await receipt().waitFor();
    const { body } = await lore.server.call('GET', `/api/list?namespace=${TEST_NAMESPACE}`);
    expect(body.entries.map((entry: { content: string }) => entry.content)).toEqual(['A thought without a place']);
  });

  it('saves into the global namespace', async () => {
    await content().fill('Tabs are two spaces');
    await lore.page.getByRole('switch', { name: /Global/ }).check();
    await expect.poll(() => lore.page.getByLabel('Namespace', { exact: true }).isDisabled()).toBe(true);
    await save();
    await receipt().waitFor();
    expect((await lore.server.call('GET', '/api/list?namespace=global')).body.total).toBe(1);
  });

  it('reports that a known text was not stored twice', async () => {
    for (const title of ['Saved: “Once is enough”', 'Already saved: “Once is enough”']) {
      await content().fill('Once is enough');
      await save();
      await receipt().getByRole('heading', { name: title }).waitFor();
    }
    expect((await lore.server.call('GET', `/api/list?namespace=${TEST_NAMESPACE}`)).body.total).toBe(1);
  });

  it('shows errors of the server at the field', async () => {
    await save();
    await lore.page.locator('#save-content-error').waitFor();
    expect(await lore.page.locator('#save-content-error').textContent()).toContain('content must not be blank');
    expect(await content().getAttribute('aria-invalid')).toBe('true');
    await content().fill('A fine text');
    await expect.poll(() => lore.page.locator('#save-content-error').count()).toBe(0);
    // Longer ones cannot be typed.
    await lore.page.goto(`${lore.server.url}/?view=save&container=crane`);
    await lore.page.getByLabel('Container', { exact: true }).fill('x'.repeat(300));
    await expect.poll(() => lore.page.getByLabel('Container', { exact: true }).inputValue()).toBe('x'.repeat(256));
    await lore.page.getByLabel('Container', { exact: true }).fill('one\tor another');
    await save();
    await lore.page.locator('#save-container-error').waitFor();
    expect(await lore.page.locator('#save-container-error').textContent()).toBe('container must not contain control characters');
    expect(await content().inputValue()).toBe('A fine text');
  });

  it('keeps new input while an earlier text is being saved', async () => {
    const answer = await delay(lore.page, '**/api/save*');
    await content().fill('The first thought');
    await save();
    await lore.page.getByRole('button', { name: 'Saving…' }).waitFor();
    await content().fill('The second thought');
    answer();
    await receipt().getByRole('heading', { name: 'Saved: “The first thought”' }).waitFor();
    expect(await content().inputValue()).toBe('The second thought');
  });

  it('previews Markdown while typing, and only for Markdown', async () => {
    const preview = lore.page.getByRole('button', { name: 'Preview' });
    await content().fill('A plain note');
    expect(await preview.count()).toBe(0);
    await content().fill('# Deploy\n\n- build it\n- ship **it**\n');
    await preview.click();
    const shown = lore.page.getByRole('region', { name: 'Preview of memory' });
    await shown.getByRole('heading', { name: 'Deploy' }).waitFor();
    expect(await shown.locator('strong').textContent()).toBe('it');
    expect(await content().count()).toBe(0);
    await expectAccessibleInBothThemes(lore.page);
    await preview.click();
    expect(await content().inputValue()).toContain('- build it');
    await preview.click();
    await save();
    await expect.poll(() => inNamespace('harbor'), PATIENCE).toHaveLength(1);
    await receipt().getByRole('heading').first().waitFor();
  });

  it('keeps a draft while another view is open', async () => {
    await content().fill('Half a thou');
    await lore.page.getByRole('link', { name: 'Statistics' }).first().click();
    await lore.page.getByRole('heading', { level: 1, name: 'Statistics' }).waitFor();
    await lore.page.getByRole('link', { name: 'Save a memory' }).first().click();
    await expect.poll(() => content().inputValue(), PATIENCE).toBe('Half a thou');
  });

  it('keeps a tag that was typed but not added', async () => {
    await content().fill('Tagged in haste');
    await lore.page.getByRole('combobox', { name: 'Tags' }).fill('haste');
    await lore.page.getByRole('combobox', { name: 'Tags' }).press('Control+Enter');
    await receipt().waitFor();
    const { body } = await lore.server.call('GET', `/api/list?namespace=${TEST_NAMESPACE}`);
    expect(body.entries[0]?.metadata.tags).toEqual(['haste']);
  });
});

describe('a receipt', () => {
  it('undoes a save and returns the text to the form', async () => {
    await content().fill('Said too soon');
    await save();
    await receipt().getByRole('button', { name: 'Undo' }).click();
    await receipt().getByRole('heading', { name: 'Undone: “Said too soon”' }).waitFor();
    expect(await inNamespace(TEST_NAMESPACE)).toEqual([]);
    expect(await content().inputValue()).toBe('Said too soon');
    await lore.page.locator('#save-content:focus').waitFor();
    expect(lore.opened.complaints).toEqual([]);
  });

  it('archives a memory that others changed since, without deleting their change', async () => {
    await content().fill('Said too soon');
    await save();
    await receipt().waitFor();
    const [id] = (await lore.server.call('GET', `/api/list?namespace=${TEST_NAMESPACE}`)).body.entries.map(
      (entry: { id: string }) => entry.id,
    );
    await lore.server.call('PATCH', `/api/${id}`, { body: { content: 'Said too soon, and worth keeping' } });
    await receipt().getByRole('button', { name: 'Undo' }).click();
    await receipt().getByText('It was changed since, so it was archived').waitFor();
    expect(await inNamespace(TEST_NAMESPACE)).toEqual([]);
    expect((await lore.server.call('POST', '/api/restore', { body: { ids: [id] } })).status).toBe(200);
    expect(await inNamespace(TEST_NAMESPACE)).toEqual(['Said too soon, and worth keeping']);
  });

  it('links to the next form', async () => {
    await content().fill('The first of two');
    await save();
    await receipt().getByRole('button', { name: 'Save another' }).click();
    await lore.page.keyboard.type('The second of two');
    await lore.page.keyboard.press('Control+Enter');
    await receipt().getByRole('heading', { name: 'Saved: “The second of two”' }).waitFor();
    expect((await inNamespace(TEST_NAMESPACE)).toSorted()).toEqual(['The first of two', 'The second of two']);
  });

  it('warns of possible secrets', async () => {
    await content().fill('The key for the door is AKIAIOSFODNN7EXAMPLE, it says');
    await save();
    await receipt().waitFor();
    expect(await receipt().innerText()).toMatch(/Warning|Redacted/);
  });
});

describe('an unsaved draft', () => {
  it('survives a reload', async () => {
    await content().fill('Half a thought, kept');
    await lore.page.getByRole('radio', { name: 'High' }).check();
    await lore.page.reload();
    await expect.poll(() => content().inputValue(), PATIENCE).toBe('Half a thought, kept');
    expect(await lore.page.getByRole('radio', { name: 'High' }).isChecked()).toBe(true);
    await lore.page.getByRole('button', { name: 'Clear' }).click();
    await lore.page.reload();
    await content().waitFor();
    expect(await content().inputValue()).toBe('');
  });

  it('can be set by the address, next to existing text', async () => {
    await lore.page.goto(`${lore.server.url}/?view=save&q=${encodeURIComponent('From a link')}&ns=harbor&tag=linked&priority=high`);
    await expect.poll(() => content().inputValue(), PATIENCE).toBe('From a link');
    expect(new URL(lore.page.url()).search).toBe('?view=save');
    expect(await lore.page.getByLabel('Namespace', { exact: true }).inputValue()).toBe('harbor');
    await lore.page.getByRole('button', { name: 'Remove tag linked' }).waitFor();
    await lore.page.goto(`${lore.server.url}/?view=save&q=${encodeURIComponent('From another')}`);
    await expect.poll(() => content().inputValue(), PATIENCE).toBe('From a link\n\nFrom another');
    await save();
    await receipt().waitFor();
    expect(await inNamespace('harbor')).toContain('From a link\n\nFrom another');
  });
});
