import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EntryPage } from '../../src/memory/operations/operations.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

describe('lore capture inbox', () => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
    const at = '2026-01-31T12:00:00.000Z';
    const lines = ['We deploy on Tuesdays.', 'Invoices are kept for ten years.', 'Tabs are two spaces wide.'].map((content) =>
      JSON.stringify({ content, namespace: 'inbox', source: 'auto-capture', createdAt: at, updatedAt: at }),
    );
    await cli.run(['import', '-'], { input: lines.join('\n') });
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  const pending = async (): Promise<EntryPage> => (await cli.run(['capture', 'inbox', '-n', 'inbox', '--json'])).json<EntryPage>();
  const idOf = async (text: string): Promise<string> => (await pending()).entries.find(({ content }) => content.includes(text))!.id;

  it('lists unreviewed entries, and decides single entries and all others', async () => {
    expect((await cli.run(['capture', 'inbox', '-n', 'inbox'])).stdout).toContain('We deploy on Tuesdays.');
    const [kept, unwanted] = [await idOf('Tuesdays'), await idOf('Invoices')];
    const decided = await cli.run(['capture', 'inbox', '-n', 'inbox', '--keep', kept, '--never', unwanted]);
    expect(decided.stdout).toMatch(/^Kept 1 entry\.\nNever captured again: 1 entry\. To undo: lore archive restore --run /);
    expect((await pending()).total).toBe(1);
    expect((await cli.run(['archive', '--reason', 'unwanted'])).stdout).toContain(unwanted);
    expect((await cli.run(['capture', 'inbox', '-n', 'inbox', '--drop', 'all'])).stdout).toMatch(/^Dropped 1 entry\./);
    expect((await cli.run(['capture', 'inbox', '-n', 'inbox'])).stdout).toBe('The inbox is empty.\n');
  });

  it('refuses `all` together with another decision', async () => {
    const refused = await cli.run(['capture', 'inbox', '-n', 'inbox', '--keep', await idOf('Tuesdays'), '--drop', 'all']);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('`all` cannot be combined with another decision.') as string,
    });
    expect((await pending()).total).toBe(3);
  });
});
