import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MoveReport } from '../../src/memory/operations/namespace-operations.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed } from '../helpers/cli-store.ts';

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

interface Listed {
  namespaces: { namespace: string; entries: number }[];
  here: { namespace: string };
}
const countsOf = ({ namespaces }: Listed): [string, number][] => namespaces.map(({ namespace, entries }) => [namespace, entries]);
const listed = async (): Promise<[string, number][]> => countsOf((await cli.run(['namespace', 'list', '--json'])).json<Listed>());
/** The same, asked of the server where one runs: that takes no start of the command line. */
const counted = async (): Promise<[string, number][]> =>
  cli.server === undefined ? await listed() : countsOf((await (await fetch(`${cli.server.url}/api/namespaces`)).json()) as Listed);

describe('namespaces', () => {
  it('are listed, renamed and renamed back', async () => {
    await seed(cli, [
      { content: 'one', namespace: 'old/name' },
      { content: 'two', namespace: 'old/name', container: 'notes' },
    ]);
    const list = await cli.run(['namespace', 'list']);
    expect(list.stdout).toMatch(/^NAMESPACE +ENTRIES +NEWEST +CONTAINERS\nold\/name +2 +\S+ \S+ +notes\n$/);
    expect(list.stderr).toMatch(/^Here: project-[0-9a-f]{8} \(/);

    const dry = await cli.run(['namespace', 'rename', 'old/name', 'new/name', '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stdout: '2 entries would move to new/name.\n' });
    expect(await cli.run(['namespace', 'rename', 'old/name', 'new/name'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('--yes'),
    });
    expect(await listed()).toEqual([['old/name', 2]]);

    const renamed = await cli.run(['namespace', 'rename', 'old/name', 'new/name', '--yes']);
    expect(renamed).toMatchObject({ code: 0, stdout: '2 entries moved to new/name.\n' });
    expect(await counted()).toEqual([['new/name', 2]]);
    expect((await cli.run(['namespace', 'rename', 'new/name', 'old/name', '--yes', '--json'])).json<MoveReport>()).toMatchObject({
      moved: 2,
      merged: 0,
    });
    expect(await counted()).toEqual([['old/name', 2]]);
  });

  it('can be merged, with exact duplicates stored once', async () => {
    const [kept = '', twin = ''] = await seed(cli, [
      { content: 'We deploy on Tuesdays', namespace: 'into', tags: ['a'] },
      { content: 'We deploy on Tuesdays', namespace: 'one', tags: ['b'] },
      { content: 'Reviews by two', namespace: 'two' },
    ]);
    const { code, stdout, stderr } = await cli.run(['namespace', 'merge', 'one', 'two', 'nothing-there', 'into', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      '1 entry moved to into.\n1 entry with the same text as an entry there was merged into it, with the tags and relations of both.\n',
    );
    expect(stderr).toMatch(/^The namespace nothing-there has no entries\.\n`lore archive --run \S+` lists the archived copies\.\n$/);
    expect(await counted()).toEqual([['into', 2]]);
    const { tags } = (await cli.run(['get', kept, '--json'])).json<{ tags: string[] }>();
    expect(tags).toEqual(['a', 'b']);
    expect(await cli.run(['get', twin])).toMatchObject({ code: 1 });
  });

  it('exchange entries by id and by filter', async () => {
    const [id = ''] = await seed(cli, [
      { content: 'one', namespace: 'from', tags: ['web'] },
      { content: 'two', namespace: 'from', tags: ['web'] },
      { content: 'three', namespace: 'from' },
    ]);
    const byId = await cli.run(['namespace', 'move', id, '--to', 'to', '--yes', '--json']);
    expect(byId.json<MoveReport>()).toMatchObject({ matches: 1, moved: 1 });
    const dry = await cli.run(['namespace', 'move', '--namespace', 'from', '--tag', 'web', '--to', 'to', '--dry-run']);
    expect(dry.stdout).toBe('1 entry would move to to.\n');
    expect((await cli.run(['namespace', 'move', '--namespace', 'from', '--tag', 'web', '--to', 'to', '--yes'])).code).toBe(0);
    expect(await counted()).toEqual([
      ['to', 2],
      ['from', 1],
    ]);
    expect((await cli.run(['history', id])).stdout).toContain('from');
  });
});

describe('the namespace commands', () => {
  it('report errors', async () => {
    await seed(cli, [
      { content: 'one', namespace: 'frontend' },
      { content: 'two', namespace: 'backend' },
    ]);
    const cases: [string[], number, string][] = [
      [['rename', 'frontent', 'x', '--yes'], 1, 'There is no namespace "frontent". Did you mean frontend?'],
      [['rename', 'frontend', 'backend', '--yes'], 5, 'holds entries: merge the two instead.'],
      [['rename', 'frontend', 'global', '--yes'], 5, 'keeps its name'],
      [['rename', 'frontend'], 1, 'to is required.'],
      [['rename', 'frontend', ' '], 5, 'to must not be blank.'],
      [['merge', 'frontend', '--yes'], 1, 'Name at least two namespaces'],
      [['merge', 'frontend', 'frontend', '--yes'], 5, 'another namespace'],
      [['move', '--to', 'x'], 1, 'id is required, or a filter'],
      [['move', '--all', '--to', 'x', '--yes'], 5, 'Name the entries to move'],
      [['move', 'nope', '--to', 'x', '--yes'], 1, 'No entry has the id "nope".'],
      [['move', '--tag', 'a'], 1, 'error: --to is required.'],
    ];
    for (const [args, code, words] of cases) {
      const ran = await cli.run(['namespace', ...args]);
      expect([args, ran.code, ran.stdout]).toEqual([args, code, '']);
      expect(ran.stderr).toContain(words);
    }
    expect(await counted()).toHaveLength(2);
  });

  it('warn that a folder still saves into an emptied namespace, which init changes', async () => {
    await cli.run(['save', 'from here']);
    const { here } = (await cli.run(['namespace', 'list', '--json'])).json<Listed>();
    const { stderr } = await cli.run(['namespace', 'rename', here.namespace, 'owner/project', '--yes']);
    expect(stderr).toContain(`This folder still saves into ${here.namespace}`);
    expect(stderr).toContain('`lore init --namespace "owner/project"`');
    await cli.run(['init', '--namespace', 'owner/project', '--yes']);
    await cli.run(['save', 'from here too']);
    expect(await counted()).toEqual([['owner/project', 2]]);
    expect((await cli.run(['namespace', 'list'])).stdout).toContain('owner/project *');
  });

  it('use one namespace for a repository, its clone and its worktree', async () => {
    const git = (cwd: string, ...args: string[]): void => {
      const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
      execFileSync('git', [...identity, ...args], { cwd, env: { PATH: process.env['PATH'], HOME: cli.home, GIT_CONFIG_NOSYSTEM: '1' } });
    };
    git(cli.cwd, 'init', '--quiet');
    git(cli.cwd, 'commit', '--quiet', '--allow-empty', '--message', 'first');
    git(cli.cwd, 'clone', '--quiet', '.', '../clone');
    git(join(cli.cwd, '../clone'), 'worktree', 'add', '--quiet', '../tree');
    await cli.run(['save', 'The queue is in Redis']);
    for (const folder of ['clone', 'tree']) {
      const { stdout } = await cli.run(['recall', 'which queue'], { cwd: join(cli.cwd, '..', folder) });
      expect(stdout).toContain('The queue is in Redis');
    }
  });
});
