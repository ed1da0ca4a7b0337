import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Backup } from '../../src/memory/operations/backup-operations.ts';
import type { EntryPage } from '../../src/memory/operations/operations.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed, storedContents, storePathOf } from '../helpers/cli-store.ts';

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

const contents = (): Promise<string[]> => storedContents(cli);
const storePath = (): string => storePathOf(cli);

describe.each([
  { where: 'without a server', serve: false },
  { where: 'beside a running server', serve: true },
])('backups $where', ({ serve }) => {
  it('are made, listed and verified', async () => {
    // Without one of its own: on a slow machine that would be among them.
    if (serve) await cli.serveHere({ SERVICE_STORAGE_BACKUP_INTERVAL: '0' });
    await seed(cli, [{ content: 'one' }]);
    expect(await cli.run(['backup', 'list'])).toMatchObject({ code: 0, stdout: 'No backups. `lore backup now` makes one.\n' });
    const made = await cli.run(['backup', 'now']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Name\s+\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\nEntries\s+1 entry\nSize\s+[\d.]+ KB\nKind\s+manual\n$/);
    const second = (await cli.run(['backup', 'now', '--json'])).json<Backup & Record<string, unknown>>();
    const { backups } = (await cli.run(['backup', 'list', '--json'])).json<{ backups: Backup[] }>();
    expect(backups).toHaveLength(2);
    expect(backups[0]).toEqual(second);
    expect((await cli.run(['backup', 'list'])).stdout.split('\n')).toHaveLength(4);
    expect(await cli.run(['backup', 'verify', second.name])).toMatchObject({ code: 0, stdout: `${second.name} is whole: 1 entry.\n` });
    expect((await cli.run(['status'])).stdout).toContain(`(${second.name})`);
    const folder = join(storePath(), '..', 'backups', 'store', second.name);
    await writeFile(join(folder, 'head.json'), '');
    expect(await cli.run(['backup', 'verify', second.name])).toMatchObject({
      code: 1,
      stdout: `${second.name} is damaged:\n  head.json is damaged\n`,
    });
    expect((await cli.run(['backup', 'verify', second.name, '--json'])).json()).toMatchObject({ whole: false });
    expect((await cli.run(['backup', 'verify', '2026-01-01T00-00-00.000Z'])).code).toBe(1);
    expect((await cli.run(['backup', 'verify', '../store'])).code).toBe(5);
  });
});

describe('a restore from backup', () => {
  it('restores the store, keeps the previous one, and is refused while a server runs', async () => {
    await seed(cli, [{ content: 'one' }, { content: 'two' }]);
    const { name } = (await cli.run(['backup', 'now', '--json'])).json<Backup & Record<string, unknown>>();
    await cli.run(['save', 'three']);
    const server = await cli.serveHere();
    const refused = await cli.run(['backup', 'restore', name, '--yes']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`is open in process ${server.pid} (its server: ${server.url})`);
    expect(await contents()).toEqual(['one', 'two', 'three']);
    await server.stop();

    const restored = await cli.run(['backup', 'restore', name, '--yes']);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const kept = /in (\/.*store\.before-restore-\S+)/.exec(restored.stdout)?.[1];
    expect(await contents()).toEqual(['one', 'two']);
    const env = { SERVICE_STORAGE_PATH: kept };
    const { entries } = (await cli.run(['list', '--all', '--json'], { env })).json<EntryPage>();
    expect(entries.map(({ content }) => content).toSorted()).toEqual(['one', 'three', 'two']);
  });

  it('interrupted between its two renames leaves the store unchanged when it is next opened', async () => {
    await cli.run(['save', 'one']);
    const store = storePath();
    await rename(store, `${store}.before-restore-2026-01-01T00-00-00.000Z`);
    await mkdir(join(store, '..', '.store.restoring-0a1b2c3d'));
    expect(await contents()).toEqual(['one']);
    expect(await readdir(join(store, '..'))).not.toContain('store.before-restore-2026-01-01T00-00-00.000Z');
  });

  it('changes nothing if the backup is damaged or unknown', async () => {
    await cli.run(['save', 'one']);
    const { name } = (await cli.run(['backup', 'now', '--json'])).json<Backup & Record<string, unknown>>();
    const store = storePath();
    const files = await readdir(join(store, '..', 'backups', 'store', name), { recursive: true });
    const data = files.find((file) => file.startsWith('journal') && file.endsWith('.log'))!;
    await rm(join(store, '..', 'backups', 'store', name, data));
    const before = await readdir(join(store, '..'));
    expect(await cli.run(['backup', 'restore', name])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Cannot ask for confirmation: no terminal'),
    });
    const damaged = await cli.run(['backup', 'restore', name, '--yes']);
    expect(damaged).toMatchObject({ code: 2, stderr: expect.stringContaining(`${data} is missing`) });
    expect((await cli.run(['backup', 'restore', '2026-01-01T00-00-00.000Z', '--yes'])).code).toBe(1);
    expect((await cli.run(['backup', 'restore', '..', '--yes'])).code).toBe(5);
    expect(await readdir(join(store, '..'))).toEqual(before);
    expect(await contents()).toEqual(['one']);
  });
});

describe('backups of a store that cannot be opened', () => {
  it('are listed and verified, with the reason why the store does not open', async () => {
    await cli.run(['save', 'one']);
    const { name } = (await cli.run(['backup', 'now', '--json'])).json<Backup & Record<string, unknown>>();
    const store = storePath();
    await rm(join(store, 'entries.lance'), { recursive: true });
    const listed = await cli.run(['backup', 'list']);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining(name), stderr: expect.stringContaining('is damaged') });
    expect(listed.stderr).toContain('Its backups are read without it.');
    expect((await cli.run(['backup', 'list', '--json'])).json()).toMatchObject({ backups: [{ name, entries: 1 }] });
    expect(await cli.run(['backup', 'verify', name])).toMatchObject({ code: 0, stdout: `${name} is whole: 1 entry.\n` });
    expect(await cli.run(['backup', 'now'])).toMatchObject({ code: 2, stdout: '' });
  }, 120_000);
});

describe('storage.compression', () => {
  it('compresses backups and server responses, but not what a command reads', async () => {
    const env = { SERVICE_STORAGE_COMPRESSION: 'true' };
    const server = await cli.serveHere(env);
    await seed(cli, [{ content: 'one' }]);
    expect((await cli.run(['backup', 'now', '--json'])).json()).toMatchObject({ compressed: true, entries: 1 });
    const response = await fetch(`${server.url}/api/export`);
    expect(response.headers.get('content-type')).toBe('application/gzip');
    expect(gunzipSync(Buffer.from(await response.arrayBuffer())).toString()).toContain('"content":"one"');
    expect((await fetch(`${server.url}/api/export?gzip=false`)).headers.get('content-type')).toMatch('application/x-ndjson');
    expect((await cli.run(['export'])).stdout).toContain('"content":"one"');
    const { backups } = (await cli.run(['backup', 'list', '--json'])).json<{ backups: Backup[] }>();
    await server.stop();
    expect((await cli.run(['backup', 'restore', backups[0]!.name, '--yes'], { env })).code).toBe(0);
    expect(await contents()).toEqual(['one']);
  });
});

describe('an export of everything', () => {
  it('is compressed by file name or --gzip, and imports from a file and from a pipe', async () => {
    await seed(cli, [{ content: 'one' }, { content: 'two' }]);
    const { stdout } = await cli.run(['export', 'all.jsonl.gz', '--all']);
    expect(stdout).toMatch(/^Wrote 2 entries, \d+ relations?, 0 archived entries and 0 earlier versions to all\.jsonl\.gz\.\n$/);
    const zipped = await readFile(join(cli.cwd, 'all.jsonl.gz'));
    const lines = gunzipSync(zipped).toString().trim().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(3);
    await cli.run(['export', 'named.bin', '--gzip', '--json']);
    expect(
      gunzipSync(await readFile(join(cli.cwd, 'named.bin')))
        .toString()
        .trim()
        .split('\n'),
    ).toHaveLength(3);

    await writeFile(join(cli.cwd, 'more.csv.gz'), gzipSync('content,tags\nthree,a\n'));
    const env = { SERVICE_STORAGE_PATH: join(cli.cwd, 'other') };
    expect((await cli.run(['import', 'all.jsonl.gz', '--json'], { env })).json()).toMatchObject({ stored: 2, invalid: 0 });
    expect((await cli.run(['import', '-', '--json'], { env, input: zipped })).json()).toMatchObject({ stored: 0, duplicates: 2 });
    expect((await cli.run(['import', 'more.csv.gz', '--json'], { env })).json()).toMatchObject({ format: 'csv', stored: 1 });
    await writeFile(join(cli.cwd, 'cut.jsonl.gz'), zipped.subarray(0, zipped.length - 20));
    const cut = await cli.run(['import', 'cut.jsonl.gz'], { env });
    expect(cut).toMatchObject({ code: 5, stderr: expect.stringContaining('is damaged: it begins like a gzip file') });
  });

  it('reports what it contains besides entries', async () => {
    const [a, b] = ['019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002'];
    const relation = { sourceId: a, targetId: b, type: 'references', strength: 1, createdAt: 1, origin: 'manual' };
    const input = [{ id: a, content: 'one' }, { id: b, content: 'two' }, { relation }].map((line) => JSON.stringify(line)).join('\n');
    const first = await cli.run(['import', '-'], { input });
    expect(first.stdout).toBe(
      'Stored 2 entries from 2 lines: 0 were there already, 0 bad.\nAlso stored 1 relation, 0 archived entries, 0 earlier versions.\n',
    );
    await cli.run(['export', 'all.jsonl', '--all']);
    expect(await readFile(join(cli.cwd, 'all.jsonl'), 'utf8')).toContain(JSON.stringify({ relation }));
  });
});
