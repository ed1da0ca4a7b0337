import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { generateKey, openKeyRing } from '../../src/config/api-keys.ts';
import { ConfigSchema } from '../../src/config/schema.ts';
import { makePrivate } from '../../src/store/files/privacy.ts';
import { openApp } from '../../src/app.ts';
import { testConfig } from '../helpers/app.ts';
import { openCli } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { recordedLog } from '../helpers/recorded-log.ts';

const UMASK = process.umask();
afterEach(() => void process.umask(UMASK));

function canFreeze(): boolean {
  const file = path.join(tmpdir(), `lore-frozen-${process.pid}`);
  writeFileSync(file, '');
  try {
    execFileSync('chattr', ['+i', file], { stdio: 'ignore' });
    execFileSync('chattr', ['-i', file], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(file, { force: true });
  }
}

/** Everything below a folder that group or others may do anything with, with its mode; also the folder itself. */
async function openIn(folder: string): Promise<string[]> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))];
  const found = await Promise.all(
    names.map(async (name) => {
      const at = await lstat(path.join(folder, name)).catch(() => undefined);
      return at === undefined || at.isSymbolicLink() || (at.mode & 0o077) === 0 ? [] : [`${name} ${(at.mode & 0o777).toString(8)}`];
    }),
  );
  return found.flat();
}

/** Every kind of work that writes files. */
async function workIn(folder: string): Promise<void> {
  const config = testConfig(folder, { 'audit.enabled': true, 'audit.path': path.join(folder, 'audit'), 'memory.chunkSize': 200 });
  await using app = await openApp(config, { log: recordedLog(), cwd: folder });
  const { ownMemories: memories } = app;
  const { ids } = await memories.save({ content: `long ${'words of a text '.repeat(60)}`, tags: ['a'] });
  const other = (await memories.save({ content: 'another one' })).ids[0]!;
  await memories.update(ids[0]!, { tags: ['b'] });
  await memories.relations.relate({ sourceId: ids[0]!, targetId: other, type: 'references' });
  await memories.capture.accept({
    client: 'claude',
    session: 's',
    event: 'prompt',
    text: 'We decided to use Postgres instead of MySQL for orders.',
  });
  await memories.capture.undo({ session: 's', dryRun: true });
  const { token } = await memories.lifecycle.forgetMany({ ids: [other] });
  await memories.lifecycle.forgetMany({ ids: [other], confirm: token! });
  const lines = async function* (): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(Array.from({ length: 300 }, (_, nth) => `{"content":"line ${nth}"}\n`).join('')));
  };
  await memories.import(lines(), {});
  await memories.import(lines(), { strict: true });
  await memories.lifecycle.compact({});
  await memories.backups.create();
  await memories.recall({ query: 'line' });
}

describe('files written by Lore', () => {
  it('are private after every kind of work, also with an open umask', async () => {
    await using folder = await temporaryFolder();
    process.umask(0o000);
    await mkdir(path.join(folder.path, 'home'), { mode: 0o700 });
    const home = path.join(folder.path, 'home');
    await workIn(home);
    process.umask(0o000);
    await generateKey({ file: path.join(home, 'config', 'keys.json'), name: 'a', access: 'full', namespace: undefined });
    const names = await readdir(home);
    expect(names).toEqual(expect.arrayContaining(['audit', 'backups', 'capture', 'config', 'store']));
    expect(await openIn(home)).toEqual([]);
  });

  it('are made private if they were copied with open permissions, without following links', async () => {
    await using folder = await temporaryFolder();
    await workIn(folder.path);
    const [store, outside] = [path.join(folder.path, 'store'), path.join(folder.path, 'outside.txt')];
    await writeFile(outside, 'of somebody else', { mode: 0o644 });
    await chmod(outside, 0o644);
    for (const name of await readdir(folder.path, { recursive: true })) {
      const at = path.join(folder.path, name);
      if (at !== outside) await chmod(at, (await stat(at)).isDirectory() ? 0o755 : 0o644);
    }
    await symlink(outside, path.join(store, 'link'));
    expect((await openIn(store)).length).toBeGreaterThan(10);
    await workIn(folder.path);
    for (const name of ['store', 'backups/store', 'capture', 'audit'])
      expect([name, await openIn(path.join(folder.path, name))]).toEqual([name, []]);
    expect((await stat(outside)).mode & 0o777).toBe(0o644);
  });

  it('are counted when made private, and otherwise untouched', async () => {
    await using folder = await temporaryFolder();
    const log = recordedLog();
    const file = path.join(folder.path, 'a');
    await writeFile(file, '');
    await chmod(file, 0o666);
    expect(await makePrivate([folder.path, path.join(folder.path, 'none')], log)).toBe(1);
    expect(await makePrivate([folder.path], log)).toBe(0);
    expect(log.lines).toEqual([]);
  });

  it.skipIf(!canFreeze())('are logged if they cannot be made private (skipped where chattr +i is not allowed)', async () => {
    await using folder = await temporaryFolder();
    const log = recordedLog();
    const file = path.join(folder.path, 'frozen');
    await writeFile(file, '');
    await chmod(file, 0o644);
    execFileSync('chattr', ['+i', file]);
    try {
      expect(await makePrivate([folder.path], log)).toBe(0);
      expect(log.lines).toMatchObject([{ level: 'warn', fields: { files: [file], count: 1 } }]);
    } finally {
      execFileSync('chattr', ['-i', file]);
    }
  });

  it('include the keys file, which is made private when it is read', async () => {
    await using folder = await temporaryFolder();
    const file = path.join(folder.path, 'keys.json');
    const { key } = await generateKey({ file, name: 'a', access: 'full', namespace: undefined });
    await chmod(file, 0o666);
    expect(openKeyRing({ config: ConfigSchema.parse({}), file }).grantFor(key)?.name).toBe('a');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});

describe('the command line', () => {
  it('leaves nothing open to others, whatever the umask', async () => {
    await using cli = await openCli();
    process.umask(0o000);
    const store = path.join(cli.home, 'store');
    const env = { SERVICE_STORAGE_PATH: store };
    expect((await cli.run(['save', 'a text'], { env })).code).toBe(0);
    expect((await cli.run(['backup', 'now'], { env })).code).toBe(0);
    expect((await cli.run(['auth', 'generate-key', '--name', 'a'], { env })).code).toBe(0);
    process.umask(UMASK);
    expect(await openIn(store)).toEqual([]);
    const below = (await openIn(cli.home)).filter((line) => /keys\.json|backups|capture|store/.test(line));
    expect(below).toEqual([]);
  });
});
