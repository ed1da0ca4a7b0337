import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExplainReport, SearchResults } from '../../src/memory/operations/operations.ts';
import type { Ran } from '../helpers/cli.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed, type Seed } from '../helpers/cli-store.ts';

const UNKNOWN_ID = '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11';

describe('an explained search', () => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  const run = (...args: string[]): Promise<Ran> => cli.run(args);
  const saved = async (content: string, facts: Partial<Seed> = {}): Promise<string> => (await seed(cli, [{ content, ...facts }]))[0]!;

  it('shows for each result which words matched and the parts of its score', async () => {
    await saved('We deploy with make ship');
    for (const command of ['recall', 'search']) {
      const plain = await run(command, 'deploy ship lighthouse', '--explain');
      expect(plain.code).toBe(0);
      expect(plain.stdout).toMatch(/^ {6}words \S.*; not in it: lighthouse$/m);
      expect(plain.stdout).toMatch(/^ {6}ranked by \d+\.\d\d = \S/m);
      const [result] = (await run(command, 'deploy ship', '--explain', '--json')).json<SearchResults>().results;
      expect(result?.explanation?.keyword?.terms.map(({ kind }) => kind)).toEqual(['exact', 'exact']);
      expect((await run(command, 'deploy ship')).stdout).not.toMatch(/words|ranked by/);
    }
  });

  it('leaves out results below --min-score, and folds near-identical ones with --collapse', async () => {
    const copies = ['.', '!', '?'].map((end) => `The old kettle whistles before the water boils over${end}`);
    await seed(
      cli,
      [...copies, 'Water the plants'].map((content) => ({ content })),
    );
    const found = async (...args: string[]) =>
      (await run('recall', 'old kettle boils water', '--json', ...args)).json<SearchResults>().results;
    const all = await found();
    expect(all).toHaveLength(4);
    const [lowest] = all.map(({ score }) => score).toSorted((a, b) => a - b) as [number];
    expect(await found('--min-score', String(lowest + 0.01))).toHaveLength(3);
    expect(await found('--min-score', '1')).toEqual([]);
    const [best, ...others] = await found('--collapse');
    expect(best?.collapsed).toHaveLength(2);
    expect(others.map(({ entry }) => entry.content)).toEqual(['Water the plants']);
    expect((await run('recall', 'old kettle', '--collapse')).stdout).toMatch(/^ {6}and 2 near duplicates: [0-9a-f-]{36} [0-9a-f-]{36}$/m);
  });

  it('shows the best passage of a long text', async () => {
    await saved(`${'Gulls circle over the harbour all day. '.repeat(60)}The lighthouse stands at the end of the quay.`);
    const { stdout } = await run('recall', 'lighthouse quay');
    expect(stdout).toMatch(/^0\.\d\d {2}… /);
    expect((await run('recall', 'lighthouse', '--json')).json<SearchResults>().results[0]?.passage?.text).toContain('lighthouse');
  });

  it('explains why one entry is found', async () => {
    const id = await saved('We deploy with make ship', { tags: ['ops'] });
    const { code, stdout } = await run('explain', id, 'how', 'do', 'we', 'deploy');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Found\. \S/);
    expect(stdout).toMatch(/^Query +how do we deploy$/m);
    expect(stdout).toMatch(/^Rank +1$/m);
    expect(stdout).toMatch(/^Words +deploy$/m);
    const report = (await run('explain', `mem_${id}`, 'deploy', '--mode', 'keyword', '--json')).json<ExplainReport>();
    expect(report).toMatchObject({ id, query: 'deploy', mode: 'keyword', returned: true, rank: 1 });
  });

  it('explains why one entry is not found', async () => {
    const id = await saved('We deploy with make ship', { tags: ['ops'], namespace: 'a' });
    const { code, stdout } = await run('explain', id, 'deploy', '--tag', 'db', '--namespace', 'b', '--after', '2020-01-01');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Not found\. \S/);
    expect(stdout).toMatch(/namespace.*\bb\b.*: does not pass$/m);
    expect(stdout).toMatch(/db.*: does not pass$/m);
    expect((await run('explain', id, 'deploy', '--tag', 'db', '--json')).json<ExplainReport>()).toMatchObject({ id, returned: false });
  });

  it('exits with 1 for an unknown id', async () => {
    for (const id of [UNKNOWN_ID, 'nope'])
      expect(await run('explain', id, 'deploy')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('No entry has the id'),
      });
  });
});
