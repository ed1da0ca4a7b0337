import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Entry } from '../../src/memory/entry.ts';
import type { EntryPage, SaveReceipt, SearchResults, Stats } from '../../src/memory/operations/operations.ts';
import type { Ran, RunOptions } from '../helpers/cli.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed, storedContents } from '../helpers/cli-store.ts';

const UNKNOWN_ID = '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11';

describe('commands that open the store', () => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
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
    expect((await run(['recall', 'how', 'do', 'we', 'deploy'])).stdout).toBe(plain.stdout);
    const found = (await run(['recall', 'deploy', '--json'])).json<SearchResults>();
    expect(found).toMatchObject({
      query: 'deploy',
      mode: 'hybrid',
      results: [{ entry: { id, source: 'cli', priority: 'normal', tags: ['deploy', 'ops'] } }],
    });
    expect(found.results[0]?.entry.namespace).toMatch(/^project-[0-9a-f]{8}$/);
  });

  it('save standard input byte for byte, without the last line break', async () => {
    const content = '  Ünïcode 🎉 ‘quotes’ "and" \\ back\n\n second line\t';
    await run(['save', '-t', 'piped'], { input: `${content}\n` });
    expect(await storedContents(cli)).toEqual([content]);
    expect(await run(['save'], { input: Buffer.from([0xff, 0xfe]) })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('not UTF-8'),
    });
    expect(await run(['save'], { input: ' \n' })).toMatchObject({ code: 5, stderr: expect.stringContaining('text must not be blank') });
  });

  it('report a text that exists already', async () => {
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
    expect((await recalled())[0]).toBe('everywhere');
    expect((await recalled('--namespace', 'owner/repo'))[0]).toBe('everywhere');
    expect(await recalled('--no-global')).not.toContain('everywhere');
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

  it('say that nothing was found, and where they searched', async () => {
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

  it('forget several entries, after a confirmation', async () => {
    const [a = '', b = ''] = await seed(cli, [{ content: 'a' }, { content: 'b' }, { content: 'c' }]);
    const ids = [a, b];
    expect(await run(['forget', ...ids])).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    const archived = await run(['forget', '--yes', ...ids]);
    expect(archived).toMatchObject({ code: 0, stdout: 'Archived 2 entries.\n' });
    expect(await storedContents(cli)).toEqual(['c']);
    const [, runId = ''] = /`lore archive restore --run (\S+)` restores them\./.exec(archived.stderr) ?? [];
    expect(await run(['restore', '--run', runId])).toMatchObject({ code: 0 });
    expect((await storedContents(cli)).toSorted()).toEqual(['a', 'b', 'c']);
    expect(await run(['forget', '--yes', '--permanently', a])).toMatchObject({ code: 0, stdout: 'Deleted 1 entry.\n', stderr: '' });
    expect(await run(['restore', a])).toMatchObject({ code: 1 });
    expect((await storedContents(cli)).toSorted()).toEqual(['b', 'c']);
  });

  it('exit with 1 for unknown ids, and still forget the others', async () => {
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
    expect(status.server).toBe(null);
    const plain = await run(['status']);
    expect(plain.stdout).toMatch(/^Server +not running$/m);
    expect(plain.stdout).toContain('2 entries, 1 here, 1 global');
    expect((await run(['stats', '--json'])).json<Stats>()).toMatchObject({
      total: 2,
      bySource: { cli: 2 },
      topTags: [{ tag: 'x', entries: 1 }],
    });
    expect((await run(['stats'])).stdout).toMatch(/^NAMESPACE +ENTRIES +NEWEST +CONTAINERS$/m);
  });

  it('preview a migration', async () => {
    await seed(cli, [{ content: 'embedded already' }]);
    const { code, stdout } = await run(['migrate', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Status +nothing to do$/m);
    expect((await run(['migrate', '--json'])).json()).toMatchObject({ status: 'nothing to do', total: 1, stale: 0 });
  });

  it('escape terminal control characters in content', async () => {
    await save('before \u001b[2J after');
    for (const args of [['list'], ['recall', 'before'], ['search', 'before']]) {
      const { stdout } = await run(args);
      expect(stdout).toContain('before');
      expect(stdout).not.toContain('\u001b');
    }
  });
});

// That a server and the store give the same answers is proved in test/client/same-answers.test.ts: here, that each command asks the server.
describe('commands with a running server', () => {
  let cli: CliInProcess;
  beforeAll(async () => {
    cli = await openCliInProcess();
    await cli.serveHere();
  });
  afterAll(() => cli[Symbol.asyncDispose]());

  const ok = async (...args: string[]): Promise<Ran> => {
    const ran = await cli.run(args);
    expect({ args, code: ran.code }).toEqual({ args, code: 0 });
    return ran;
  };

  it('save, find, show, change and forget', async () => {
    const id = (await ok('save', 'We deploy with make ship', '--tag', 'a')).stdout.trim();
    const again = (await ok('save', 'We deploy with make ship', '--tag', 'b', '--json')).json<SaveReceipt>();
    expect(again).toMatchObject({ ids: [id], outcomes: [{ status: 'duplicate' }], entry: { source: 'cli', tags: ['a', 'b'] } });
    for (const command of ['recall', 'search']) expect((await ok(command, 'deploy', '--explain')).stdout).toContain('ranked by');
    expect((await ok('explain', id, 'deploy')).stdout).toMatch(/^Found\. /);
    expect((await ok('list')).stdout).toContain(id);
    expect((await ok('get', `mem_${id}`)).stdout).toMatch(/^Id +[0-9a-f-]{36}\n/);
    expect((await ok('history', id, '--undo')).stdout).toContain('tags: a, b -> a');
    expect((await ok('forget', id, '--yes')).stdout).toBe('Archived 1 entry.\n');
    expect((await ok('archive')).stdout).toContain(id);
    expect((await ok('restore', id)).stdout).toBe(`${id}\n1 entry restored.\n`);
    expect((await ok('forget', id, '--yes', '--permanently')).stdout).toBe('Deleted 1 entry.\n');
    expect(await cli.run(['get', id])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('No entry has the id') });
  });

  it('relate, name and move', async () => {
    const [a = '', b = ''] = await seed(cli, [
      { content: 'The walrus sleeps', namespace: 'sea', container: 'pier' },
      { content: 'Retries are in lib/net/retry.ts', namespace: 'sea' },
    ]);
    expect((await ok('relate', a, 'references', b)).stdout).toContain(`${a} references ${b}`);
    expect((await ok('relations', a)).stdout).toContain('references');
    expect((await ok('related', a)).stdout).toContain('Retries');
    expect((await ok('graph', '--namespace', 'sea')).stdout).toContain('2 entries, 1 relation');
    expect((await ok('unrelate', a, 'references', b)).stdout).toBe('Deleted the relation.\n');
    expect((await ok('entities', '--namespace', 'sea')).stdout).toMatch(/^lib\/net\/retry\.ts +path +1$/m);
    expect((await ok('entities', 'rename', 'lib', 'src', '--all')).stdout).toBe('Changed 1 entry.\n');
    expect((await ok('namespace', 'rename', 'sea', 'coast', '--yes')).stdout).toBe('2 entries moved to coast.\n');
    expect((await ok('namespace', 'move', a, '--to', 'pier', '--yes')).stdout).toBe('1 entry moved to pier.\n');
    expect((await ok('namespace', 'merge', 'pier', 'coast', '--yes')).stdout).toBe('1 entry moved to coast.\n');
    expect((await ok('namespace', 'list')).stdout).toMatch(/^coast +2 /m);
    expect((await ok('forget', '--namespace', 'coast', '--source', 'cli', '--yes', '--permanently')).stdout).toBe('Deleted 2 entries.\n');
  });

  it('report on and maintain the store', async () => {
    await seed(cli, [{ content: 'counted', tags: ['x'] }]);
    const { server } = (await ok('status', '--json')).json<{ server: string }>();
    expect(server).toBe(cli.server!.url);
    expect((await ok('status')).stdout).toMatch(/^Server +http/);
    expect((await ok('stats', '--json')).json<Stats>().total).toBe(1);
    expect((await ok('compact', '--dry-run', '--json')).json()).toMatchObject({ dryRun: true, looked: 1 });
    expect((await ok('migrate', '--dry-run')).stdout).toMatch(/^Status +nothing to do$/m);
    expect((await ok('verify')).stdout).toContain('all as saved');
  });
});
