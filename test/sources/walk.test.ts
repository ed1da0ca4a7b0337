import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContent } from '../../src/sources/walk/content.ts';
import { Ignores } from '../../src/sources/walk/ignores.ts';
import { nameReason } from '../../src/sources/walk/names.ts';
import { walk, type Walked } from '../../src/sources/walk/walk.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writeFiles } from '../helpers/project.ts';

async function walked(files: Readonly<Record<string, string | Uint8Array>>, scope = '', maxFileBytes = 10_000): Promise<Walked> {
  await using folder = await temporaryFolder();
  await writeFiles(folder.path, files);
  return await walk({ root: await realpath(folder.path), scope, maxFileBytes });
}
const pathsOf = ({ files }: Walked): string[] => files.map(({ path }) => path);
const reasonsOf = ({ skipped }: Walked): Record<string, string> => Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]));

describe('walking a project', () => {
  it('lists the files by path, those of a folder before its subfolders', async () => {
    const found = await walked({ 'b.ts': 'b', 'a.ts': 'a', 'src/deep/c.ts': 'c', 'src/b.ts': 'b' });
    expect(pathsOf(found)).toEqual(['a.ts', 'b.ts', 'src/b.ts', 'src/deep/c.ts']);
    expect(found.skipped).toEqual([]);
  });

  it('skips files of .gitignore, the deeper one first', async () => {
    const found = await walked({
      '.gitignore': '*.log\n/build/\n',
      'a.log': 'x',
      'build/out.ts': 'x',
      'src/build/kept.ts': 'x',
      'src/.gitignore': '!keep.log\nsecret-plans/\n',
      'src/keep.log': 'x',
      'src/other.log': 'x',
      'src/secret-plans/a.ts': 'x',
    });
    expect(pathsOf(found)).toEqual(['.gitignore', 'src/.gitignore', 'src/keep.log', 'src/build/kept.ts']);
    expect(reasonsOf(found)).toEqual({ 'a.log': 'ignored', build: 'ignored', 'src/other.log': 'ignored', 'src/secret-plans': 'ignored' });
  });

  it('prefers .loreignore to .gitignore, either way', async () => {
    const found = await walked({
      '.gitignore': 'notes/\n',
      '.loreignore': '!notes/\nfixtures/\n',
      'notes/a.md': 'x',
      'fixtures/b.md': 'x',
    });
    expect(pathsOf(found)).toContain('notes/a.md');
    expect(reasonsOf(found)).toEqual({ fixtures: 'ignored' });
  });

  it('never enters folders of version control and packages', async () => {
    const found = await walked({ '.git/config': 'x', 'node_modules/a/index.js': 'x', 'src/a.py': 'x', 'src/__pycache__/a.py': 'x' });
    expect(pathsOf(found)).toEqual(['src/a.py']);
  });

  it('skips a nested repository', async () => {
    const found = await walked({ 'a.ts': 'x', 'vendor/lib/.git': 'gitdir: elsewhere', 'vendor/lib/b.ts': 'x' });
    expect(pathsOf(found)).toEqual(['a.ts']);
    expect(reasonsOf(found)).toEqual({ 'vendor/lib': 'repository' });
  });

  it('skips large and empty files', async () => {
    const found = await walked({ 'large.md': 'x'.repeat(101), 'fits.md': 'x'.repeat(100), 'empty.md': '' }, '', 100);
    expect(pathsOf(found)).toEqual(['fits.md']);
    expect(reasonsOf(found)).toEqual({ 'large.md': 'large', 'empty.md': 'empty' });
  });

  it('follows no links, outside or in circles', async () => {
    await using folder = await temporaryFolder();
    await using outside = await temporaryFolder();
    await writeFiles(outside.path, { 'private.md': 'not yours' });
    await writeFiles(folder.path, { 'src/a.ts': 'x' });
    await symlink(outside.path, join(folder.path, 'out'));
    await symlink(join(outside.path, 'private.md'), join(folder.path, 'private.md'));
    await symlink(folder.path, join(folder.path, 'src', 'again'));
    const found = await walk({ root: await realpath(folder.path), scope: '', maxFileBytes: 1000 });
    expect(pathsOf(found)).toEqual(['src/a.ts']);
    expect(reasonsOf(found)).toEqual({ out: 'link', 'private.md': 'link', 'src/again': 'link' });
  });

  it('walks a part of the project by the rules of the whole', async () => {
    const files = { '.gitignore': '*.log\nout/\n', 'src/a.ts': 'x', 'src/a.log': 'x', 'lib/b.ts': 'x', 'out/c.ts': 'x' };
    expect(pathsOf(await walked(files, 'src'))).toEqual(['src/a.ts']);
    expect(pathsOf(await walked(files, 'src/a.ts'))).toEqual(['src/a.ts']);
    expect(reasonsOf(await walked(files, 'out'))).toEqual({ out: 'ignored' });
  });

  it('stops on request', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'a'));
    const options = { root: folder.path, scope: '', maxFileBytes: 1000, signal: AbortSignal.abort() };
    await expect(walk(options)).rejects.toThrow(/abort/i);
  });
});

describe('names', () => {
  it.each([
    '.env',
    '.env.production',
    'config/prod.env',
    '.envrc',
    'server.pem',
    'tls/private.key',
    'id_rsa',
    'deploy/id_ed25519',
    'credentials',
    'aws-credentials.json',
    'secrets.yml',
    'app.secrets.json',
    'service-account-prod.json',
    '.npmrc',
    '.netrc',
    '.ssh/config',
    '.aws/config',
    'prod.tfvars',
    'keystore.jks',
    'ID_RSA',
  ])('%s may contain secrets', (path) => {
    expect(nameReason(path)).toBe('secret');
  });

  it.each([
    '.env.example',
    'sample.env.template',
    'id_rsa.pub',
    'src/credentials.ts',
    'secrets.go',
    'docs/secrets.md',
    'environment.ts',
    'keys.ts',
  ])('%s is not a secret', (path) => {
    expect(nameReason(path)).toBeUndefined();
  });

  it.each([
    ['package-lock.json', 'lockfile'],
    ['sub/yarn.lock', 'lockfile'],
    ['Cargo.lock', 'lockfile'],
    ['go.sum', 'lockfile'],
    ['jquery.min.js', 'generated'],
    ['app.js.map', 'generated'],
    ['api_pb2.py', 'generated'],
    ['logo.png', 'binary'],
    ['report.PDF', 'binary'],
  ])('%s is skipped as %s', (path, reason) => {
    expect(nameReason(path)).toBe(reason);
  });
});

describe('content', () => {
  const reasonOf = async (name: string, content: string | Uint8Array, maxFileBytes = 100_000): Promise<string> => {
    await using folder = await temporaryFolder();
    await writeFiles(folder.path, { [name]: content });
    const read = await readContent(folder.path, name, maxFileBytes);
    return 'reason' in read ? read.reason : read.text;
  };

  it('is text in UTF-8, or skipped', async () => {
    expect(await reasonOf('a.txt', 'Grüße')).toBe('Grüße');
    expect(await reasonOf('a.txt', Uint8Array.of(0x41, 0, 0x42))).toBe('binary');
    expect(await reasonOf('a.txt', Uint8Array.of(0x47, 0x72, 0xfc, 0xdf))).toBe('binary');
    expect(await reasonOf('a.txt', ' \n\t\n')).toBe('empty');
  });

  it('marked as generated in a top comment is skipped', async () => {
    expect(await reasonOf('a.go', '// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a')).toBe('generated');
    expect(await reasonOf('a.ts', '/**\n * @generated by a tool\n */\nexport {}')).toBe('generated');
    expect(await reasonOf('a.ts', `const mark = '@generated';`)).toContain('mark');
  });

  it('that is minified is skipped, but not long lines of prose', async () => {
    expect(await reasonOf('a.js', `!function(){${'var a=1;'.repeat(500)}}()`)).toBe('generated');
    expect(await reasonOf('a.md', 'word '.repeat(1000))).toContain('word');
  });

  it('that begins with a private key is skipped, whatever its name', async () => {
    expect(await reasonOf('notes.txt', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc')).toBe('secret');
  });

  it('is not read if it grew, vanished or became a link', async () => {
    expect(await reasonOf('a.txt', 'x'.repeat(11), 10)).toBe('large');
    await using folder = await temporaryFolder();
    await writeFiles(folder.path, { 'real.txt': 'x' });
    await symlink(join(folder.path, 'real.txt'), join(folder.path, 'link.txt'));
    expect(await readContent(folder.path, 'link.txt', 100)).toEqual({ reason: 'link' });
    expect(await readContent(folder.path, 'gone.txt', 100)).toEqual({ reason: 'unreadable' });
  });
});

it('a rule for folders does not apply to files', async () => {
  await using folder = await temporaryFolder();
  await writeFiles(folder.path, { '.gitignore': 'build/\n' });
  const ignores = new Ignores(folder.path);
  expect([ignores.has('build', true), ignores.has('build', false), ignores.has('build/a/b.ts', false)]).toEqual([true, false, true]);
});
