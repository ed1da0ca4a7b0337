import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../src/memory/entry.ts';
import type {
  ArchivePage,
  CompactReport,
  EntryHistory,
  ForgetReport,
  RestoreReport,
} from '../../src/memory/operations/lifecycle-operations.ts';
import type { SaveReceipt } from '../../src/memory/operations/operations.ts';
import type { Ran, RunOptions } from '../helpers/cli.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed, seedDaysAgo, storedContents, type Seed } from '../helpers/cli-store.ts';

const UNKNOWN_ID = '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11';

// Every command must do the same whether it opens the store itself or asks the server that has it open.
describe('commands', () => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  const run = (args: readonly string[], options?: RunOptions): Promise<Ran> => cli.run(args, options);
  const save = async (...args: string[]): Promise<string> => (await run(['save', ...args, '--json'])).json<SaveReceipt>().ids[0]!;
  const faded = (content: string): Seed => ({ content, priority: 'low' });

  it('compact previews, then archives', async () => {
    await seedDaysAgo(cli, 300, [faded('faded one'), faded('faded two')]);
    await seed(cli, [{ content: 'fresh' }]);
    const planned = await run(['compact', '--dry-run']);
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    expect(planned.stdout).toMatch(
      /^[-\da-f]{36} {2}expired {2}faded (?:one|two)\n {2}Neither created, imported, changed nor recalled for 300 days/,
    );
    expect(planned.stdout).toMatch(/\n2 of 3 entries would go to the archive: 2 expired\.\n$/);
    expect(await storedContents(cli)).toHaveLength(3);
    const done = await run(['compact']);
    expect(done.stdout).toMatch(
      /2 of 3 entries went to the archive: 2 expired\.\n`lore archive restore --run [-\da-f]{36}` restores them\.\n$/,
    );
    expect(await storedContents(cli)).toEqual(['fresh']);
    expect((await run(['compact', '--json'])).json<CompactReport>()).toMatchObject({ dryRun: false, looked: 1, archived: 0 });
  });

  it('archive lists archived entries, and restore restores them by run and by id', async () => {
    await seedDaysAgo(cli, 300, [faded('faded one'), faded('faded two')]);
    await run(['compact']);
    const archive = (await run(['archive', '--json'])).json<ArchivePage>();
    expect(archive.entries.map(({ entry, reason }) => `${entry.content} ${reason}`).toSorted()).toEqual([
      'faded one expired',
      'faded two expired',
    ]);
    const plain = await run(['archive', '--limit', '1', '--reason', 'expired']);
    expect(plain.stdout).toMatch(/^ID +ARCHIVED +REASON +RUN +NAMESPACE +CONTENT\n/);
    expect(plain.stdout).toMatch(/\n1 to 1 of 2 entries\n$/);
    const { run: name, entry } = archive.entries[0]!;
    const weak = await run(['recall', entry.content]);
    expect(weak.stderr).toContain('1 archived entry matches: --include-archived shows it.');
    expect((await run(['search', entry.content, '--include-archived'])).stdout).toContain(
      `archived (expired); \`lore archive restore ${entry.id}\` restores it`,
    );
    expect(await run(['restore', '--run', name, '--dry-run'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/2 entries would be restored\.\n$/),
    });
    expect(await run(['restore', entry.id])).toMatchObject({ code: 0, stdout: `${entry.id}\n1 entry restored.\n` });
    expect((await run(['restore', '--run', name, '--json'])).json<RestoreReport>().restored).toHaveLength(1);
    expect(await storedContents(cli)).toHaveLength(2);
    expect((await run(['archive'])).stdout).toBe('The archive is empty.\n');
  });

  it('restore needs exactly one way to select entries, and reports those it cannot restore', async () => {
    for (const args of [[], [UNKNOWN_ID, '--run', 'x'], ['--run', 'x', '--since', '2026-01-01']]) {
      expect(await run(['restore', ...args])).toMatchObject({ code: 1, stderr: expect.stringContaining('use only one of these') });
    }
    expect(await run(['restore', UNKNOWN_ID])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('No entry has the id'),
    });
    expect(await run(['restore', '--since', 'yesterday'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('--since must be an ISO 8601'),
    });
    expect(await run(['restore', '--run', 'no such run'])).toMatchObject({ code: 0, stdout: 'No archived entry matches.\n' });
    await seed(cli, [{ content: 'twice', tags: ['x'] }]);
    await run(['forget', '--tag', 'x', '--yes']);
    await seed(cli, [{ content: 'twice' }]);
    expect(await run(['restore', '--since', '2020-01-01'])).toMatchObject({
      code: 1,
      stdout: 'Nothing was restored.\n',
      stderr: expect.stringContaining('stays in the archive'),
    });
  });

  it('forget with a filter previews, asks for confirmation, and archives', async () => {
    await seed(
      cli,
      ['scratch one', 'scratch two'].map((content) => ({ content, tags: ['scratch'] })),
    );
    const asked = await run(['forget', '--tag', 'scratch']);
    expect(asked).toMatchObject({ code: 1, stdout: '' });
    expect(asked.stderr).toMatch(/scratch two\n.*scratch one\n2 entries match\.\n.*Cannot ask for confirmation: no terminal\./s);
    expect(await storedContents(cli)).toHaveLength(2);
    const done = await run(['forget', '--tag', 'scratch', '--yes']);
    expect(done).toMatchObject({ code: 0, stdout: 'Archived 2 entries.\n', stderr: expect.stringMatching(/lore archive restore --run/) });
    expect(await run(['forget', '--tag', 'scratch', '--yes'])).toMatchObject({ code: 0, stdout: 'No entry matches.\n' });
  });

  it('forget uses the namespace of the working directory by default, and deletes permanently on request', async () => {
    await seed(cli, [
      { content: 'here', tags: ['scratch'] },
      { content: 'elsewhere', tags: ['scratch'], namespace: 'owner/repo' },
    ]);
    const dry = await run(['forget', '--tag', 'scratch', '--all', '--dry-run', '--json']);
    expect(dry.json<ForgetReport>()).toMatchObject({ matches: 2, done: false, preview: [{ content: 'elsewhere' }, { content: 'here' }] });
    expect(dry.json()).not.toHaveProperty('token');
    expect((await run(['forget', '--source', 'cli', '--dry-run', '--json'])).json<ForgetReport>().matches).toBe(1);
    const filter = ['--source', 'cli', '--before', '2999-01-01', '--max-importance', '0.9'];
    expect(await run(['forget', '--all', ...filter, '--permanently', '-y'])).toMatchObject({ code: 0, stdout: 'Deleted 2 entries.\n' });
    expect((await run(['archive', '--json'])).json<ArchivePage>().total).toBe(0);
  });

  it('forget needs either ids or a filter', async () => {
    expect(await run(['forget'])).toMatchObject({ code: 1, stderr: expect.stringContaining('id is required') });
    expect(await run(['forget', UNKNOWN_ID, '--tag', 'x'])).toMatchObject({ code: 1, stderr: expect.stringContaining('not both') });
    expect(await run(['forget', '--all', '--yes'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Name the entries to forget'),
    });
    expect(await run(['forget', '--before', 'soon', '--yes'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('--before must be'),
    });
    const [id = ''] = await seed(cli, [{ content: 'stays' }]);
    expect(await run(['forget', id, '--dry-run'])).toMatchObject({ code: 0, stdout: `${id}  stays\n1 entry would be archived.\n` });
    expect(await storedContents(cli)).toEqual(['stays']);
  });

  it('history shows changes line by line, and undoes the last one', async () => {
    const id = await save('The gate code\nis in the blue folder\nby the door', '--tag', 'a');
    expect((await run(['history', id])).stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d saved by cli\n$/);
    // The same text again brings a tag.
    await save('The gate code\nis in the blue folder\nby the door', '--tag', 'b');
    const shown = await run(['history', `mem_${id}`]);
    expect(shown.stdout.split('\n')).toEqual([
      expect.stringMatching(/ changed by cli$/),
      '  tags: a -> a, b',
      expect.stringMatching(/ saved by cli$/),
      '',
    ]);
    const undone = await run(['history', id, '--undo']);
    expect(undone).toMatchObject({ code: 0, stderr: 'The last change is undone.\n' });
    expect(undone.stdout.split('\n')[1]).toBe('  tags: a, b -> a');
    expect((await run(['history', id, '--json'])).json<EntryHistory>().versions).toHaveLength(2);
    expect(await run(['history', UNKNOWN_ID])).toMatchObject({ code: 1, stdout: '' });
    expect(await run(['history', (await seed(cli, [{ content: 'unchanged' }]))[0]!, '--undo'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('never changed'),
    });
  });

  it('get shows how often an entry was recalled, and save accepts an importance', async () => {
    const id = await save('The walrus sleeps', '--importance', '0.15');
    expect((await run(['get', id])).stdout).not.toContain('Recalled');
    for (let nth = 0; nth < 2; nth += 1) await run(['recall', 'walrus']);
    expect((await run(['get', id])).stdout).toMatch(/^Recalled +2 times, last \d{4}-\d\d-\d\d \d\d:\d\d$/m);
    expect((await run(['get', id, '--json'])).json<Entry>()).toMatchObject({ recalls: 2, importance: 0.15 });
    expect(await run(['save', 'x', '--importance', '2'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('--importance must be at most 1'),
    });
  });
});
