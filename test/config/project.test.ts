import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findProject, type ProjectLocation } from '../../src/config/project.ts';
import { failureOf } from '../helpers/failure.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writeFiles } from '../helpers/project.ts';

let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let top = '';
beforeEach(async () => {
  temporary = await temporaryFolder();
  top = await realpath(temporary.path);
  await writeFiles(top, { 'plain/notes/a.md': 'x', 'repo/src/a.ts': 'x', 'home/docs/a.md': 'x' });
  await writeFiles(top, { 'repo/.git/config': '[remote "origin"]\n\turl = https://example.com/owner/repo.git\n' });
});
afterEach(() => temporary[Symbol.asyncDispose]());
const find = (path: string, cwd: string): Promise<ProjectLocation> =>
  findProject({ path: join(top, path), cwd: join(top, cwd), home: join(top, 'home') });

it('a path in a repository belongs to that repository, under the name of its remote', async () => {
  const place = { folder: join(top, 'repo'), root: 'owner/repo' };
  expect(await find('repo', 'plain')).toEqual({ ...place, scope: '' });
  expect(await find('repo/src', 'repo/src')).toEqual({ ...place, scope: 'src' });
  expect(await find('repo/src/a.ts', 'plain')).toEqual({ ...place, scope: 'src/a.ts' });
});

it('two clones of a repository are one project', async () => {
  await writeFiles(top, { 'clone/.git/config': '[remote "origin"]\n\turl = git@example.com:owner/repo.git\n', 'clone/src/a.ts': 'x' });
  const [one, other] = [await find('repo', 'plain'), await find('clone', 'plain')];
  expect(one.root).toBe(other.root);
  expect(one.folder).not.toBe(other.folder);
});

it('outside repositories, paths in the working directory belong to it, and others to themselves', async () => {
  const inside = await find('plain/notes', 'plain');
  expect(inside).toEqual({ folder: join(top, 'plain'), root: expect.stringMatching(/^plain-[0-9a-f]{8}$/), scope: 'notes' });
  expect(await find('plain/notes', 'home')).toEqual({
    folder: join(top, 'plain/notes'),
    root: expect.stringMatching(/^notes-/),
    scope: '',
  });
  expect(await find('home/docs', 'home')).toMatchObject({ folder: join(top, 'home/docs'), scope: '' });
});

it('a link to a project is the same project', async () => {
  await symlink(join(top, 'repo'), join(top, 'link'));
  await mkdir(join(top, 'other'));
  expect(await find('link/src', 'other')).toMatchObject({ folder: join(top, 'repo'), scope: 'src' });
});

it('a missing path is a file system error', async () => {
  expect(await failureOf(find('nothing', 'plain'))).toMatchObject({ code: 'filesystem', message: expect.stringContaining('nothing') });
});
