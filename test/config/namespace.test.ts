import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRemotes } from '../../src/config/git-repository.ts';
import { localPath, repositoryName } from '../../src/config/git-remote.ts';
import { detectNamespace } from '../../src/config/namespace.ts';
import { Namespace } from '../../src/memory/entry.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'lore-namespace-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function folder(...parts: string[]): string {
  const path = join(home, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
}
function git(cwd: string, ...args: string[]): void {
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...identity, ...args], { cwd, env, stdio: 'pipe' });
}
function repository(...parts: string[]): string {
  const path = folder(...parts);
  git(path, 'init', '--quiet');
  git(path, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  return path;
}
const detected = async (cwd: string): Promise<string> => (await detectNamespace({ cwd, home })).namespace;

describe('the namespace of a folder', () => {
  it('is the configured one, if any', async () => {
    expect(await detectNamespace({ cwd: home, home, configured: 'mine' })).toEqual({ namespace: 'mine', why: 'memory.namespace is set' });
  });

  it('is owner/repo of the remote, also in a subfolder', async () => {
    const path = repository('work', 'clone');
    git(path, 'remote', 'add', 'upstream', 'https://example.com/them/thing.git');
    git(path, 'remote', 'add', 'origin', 'git@example.com:owner/repo.git');
    expect(await detectNamespace({ cwd: path, home })).toEqual({ namespace: 'owner/repo', why: 'the git remote origin' });
    expect(await detected(folder('work', 'clone', 'src', 'deep'))).toBe('owner/repo');
    git(path, 'remote', 'remove', 'origin');
    expect(await detected(path)).toBe('them/thing');
  });

  it('is the same in every worktree, with and without a remote, also of a bare repository', async () => {
    const path = repository('work', 'main');
    git(home, 'clone', '--quiet', '--bare', path, 'bare.git');
    git(path, 'worktree', 'add', '--quiet', '../feature');
    const name = await detected(path);
    expect(name).toMatch(/^main-[0-9a-f]{8}$/);
    expect(await detected(folder('work', 'feature', 'src'))).toBe(name);
    git(path, 'remote', 'add', 'origin', 'ssh://git@example.com:2222/owner/repo');
    expect(await detected(join(home, 'work', 'feature'))).toBe('owner/repo');
    git(join(home, 'bare.git'), 'worktree', 'add', '--quiet', '../from-bare', '-b', 'other');
    expect(await detected(join(home, 'from-bare'))).toBe('owner/repo');
    git(join(home, 'bare.git'), 'remote', 'remove', 'origin');
    expect(await detected(join(home, 'from-bare'))).toMatch(/^bare\.git-[0-9a-f]{8}$/);
  });

  it('of a local clone is that of its source, through any number of clones and in their worktrees', async () => {
    const path = repository('work', 'source');
    const name = await detected(path);
    git(home, 'clone', '--quiet', path, 'copy');
    git(home, 'clone', '--quiet', '--bare', `file://${path}`, 'shared.git');
    git(home, 'clone', '--quiet', join(home, 'shared'), 'of-bare');
    git(join(home, 'copy'), 'worktree', 'add', '--quiet', '../tree');
    for (const clone of ['copy', 'of-bare', 'tree']) expect([clone, await detected(join(home, clone))]).toEqual([clone, name]);
    expect((await detectNamespace({ cwd: join(home, 'copy'), home })).why).toBe(`the repository ${path}, which this one was cloned from`);
    git(path, 'remote', 'add', 'origin', 'https://example.com/owner/repo.git');
    for (const clone of ['copy', 'of-bare', 'tree']) expect([clone, await detected(join(home, clone))]).toEqual([clone, 'owner/repo']);
  });

  it('of a clone stays after its source is gone, and two repositories that name each other both have one', async () => {
    const path = repository('work', 'source');
    const name = await detected(path);
    git(home, 'clone', '--quiet', path, 'copy');
    rmSync(path, { recursive: true });
    expect(await detected(join(home, 'copy'))).toBe(name);
    const [one, two] = [repository('one'), repository('two')];
    git(one, 'remote', 'add', 'origin', two);
    git(two, 'remote', 'add', 'origin', '../one/.git');
    expect(await detected(one)).toMatch(/^(one|two)-/);
    expect(await detected(two)).toMatch(/^(one|two)-/);
  });

  it('is not taken from a path remote that is not its origin', async () => {
    const path = repository('work', 'source');
    const name = await detected(path);
    git(home, 'init', '--quiet', '--bare', 'backup.git');
    git(path, 'remote', 'add', 'backup', join(home, 'backup.git'));
    expect(await detected(path)).toBe(name);
  });

  it('is the same for ssh and https clones, and differs for another repository in a folder of the same name', async () => {
    const [one, two, other] = [repository('a', 'app'), repository('b', 'app'), repository('c', 'app')];
    git(one, 'remote', 'add', 'origin', 'git@example.com:owner/app.git');
    git(two, 'remote', 'add', 'origin', 'https://example.com/owner/app');
    expect(await detected(one)).toBe(await detected(two));
    expect(await detected(other)).toMatch(/^app-[0-9a-f]{8}$/);
    expect(await detected(other)).not.toBe(await detected(repository('d', 'app')));
  });

  it('of a submodule is that of its own repository', async () => {
    const library = repository('library');
    const path = repository('app');
    git(path, 'submodule', '--quiet', 'add', library, 'vendor');
    expect(await detected(join(path, 'vendor'))).toBe(await detected(library));
    expect(await detected(join(path, 'vendor'))).not.toBe(await detected(path));
  });

  it('without git is the folder name with a hash, and the same through a link', async () => {
    const [one, two] = [folder('a', 'notes'), folder('b', 'notes')];
    expect(await detected(one)).toMatch(/^notes-[0-9a-f]{8}$/);
    expect(await detected(one)).not.toBe(await detected(two));
    symlinkSync(one, join(home, 'link'));
    expect(await detected(join(home, 'link'))).toBe(await detected(one));
  });

  it('is `default` in the home directory and in the root', async () => {
    git(home, 'init', '--quiet');
    git(home, 'remote', 'add', 'origin', 'git@example.com:me/dotfiles.git');
    expect(await detected(home)).toBe('default');
    expect(await detected('/')).toBe('default');
    expect(await detected(folder('project'))).toMatch(/^project-/);
  });

  it('survives broken git files', async () => {
    const path = folder('broken');
    writeFileSync(join(path, '.git'), 'nonsense');
    expect(await detected(path)).toMatch(/^broken-/);
    rmSync(join(path, '.git'));
    mkdirSync(join(path, '.git'));
    writeFileSync(join(path, '.git', 'config'), '[remote "origin"\nurl = \n[remote "b"]\n url = :::');
    expect(await detected(path)).toMatch(/^broken-/);
    expect(await detected(join(home, 'is', 'not', 'there'))).toMatch(/^there-/);
  });

  it('is always a valid namespace name', async () => {
    for (const name of ['with space', 'tab\there', '日本語', 'é'.repeat(100), '🙂'.repeat(60)]) {
      expect(Namespace.safeParse(await detected(folder('odd', name))).success).toBe(true);
    }
    const path = repository('long');
    git(path, 'remote', 'add', 'origin', `https://example.com/${'x'.repeat(300)}/repo`);
    expect(await detected(path)).toMatch(/^long-/);
    expect(dirname(path)).toBe(home);
  });
});

describe('the name of a remote', () => {
  it.each([
    ['git@github.com:owner/repo.git', 'owner/repo'],
    ['github.com:owner/repo', 'owner/repo'],
    ['ssh://git@host:22/owner/repo.git/', 'owner/repo'],
    ['ssh://git@[::1]:22/owner/repo.git', 'owner/repo'],
    ['https://user:secret@github.com/owner/repo.git', 'owner/repo'],
    ['https://gitlab.com/group/team/repo', 'group/team/repo'],
    ['git://host/repo.git', 'host/repo'],
    ['git@Host:repo.git', 'host/repo'],
    ['https://host/owner/repo.git?x=1#y', 'owner/repo'],
  ])('%s is %s', (url, name) => expect(repositoryName(url)).toBe(name));

  it.each(['/srv/git/repo.git', '../repo', 'file:///srv/repo', 'C:\\repo', 'C:/repo', '', 'https://host/', './a:b'])('%s is none', (url) =>
    expect(repositoryName(url)).toBeUndefined(),
  );
});

describe('the path of a remote', () => {
  it.each([
    ['/srv/git/repo.git', '/srv/git/repo.git'],
    ['../repo', '/srv/repo'],
    ['file:///srv/my%20repo', '/srv/my repo'],
    ['./a:b', '/srv/app/a:b'],
  ])('%s is %s', (url, path) => expect(localPath(url, '/srv/app')).toBe(path));

  it.each([
    'git@host:owner/repo',
    'https://host/owner/repo',
    'ext::sh -c x',
    'codecommit::eu://repo',
    's3://bucket/repo',
    'file://%zz',
    '',
  ])('%s has none', (url) => expect(localPath(url, '/srv/app')).toBeUndefined());
});

describe('git config', () => {
  it('is read with comments, quotes, case and one-line sections', () => {
    const config = `
[core]
  url = not-a-remote
[Remote "origin"] ; the first
  fetch = +refs/heads/*:refs/remotes/origin/*
  URL = "https://example.com/a/b#c" # note
  url = second-is-for-pushes
[remote "we\\"ird"] url = x\\
y
[branch "main"]
  remote = origin`;
    expect(parseRemotes(config)).toEqual([
      { name: 'origin', url: 'https://example.com/a/b#c' },
      { name: 'we"ird', url: 'xy' },
    ]);
  });
});
