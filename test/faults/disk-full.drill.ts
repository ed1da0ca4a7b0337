import { existsSync, statSync, writeFileSync, rmSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestApp } from '../helpers/app.ts';
import { openCli, type Cli, type Served } from '../helpers/cli.ts';
import { mayMount, smallDisk } from '../helpers/machine.ts';
import { Acknowledged, call, everything, exported, openImport, storedIds } from './server-calls.ts';

const MIB = 1024 * 1024;
/** The store holds this much in reserve on the disks here: a sixteenth of them. */
const BALLAST = 2 * MIB;

let cli: Cli;
beforeEach(async () => {
  cli = await openCli();
});
afterEach(() => cli[Symbol.asyncDispose]());

describe.skipIf(!mayMount)('on a full disk (skipped if file systems cannot be mounted)', { timeout: 120_000 }, () => {
  const settings = (disk: string) => ({ SERVICE_STORAGE_PATH: join(disk, 'store'), SERVICE_STORAGE_BACKUP_PATH: join(disk, 'backups') });
  const serve = async (disk: string): Promise<Served> => cli.serve([], { env: settings(disk) });

  /** Takes what is left, to the last block. */
  function fill(disk: string): string {
    const filler = join(disk, 'filler');
    try {
      for (const bytes of [MIB, 4096]) for (;;) writeFileSync(filler, Buffer.alloc(bytes, 1), { flag: 'a' });
    } catch {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(4096, 1), { flag: 'a' });
      } catch {
        return filler;
      }
    }
    return filler;
  }

  async function untilBallast(disk: string): Promise<void> {
    const file = join(disk, 'store', 'ballast');
    await expect.poll(() => statSync(file, { throwIfNoEntry: false })?.size, { timeout: 20_000 }).toBe(BALLAST);
  }

  it('saves get 503 with a remedy, everything else works, and saves work again when there is space', async () => {
    await using disk = await smallDisk(40);
    const kept = new Acknowledged();
    const server = await serve(disk.path);
    for (let n = 0; n < 40; n += 1) expect((await kept.save(server.url, `note ${n} about copper`)).status).toBe(200);
    await untilBallast(disk.path);
    const filler = fill(disk.path);

    const refused = await until503(server.url, kept);
    expect(refused.body).toMatchObject({
      success: false,
      code: 'UNAVAILABLE',
      error: expect.stringMatching(/disk is full\. Free some space/),
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(existsSync(join(disk.path, 'store', 'ballast'))).toBe(false);

    expect(kept.differences(await everything(server.url))).toEqual([]);
    for (const searchMode of ['keyword', 'vector', 'hybrid']) {
      const { status, body } = await call(server.url, 'POST', '/api/recall', { query: 'copper', namespace: 'faults', searchMode });
      expect([status, (body['results'] as unknown[]).length > 0]).toEqual([200, true]);
    }
    expect((await call(server.url, 'GET', '/api/list?namespace=faults')).status).toBe(200);
    const { body: health } = await call(server.url, 'GET', '/api/health');
    expect(health['degraded']).toContainEqual(expect.stringContaining('is full: saves fail until there is space again'));
    expect((await call(server.url, 'GET', '/readyz')).status).toBe(503);
    const [id = ''] = kept.saved.keys();
    expect((await call(server.url, 'PATCH', `/api/${id}`, { content: 'changed' })).status).toBe(503);
    const [gone = ''] = [...kept.saved.keys()].slice(-1);
    expect((await kept.remove(server.url, gone)).status).toBe(200);

    rmSync(filler);
    expect((await kept.save(server.url, 'there is space again')).status).toBe(200);
    expect(existsSync(join(disk.path, 'store', 'ballast'))).toBe(true);
    expect((await call(server.url, 'GET', '/readyz')).status).toBe(200);
    expect(kept.differences(await everything(server.url))).toEqual([]);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(kept.differences(await exported(cli, join(disk.path, 'store')))).toEqual([]);
  });

  it('forgetting, optimizing, stopping and starting work in the reserved space', async () => {
    await using disk = await smallDisk(40);
    const kept = new Acknowledged();
    const first = await serve(disk.path);
    for (let round = 0; round < 4; round += 1)
      await Promise.all(Array.from({ length: 80 }, (_, n) => kept.save(first.url, `round ${round} note ${n} of many`)));
    await untilBallast(disk.path);
    fill(disk.path);
    const filledAt = Date.now();
    await until503(first.url, kept);
    const saved = [...kept.saved.keys()];
    expect(saved.length).toBeGreaterThanOrEqual(320);
    await Promise.all(saved.slice(0, 100).map((id) => kept.remove(first.url, id)));
    expect(kept.saved.size).toBe(saved.length - 100);
    await expect.poll(() => optimizesSince(first.url, filledAt), { timeout: 30_000 }).toContain('done');
    expect(await optimizesSince(first.url, filledAt)).not.toContain('failed');
    expect(kept.differences(await everything(first.url))).toEqual([]);
    expect(await first.stop()).toEqual({ code: 0, signal: null });

    const second = await serve(disk.path);
    expect(kept.differences(await everything(second.url))).toEqual([]);
    expect((await kept.save(second.url, 'still full')).status).toBe(503);
    expect((await call(second.url, 'POST', '/api/search', { query: 'many', namespace: 'faults' })).status).toBe(200);
    const { body: health } = await call(second.url, 'GET', '/api/health');
    expect(health['degraded']).toContainEqual(expect.stringContaining('is full: saves fail until there is space again'));
    expect(await second.stop()).toEqual({ code: 0, signal: null });
    const alone = await cli.run(['save', 'without a server'], { env: settings(disk.path) });
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('disk is full') });
    expect(kept.differences(await exported(cli, join(disk.path, 'store')))).toEqual([]);
  });

  it('the store opens for reading with its reserve', async () => {
    await using disk = await smallDisk(40);
    const kept = new Acknowledged();
    const first = await serve(disk.path);
    for (let n = 0; n < 5; n += 1) await kept.save(first.url, `note ${n}`);
    await untilBallast(disk.path);
    expect((await first.stop()).code).toBe(0);
    fill(disk.path);
    const second = await serve(disk.path);
    expect(kept.differences(await everything(second.url))).toEqual([]);
    expect((await kept.save(second.url, 'too much')).status).toBe(503);
    expect(await second.stop()).toEqual({ code: 0, signal: null });
  });

  it('a store without a reserve refuses to open with one line, and loses nothing', async () => {
    await using disk = await smallDisk(24);
    const kept = new Acknowledged();
    const env = { ...settings(disk.path), SERVICE_STORAGE_RESERVE_MB: '0' };
    const server = await cli.serve([], { env });
    for (let n = 0; n < 5; n += 1) await kept.save(server.url, `note ${n}`);
    expect((await server.stop()).code).toBe(0);
    const filler = fill(disk.path);
    const { code, stderr } = await cli.run(['list'], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: Could not lock the store\. The disk is full\.\nhint: .+\n$/);
    rmSync(filler);
    expect(kept.differences(await exported(cli, join(disk.path, 'store')))).toEqual([]);
  });

  it('a backup fails cleanly, leaves nothing incomplete, and the next one is complete', async () => {
    await using disk = await smallDisk(24);
    await using app = await openTestApp({ 'storage.backupPath': join(disk.path, 'backups') });
    const text = 'a sentence of some length that a backup has to hold. '.repeat(400);
    for (let n = 0; n < 20; n += 1) await app.memories.save({ content: `${n} ${text}` });
    const filler = fill(disk.path);
    await expect(app.memories.backups.create()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('The disk is full.'),
    });
    expect(await app.memories.backups.list()).toEqual([]);
    expect(existsSync(join(disk.path, 'backups')) ? readdirSync(join(disk.path, 'backups')) : []).toEqual([]);
    rmSync(filler);
    const { name } = await app.memories.backups.create();
    expect(await app.memories.backups.verify({ name })).toMatchObject({ whole: true, entries: 20 });
  });

  /** More than a disk of 24 MiB holds. */
  const manyLines = Array.from({ length: 1500 }, (_, n) => ({ content: `${n} ${'words of an import '.repeat(700)}` }));

  it('an import stops, reports its progress, and keeps all of it', async () => {
    await using disk = await smallDisk(24);
    const server = await serve(disk.path);
    const sent = openImport(server.url);
    for (const line of manyLines) await sent.send(line);
    sent.end();
    const report = await sent.report;
    expect(report.at(-1)).toMatchObject({ success: false, code: 'UNAVAILABLE', error: expect.stringContaining('disk is full') });
    const ids = storedIds(report);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toHaveLength(report.length - 1);
    const found = new Set((await everything(server.url)).map(({ id }) => id));
    expect(ids.filter((id) => !found.has(id))).toEqual([]);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(new Set((await exported(cli, join(disk.path, 'store'))).map(({ id }) => id))).toEqual(found);
  });

  it('an import by the command line stops with a reason, and keeps what it stored', async () => {
    await using disk = await smallDisk(24);
    const env = settings(disk.path);
    const input = manyLines.map((line) => JSON.stringify(line)).join('\n');
    const { code, stderr } = await cli.run(['import', '-'], { env, input });
    expect(code).toBe(2);
    expect(stderr).toContain('isk is full');
    const found = await exported(cli, join(disk.path, 'store'));
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });

  /** How the optimizes ended that began since. */
  async function optimizesSince(url: string, since: number): Promise<string[]> {
    const { body } = await call(url, 'GET', '/api/stats');
    const runs = body['runs'] as readonly { readonly kind: string; readonly at: string; readonly state: string }[];
    return runs.filter(({ kind, at }) => kind === 'optimize' && Date.parse(at) >= since).map(({ state }) => state);
  }

  /** Saves until it is refused: what the journal has left of a block may still take some. */
  async function until503(url: string, kept: Acknowledged) {
    for (let n = 0; ; n += 1) {
      const answered = await kept.save(url, `into the last block ${n} ${'x'.repeat(500)}`);
      if (answered.status !== 200) return answered;
    }
  }
});
