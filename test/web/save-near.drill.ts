import { beforeEach, describe, expect, it } from 'vitest';
import { TEST_NAMESPACE } from '../helpers/server.ts';
import { expectAccessible } from './accessibility.ts';
import { PATIENCE } from './lore-page.ts';
import { saveForm } from './save-form.ts';

const { lore, content, receipt, save, inNamespace } = saveForm();

const KNOWN = 'Webhook deliveries retry 8 times over 24 hours with jitter, then they go to the dead letters table.';
const near = () => lore.page.getByRole('region', { name: 'Similar to an existing memory' });

describe('near memories of a draft', () => {
  const WRITTEN = `${KNOWN} Engineers are paged.`;
  let known: string;
  beforeEach(async () => {
    known = await lore.server.save(KNOWN, { tags: ['webhooks'] });
    await content().fill(WRITTEN);
    await near().getByText(KNOWN).waitFor();
  });

  it('are shown while typing, can be opened, and follow the text', async () => {
    expect(await near().locator('article').count()).toBe(1);
    expect(Number(await near().locator('.num b').innerText())).toBeGreaterThanOrEqual(0.92);
    await near().getByRole('link', { name: 'Open' }).click();
    await lore.page.getByRole('dialog', { name: 'Memory' }).getByText(KNOWN).first().waitFor();
    await lore.page.keyboard.press('Escape');
    await expect.poll(() => content().inputValue(), PATIENCE).toBe(WRITTEN);
    await content().fill('Tabs are two spaces wide in every file of ours');
    await near().waitFor({ state: 'detached' });
    const { body } = await lore.server.call('GET', `/api/${known}`);
    expect(body.entry.metadata).not.toHaveProperty('recalls');
    expect(lore.opened.complaints).toEqual([]);
  });

  it('are not from other namespaces', async () => {
    await lore.page.getByLabel('Namespace', { exact: true }).fill('harbor');
    await expect.poll(() => near().count(), PATIENCE).toBe(0);
    await lore.page.getByLabel('Namespace', { exact: true }).fill('');
    await expect.poll(() => near().count(), PATIENCE).toBe(1);
  });

  it('can be updated instead, with merged tags, and undone', async () => {
    await lore.page.getByRole('combobox', { name: 'Tags' }).fill('paging');
    await lore.page.getByRole('combobox', { name: 'Tags' }).press('Enter');
    await near().getByRole('button', { name: 'Update the existing one' }).click();
    await receipt()
      .getByRole('heading', { name: /^Updated: “Webhook deliveries/ })
      .waitFor();
    const { body } = await lore.server.call('GET', `/api/${known}`);
    expect([body.entry.content, body.entry.metadata.tags]).toEqual([WRITTEN, ['webhooks', 'paging']]);
    expect(await content().inputValue()).toBe('');
    await receipt().getByRole('button', { name: 'Undo' }).click();
    await receipt()
      .getByRole('heading', { name: /^Undone/ })
      .waitFor();
    expect(await inNamespace(TEST_NAMESPACE)).toEqual([KNOWN]);
    expect(await content().inputValue()).toBe(WRITTEN);
  });

  it('can be superseded', async () => {
    await near().getByRole('button', { name: 'Save and supersede it' }).click();
    await receipt().getByRole('link', { name: 'the older one' }).waitFor();
    const { body } = await lore.server.call('GET', `/api/relations?id=${known}&type=supersedes`);
    expect(body.relations.map(({ targetId }) => targetId)).toEqual([known]);
    const found = await lore.server.call('POST', '/api/recall', { body: { query: 'webhook deliveries retry' } });
    expect(found.body.results.map((hit) => (hit as unknown as { entry: { content: string } }).entry.content)).toEqual([WRITTEN]);
  });

  it('keep concurrent tags when updated', async () => {
    await lore.server.call('PATCH', `/api/${known}`, { body: { tags: ['webhooks', 'theirs'] } });
    await lore.page.getByRole('combobox', { name: 'Tags' }).fill('paging');
    await lore.page.getByRole('combobox', { name: 'Tags' }).press('Enter');
    await near().getByRole('button', { name: 'Update the existing one' }).click();
    await receipt().waitFor();
    expect((await lore.server.call('GET', `/api/${known}`)).body.entry.metadata.tags).toEqual(['webhooks', 'theirs', 'paging']);
  });

  it('keep a concurrent change after an update', async () => {
    await near().getByRole('button', { name: 'Update the existing one' }).click();
    await receipt()
      .getByRole('heading', { name: /^Updated/ })
      .waitFor();
    await lore.server.call('PATCH', `/api/${known}`, { body: { content: 'Theirs' } });
    await receipt().getByRole('button', { name: 'Undo' }).click();
    await lore.page.getByText('Not undone: the memory was changed since').waitFor();
    expect(await inNamespace(TEST_NAMESPACE)).toEqual(['Theirs']);
    expect(
      await receipt()
        .getByRole('heading', { name: /^Updated/ })
        .count(),
    ).toBe(1);
  });

  it('are listed in the receipt if the draft is saved anyway', async () => {
    await save();
    await receipt()
      .getByTitle(/similar$/)
      .click();
    await lore.page.getByRole('dialog', { name: 'Memory' }).waitFor();
    expect(new URL(lore.page.url()).searchParams.get('id')).toBe(known);
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme, wide and narrow, with its receipts', async (colorScheme) => {
    await lore.page.emulateMedia({ colorScheme });
    await lore.page.setViewportSize({ width: 1440, height: 900 });
    await expectAccessible(lore.page);
    await lore.page.setViewportSize({ width: 360, height: 780 });
    await lore.page.getByRole('button', { name: 'Similar to 1 memory' }).click();
    await expect.poll(async () => (await near().boundingBox())?.y, PATIENCE).toBeLessThan(400);
    await expectAccessible(lore.page);
    expect(await lore.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await save();
    await receipt().waitFor();
    await expectAccessible(lore.page);
    await receipt().getByRole('button', { name: 'Undo' }).click();
    await receipt()
      .getByRole('heading', { name: /^Undone/ })
      .waitFor();
    await expectAccessible(lore.page);
  });
});

describe('memories with another value or the same text', () => {
  const other = () => lore.page.getByRole('region', { name: 'Differs from an existing memory' });

  it('are shown while typing with the difference, and superseded in one step', async () => {
    const older = await lore.server.save('The nightly backup starts at 05:00.');
    await content().fill('The nightly backup starts at 04:00.');
    await other().getByText('You write 04:00, it says 05:00').waitFor();
    expect(await other().locator('mark').allInnerTexts()).toEqual(['05:00', '05:00']);
    await other().getByRole('button', { name: 'Save and supersede it' }).click();
    await receipt().getByRole('link', { name: 'the older one' }).waitFor();
    expect((await lore.server.call('GET', `/api/${older}`)).body.entry.metadata).toMatchObject({ superseded: true });
    expect(lore.opened.complaints).toEqual([]);
  });

  it('are shown for a contained sentence and for an equal short text', async () => {
    await lore.server.save('Two spaces. The API listens on port 8080, behind nginx. It logs to disk.');
    const known = () => lore.page.getByRole('region', { name: 'Already saved' });
    await content().fill('It logs to disk. The API listens on port 8080, behind nginx.');
    await known().waitFor();
    expect((await known().locator('mark').allInnerTexts()).length).toBeGreaterThan(0);
    await lore.server.save('Use tabs here');
    await content().fill('Use tabs here');
    await known().getByText('Use tabs here').waitFor();
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (colorScheme) => {
    await lore.server.save('The nightly backup starts at 05:00.');
    await lore.page.emulateMedia({ colorScheme });
    await content().fill('The nightly backup starts at 04:00.');
    await other().waitFor();
    await expectAccessible(lore.page);
  });
});
