import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../src/memory/entry.ts';
import type { EntryPage, SaveReceipt, SearchResults, Stats } from '../../src/memory/operations/operations.ts';
import { openCli, type Cli, type Ran, type RunOptions } from '../helpers/cli.ts';
import { seed, storedContents } from '../helpers/cli-store.ts';

const UNKNOWN_ID = '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11';

// Every command must do the same whether it opens the store itself or asks the server that has it open.
describe.each([
  { where: 'without a server', serve: false },
  { where: 'beside a running server', serve: true },
])('commands $where', ({ serve }) => {
  let cli: Cli;
  beforeEach(async () => {
    cli = await openCli();
    if (serve) await cli.serve();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  const run = (args: readonly string[], options?: RunOptions): Promise<Ran> => cli.run(args, options);
  const save = async (...args: string[]): Promise<SaveReceipt> => (await run(['save', ...args, '--json'])).json<SaveReceipt>();

  it('save and recall a text, plain and as JSON', async () => {
    const saved = await run(['save', 'We deploy with make ship', '--tag', 'deploy', '-t', 'ops', '--priority', 'medium']);
    expect(saved).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/), stderr: 'Saved.\n' });
    const id = saved.stdout.trim();
    const plain = await run(['recall', 'how do we deploy']);
    expect(plain.code).toBe(0);
    expect(plain.stdout).toMatch(/^[01]\.\d\d {2}We deploy with make ship\n {6}/);
    expect(plain.stdout).toContain(`${id}  `);
    expect(plain.stdout).toContain('#deploy  #ops');
    const found = (await run(['recall', 'deploy', '--json'])).json<SearchResults>();
    expect(found).toMatchObject({
      query: 'deploy',
      mode: 'hybrid',
      results: [{ entry: { id, source: 'cli', priority: 'normal', tags: ['deploy', 'ops'] } }],
    });
    expect(found.results[0]?.entry.namespace).toMatch(/^project-[0-9a-f]{8}$/);
  });

  it('save from standard input, byte for byte but for the last line break', async () => {
    const content = '  Ünïcode 🎉 ‘quotes’ "and" \\ back\n\n second line\t';
    await run(['save', '-t', 'piped'], { input: `${content}\n` });
    expect(await storedContents(cli)).toEqual([content]);
    expect(await run(['save'], { input: Buffer.from([0xff, 0xfe]) })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('not UTF-8'),
    });
    expect(await run(['save'], { input: ' \n' })).toMatchObject({ code: 5, stderr: expect.stringContaining('text must not be blank') });
  });

  it('say so when a text is there already', async () => {
    const first = await save('Only once');
    const second = await save('Only once', '--tag', 'again');
    expect(second.ids).toEqual(first.ids);
    expect(second.outcomes[0]?.status).toBe('duplicate');
    expect(second.entry.tags).toEqual(['again']);
  });

  it('keep namespaces, containers and the global namespace apart', async () => {
    await save('here');
    await save('there', '--namespace', 'owner/repo');
    await save('boxed', '--container', 'box');
    await save('everywhere', '--global');
    const contents = async (...args: string[]) =>
      (await run(['list', '--json', ...args])).json<EntryPage>().entries.map((entry) => entry.content);
    expect(await contents()).toEqual(['boxed', 'here']);
    expect(await contents('--namespace', 'owner/repo')).toEqual(['there']);
    expect(await contents('--container', 'box')).toEqual(['boxed']);
    expect(await contents('--all', '--sort=createdAt')).toEqual(['here', 'there', 'boxed', 'everywhere']);
    const recalled = async (...args: string[]) =>
      (await run(['recall', 'everywhere', '--json', ...args])).json<SearchResults>().results.map(({ entry }) => entry.content);
    expect(await recalled()).not.toContain('everywhere');
    expect((await recalled('--include-global'))[0]).toBe('everywhere');
  });

  it('search all namespaces and filter by tag, time and importance', async () => {
    await seed(cli, [
      { content: 'postgres timeout raised to 30 s', namespace: 'a', tags: ['db'], priority: 'high' },
      { content: 'postgres password rotated', namespace: 'b', priority: 'low' },
    ]);
    const found = async (...args: string[]) =>
      (await run(['search', 'postgres', '--json', ...args]))
        .json<SearchResults>()
        .results.map(({ entry }) => entry.namespace)
        .sort();
    expect(await found()).toEqual(['a', 'b']);
    expect(await found('--tag', 'db')).toEqual(['a']);
    expect(await found('--namespace', 'b')).toEqual(['b']);
    expect(await found('--before', '2000-01-01')).toEqual([]);
    expect(await found('--after', '2000-01-01T00:00:00Z')).toEqual(['a', 'b']);
    expect(await found('--max-importance', '0.5')).toEqual(['b']);
    expect(await found('--priority', 'high')).toEqual(['a']);
    expect(await found('--source', 'cli', '--since', '2000-01-01')).toEqual(['a', 'b']);
    expect(await found('--source', 'mcp')).toEqual([]);
    expect(await found('--limit', '1')).toHaveLength(1);
    expect((await run(['search', 'postgres', '--mode', 'keyword', '--json'])).json()).toMatchObject({ mode: 'keyword' });
  });

  it('list by priority, source, time and importance', async () => {
    await seed(cli, [
      { content: 'first', priority: 'high' },
      { content: 'second', priority: 'low' },
    ]);
    const listed = async (...args: string[]) =>
      (await run(['list', '--json', ...args])).json<EntryPage>().entries.map((entry) => entry.content);
    expect(await listed('--priority', 'high')).toEqual(['first']);
    expect(await listed('--max-importance', '0.5')).toEqual(['second']);
    expect(await listed('--min-importance', '0.5', '--source', 'cli')).toEqual(['first']);
    expect(await listed('--source', 'web')).toEqual([]);
    expect(await listed('--since', '2000-01-01')).toEqual(['second', 'first']);
    expect(await listed('--before', '2000-01-01')).toEqual([]);
    const wrong = await run(['list', '--until', 'yesterday']);
    expect(wrong).toMatchObject({ code: 5, stderr: expect.stringContaining('--before must be an ISO 8601 date or time') });
  });

  it('say so when nothing is found, and where was looked', async () => {
    const { code, stdout, stderr } = await run(['recall', 'anything']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Nothing found.\n' });
    expect(stderr).toMatch(/^Searched namespace project-[0-9a-f]{8} \(the folder /);
    expect((await run(['list'])).stdout).toBe('No entries.\n');
  });

  it('list pages as a table', async () => {
    await seed(cli, [{ content: 'one' }, { content: 'two' }, { content: 'three' }]);
    const { stdout } = await run(['list', '--limit', '2']);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^ID +CREATED +TAGS +CONTENT$/),
      expect.stringMatching(/^[0-9a-f-]{36} +\d{4}-\d\d-\d\d \d\d:\d\d +three$/),
      expect.stringMatching(/two$/),
      '1 to 2 of 3 entries',
      '',
    ]);
    expect((await run(['list', '--offset', '2'])).stdout).toContain('3 to 3 of 3 entries');
  });

  it('show one entry in full', async () => {
    const [id = ''] = await seed(cli, [{ content: 'All of it\nand more', tags: ['x'] }]);
    const { stdout } = await run(['get', `mem_${id}`]);
    expect(stdout).toMatch(/^Id +[0-9a-f-]{36}\n/);
    expect(stdout).toMatch(/\n\nAll of it\nand more\n$/);
    expect((await run(['get', id, '--json'])).json<Entry>()).toMatchObject({ id, content: 'All of it\nand more' });
  });

  it('forget several entries, and only after a yes', async () => {
    const [a = '', b = ''] = await seed(cli, [{ content: 'a' }, { content: 'b' }, { content: 'c' }]);
    const ids = [a, b];
    expect(await run(['forget', ...ids])).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    const archived = await run(['forget', '--yes', ...ids]);
    expect(archived).toMatchObject({ code: 0, stdout: 'Archived 2 entries.\n' });
    expect(await storedContents(cli)).toEqual(['c']);
    const [, runId = ''] = /`lore restore --run (\S+)` brings them back\./.exec(archived.stderr) ?? [];
    expect(await run(['restore', '--run', runId])).toMatchObject({ code: 0 });
    expect((await storedContents(cli)).toSorted()).toEqual(['a', 'b', 'c']);
    expect(await run(['forget', '--yes', '--permanently', a])).toMatchObject({ code: 0, stdout: 'Removed 1 entry.\n', stderr: '' });
    expect(await run(['restore', a])).toMatchObject({ code: 1 });
    expect((await storedContents(cli)).toSorted()).toEqual(['b', 'c']);
  });

  it('end with 1 for ids that name nothing, and still forget the others', async () => {
    for (const id of [UNKNOWN_ID, "x' OR '1'='1", '--'.padEnd(5, 'x')]) {
      const args = id.startsWith('-') ? ['--', id] : [id];
      expect(await run(['get', ...args])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('No entry has the id') });
    }
    const ids = await seed(cli, [{ content: 'goes' }]);
    const mixed = await run(['forget', '--yes', '--json', UNKNOWN_ID, ...ids]);
    expect(mixed.code).toBe(1);
    expect(mixed.json()).toEqual({ forgotten: ids, runs: [expect.any(String)], unknown: [UNKNOWN_ID] });
    expect(await run(['forget', '--yes', UNKNOWN_ID])).toMatchObject({ code: 1, stdout: '' });
  });

  it('report status and statistics', async () => {
    await seed(cli, [
      { content: 'counted', tags: ['x'] },
      { content: 'global', namespace: 'global' },
    ]);
    const status = (await run(['status', '--json'])).json<{ server: string | null; here: object }>();
    expect(status).toMatchObject({
      status: 'healthy',
      totalEntries: 2,
      globalEntries: 1,
      here: { namespace: expect.stringMatching(/^project-/), why: expect.any(String), entries: 1 },
      embedder: { provider: 'builtin' },
    });
    expect(status.server ?? 'none').toMatch(serve ? /^http:\/\/127\.0\.0\.1:\d+$/ : /^none$/);
    const plain = await run(['status']);
    expect(plain.stdout).toMatch(serve ? /^Server +http/ : /^Server +not running$/m);
    expect(plain.stdout).toContain('2 entries, 1 here, 1 global');
    expect((await run(['stats', '--json'])).json<Stats>()).toMatchObject({
      total: 2,
      bySource: { cli: 2 },
      topTags: [{ tag: 'x', entries: 1 }],
    });
    expect((await run(['stats'])).stdout).toMatch(/^NAMESPACE +ENTRIES +NEWEST +CONTAINERS$/m);
  });

  it('say what a migration would do', async () => {
    await seed(cli, [{ content: 'embedded already' }]);
    const { code, stdout } = await run(['migrate', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Status +nothing to do$/m);
    expect((await run(['migrate', '--json'])).json()).toMatchObject({ status: 'nothing to do', total: 1, stale: 0 });
  });

  it('never let content steer the terminal', async () => {
    await save('before \u001b[2J after');
    for (const args of [['list'], ['recall', 'before'], ['search', 'before']]) {
      const { stdout } = await run(args);
      expect(stdout).toContain('before');
      expect(stdout).not.toContain('\u001b');
    }
  });
});
