import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../src/memory/entry.ts';
import type { Ran } from '../helpers/cli.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed } from '../helpers/cli-store.ts';

describe('the start of its id selects an entry', () => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
  });
  afterEach(() => cli[Symbol.asyncDispose]());
  const run = (...args: string[]): Promise<Ran> => cli.run(args);

  const ENTRIES = [{ content: 'Walrus on the pier' }, { content: 'Trombone in the attic' }];
  const saveTwo = async (): Promise<[string, string]> => (await seed(cli, ENTRIES)) as [string, string];
  const part = (id: string): string => id.slice(0, 9);

  it('works with every command that takes an id', async () => {
    const [walrus, trombone] = await saveTwo();
    expect((await run('get', part(walrus))).stdout).toContain('Walrus on the pier');
    expect((await run('get', `mem_${part(trombone).toUpperCase()}`)).stdout).toContain('Trombone in the attic');
    expect(await run('relate', part(trombone), 'references', part(walrus))).toMatchObject({
      stdout: `${trombone} references ${walrus} (1.00, manual)\n`,
    });
    for (const args of [
      ['relations', part(walrus)],
      ['related', part(walrus)],
      ['history', part(walrus)],
      ['graph', '--seed', part(walrus)],
      ['explain', part(walrus), 'walrus'],
      ['unrelate', part(trombone), 'references', part(walrus)],
    ])
      expect(await run(...args), args.join(' ')).toMatchObject({ code: 0, stderr: '' });
    const newer = (await run('save', 'Walrus in the harbour', '--supersedes', part(walrus))).stdout.trim();
    expect((await run('get', walrus)).stdout).toContain(`superseded by ${newer}`);
    expect(await run('forget', part(trombone), '--yes')).toMatchObject({ code: 0, stdout: 'Archived 1 entry.\n' });
    expect((await run('restore', part(trombone))).stdout).toContain(trombone);
    expect((await run('get', trombone, '--json')).json<Entry>().content).toBe('Trombone in the attic');
  });

  it('and if several match, they are listed and nothing is done', async () => {
    const ids = ['01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11', '01975a3e-8a52-7b12-8c11-5d6f7a8b9c01'];
    const lines = ENTRIES.map((entry, nth) => JSON.stringify({ id: ids[nth], ...entry }));
    expect((await cli.run(['import', '-'], { input: lines.join('\n') })).code).toBe(0);
    const { code, stderr, stdout } = await run('forget', '01975a3e', '--yes');
    expect([code, stdout]).toEqual([1, '']);
    for (const [nth, { content }] of ENTRIES.entries()) expect(stderr).toContain(`  ${ids[nth]}  ${content}\n`);
    expect(stderr).toContain('2 entries have an id that begins with 01975a3e:');
    expect(stderr).toContain('Enter more characters of the id.');
    expect((await run('forget', '01975a3e-8a52', '--yes')).code).toBe(0);
    expect(await run('get', '01975a3e')).toMatchObject({ code: 0, stdout: expect.stringContaining('Walrus on the pier') });
  });

  it('and an unknown or too short prefix matches no entry', async () => {
    const [walrus] = await saveTwo();
    for (const name of ['ffffffff', walrus.slice(0, 7), 'walrus on the pier'])
      expect(await run('get', name)).toMatchObject({ code: 1, stderr: expect.stringContaining(`No entry has the id "${name}"`) });
    expect((await run('get', walrus.slice(0, 7))).stderr).toContain('Enter at least the first 8 characters of the id.');
  });
});
