import { once } from 'node:events';
import { rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IndexReport } from '../../src/sources/project/index-run.ts';
import type { IndexStatus } from '../../src/sources/project/status.ts';
import type { Child } from '../helpers/cli.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { storedEntries } from '../helpers/cli-store.ts';
import { writeFiles } from '../helpers/project.ts';

/** Looks like a key of a cloud provider, and is none. */
const KEY = ['AKIA', 'Z7QX3MNB5VCW2LKJ'].join('');

const GIT = { '.git/config': '[remote "origin"]\n\turl = https://example.com/owner/repo.git\n' };
const FILES = {
  ...GIT,
  'README.md': '# Project\n\nWhat it does.\n',
  'src/walrus.ts': '/** Steers the orchestra. */\nexport function walrus(): number {\n  return 1;\n}\n',
  '.env': 'KEY=1\n',
};

it('index sends a project to the store of a running server, and shows its status', async () => {
  await using cli = await openCliInProcess();
  await cli.serveHere();
  await writeFiles(cli.cwd, FILES);
  expect((await cli.run(['index', '--json'])).json<IndexReport>()).toMatchObject({ files: { new: 2 }, entries: { stored: 2 } });
  expect((await cli.run(['index', '--json'])).json<IndexReport>().files).toMatchObject({ new: 0, unchanged: 2 });
  await rename(join(cli.cwd, 'src/walrus.ts'), join(cli.cwd, 'src/orca.ts'));
  expect((await cli.run(['index', '--status', '--json'])).json<IndexStatus>()).toMatchObject({ files: 2, pending: { renamed: 1 } });
  expect((await cli.run(['recall', 'steers the orchestra'])).stdout).toContain('  src/walrus.ts:1-4  ');
});

describe('index of a project', () => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
    await writeFiles(cli.cwd, FILES);
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  const report = async (...flags: string[]) => (await cli.run(['index', '--json', ...flags])).json<IndexReport>();

  it('stores a project, reports what it skipped, and finds it again', async () => {
    const ran = await cli.run(['index']);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout.replace(/\(\d+\.\d s\)/, '(0.1 s)').split('\n')).toEqual([
      'Indexed owner/repo into owner/repo (0.1 s)',
      'Files    2 new',
      'Entries  2 stored',
      'Left out',
      '  1  may contain secrets: .env',
      '',
    ]);
    const entries = await storedEntries(cli);
    expect(entries.map(({ source, sourceRef }) => [source, sourceRef?.['file']])).toEqual(
      expect.arrayContaining([
        ['index', 'README.md'],
        ['index', 'src/walrus.ts'],
      ]),
    );
    expect((await cli.run(['recall', 'steers the orchestra'])).stdout).toContain('  src/walrus.ts:1-4  ');
  });

  it('does nothing the second time, follows changes, and shows its status', async () => {
    expect((await report()).files).toMatchObject({ new: 2, unchanged: 0 });
    expect((await report()).files).toMatchObject({ new: 0, unchanged: 2 });
    await rename(join(cli.cwd, 'src/walrus.ts'), join(cli.cwd, 'src/orca.ts'));
    await unlink(join(cli.cwd, 'README.md'));
    const status = await cli.run(['index', '--status', '--json']);
    expect(status.json<IndexStatus>()).toMatchObject({
      root: 'owner/repo',
      files: 2,
      pending: { renamed: 1, removed: 1 },
      upToDate: false,
    });
    expect((await cli.run(['index', '--status'])).stdout).toMatch(/To do +1 renamed, 1 removed/);
    expect(await report()).toMatchObject({ files: { renamed: 1, removed: 1 }, entries: { stored: 0, kept: 1, removed: 1 } });
    expect((await cli.run(['index', '--status'])).stdout).toMatch(/To do +nothing, it is up to date/);
  });

  it('changes nothing in a dry run', async () => {
    expect(await report('--dry-run')).toMatchObject({ dryRun: true, files: { new: 2 } });
    expect((await cli.run(['index', '--dry-run'])).stdout).toMatch(/^Would index owner\/repo/);
    expect(await storedEntries(cli)).toEqual([]);
  });

  it('indexes part of a project, from anywhere, into another namespace', async () => {
    const cwd = join(cli.cwd, 'src');
    const ran = await cli.run(['index', '..', '--json', '--namespace', 'other'], { cwd });
    expect(ran.json<IndexReport>()).toMatchObject({ namespace: 'other', root: 'owner/repo', scope: '', files: { new: 2 } });
    expect(await report('src')).toMatchObject({ namespace: 'owner/repo', scope: 'src', files: { new: 1 } });
  });

  it('follows changes until Ctrl-C, which is not an error', async () => {
    const child = cli.spawn(['index', '--watch', '--json']);
    const lines = linesOf(child);
    const next = async () => JSON.parse((await lines.next()).value as string) as IndexReport;
    expect((await next()).files).toMatchObject({ new: 2 });
    await writeFiles(cli.cwd, { 'src/new.ts': 'export const added = 1;\n' });
    expect((await next()).files).toMatchObject({ new: 1, unchanged: 2 });
    expect(await storedEntries(cli)).toHaveLength(3);
    await rm(join(cli.cwd, 'src/new.ts'));
    expect((await next()).files).toMatchObject({ removed: 1, unchanged: 2 });
    const closed = once(child, 'close');
    child.kill('SIGINT');
    expect(await closed).toEqual([0, null]);
  });
});

describe('index', () => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  it('exits with 2 for a missing folder, and with 1 for flags that exclude each other', async () => {
    expect((await cli.run(['index', 'nothing'])).code).toBe(2);
    expect((await cli.run(['index', '--watch', '--status'])).code).toBe(1);
    expect((await cli.run(['index', '--namespace', ''])).code).toBe(5);
  });

  it('indexes more files than one scan covers', async () => {
    await writeFiles(cli.cwd, { 'a.md': 'one', 'b.md': 'two', 'c.md': 'three' });
    const ran = await cli.run(['index'], { env: { SERVICE_INDEX_MAX_FILES_PER_SCAN: '2' } });
    expect(ran.stdout).toMatch(/Files +3 new/);
  });

  it('indexes another project with the settings of that project', async () => {
    const other = join(cli.cwd, '../other');
    await writeFiles(other, { ...GIT, 'lore.config.json': '{ "memory": { "namespace": "theirs" } }', 'a.md': 'one' });
    expect((await cli.run(['index', '../other', '--dry-run', '--json'])).json<IndexReport>()).toMatchObject({
      namespace: 'theirs',
      root: 'owner/repo',
    });
  });

  it('warns of files that may contain a secret', async () => {
    await writeFiles(cli.cwd, { 'a.ts': `export const id = '${KEY}';\n` });
    expect((await cli.run(['index'])).stderr).toMatch(/warning: 1 file seems to contain secrets: a\.ts \(.+\)\. Secrets are redacted/);
  });
});

async function* linesOf(child: Child): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
}
