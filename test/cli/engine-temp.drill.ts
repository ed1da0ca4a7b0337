import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openCli, type Cli } from '../helpers/cli.ts';

/** From so many memories on a vector index is built. */
const ENOUGH = 2100;
const LONG_AGO = new Date(Date.now() - 7_200_000);

const lines = Array.from({ length: ENOUGH }, (_, nth) => JSON.stringify({ content: `Berth ${nth} of the harbour is taken` })).join('\n');

interface Diagnosed {
  readonly vectorIndex: { readonly kind: string };
}

/** Fills the store of a server, strictly, until it has built an index. */
async function fill(url: string): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const imported = await fetch(`${url}/api/import?strict=true`, { method: 'POST', headers, body: lines });
  expect(imported.status).toBe(200);
  const diagnose = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"probes":1}' };
  const index = async () => ((await (await fetch(`${url}/api/diagnose?form=reference`, diagnose)).json()) as Diagnosed).vectorIndex;
  await vi.waitFor(async () => expect(await index()).toMatchObject({ kind: 'ivf_rq' }), { timeout: 50_000, interval: 500 });
}

/** A folder for temporary files, and the environment that names it. */
async function temporary(cli: Cli): Promise<{ folder: string; env: { TMPDIR: string } }> {
  const folder = join(cli.home, 'temporary');
  await mkdir(folder);
  return { folder, env: { TMPDIR: folder } };
}

/** What another process has left there. */
async function leftBehind(folder: string, pid: number, name = 'abcdef'): Promise<string> {
  const left = join(folder, `lore-engine-${pid}-${name}`);
  await mkdir(join(left, '.tmpXyZ012'), { recursive: true, mode: 0o700 });
  await writeFile(join(left, '.tmpXyZ012', 'shuffle_data.lance'), 'vectors');
  await utimes(left, LONG_AGO, LONG_AGO);
  return left;
}

/** Number of a process that is gone. */
const goneProcess = (): number => spawnSync(process.execPath, ['--version']).pid;

describe('temporary files of the engine', () => {
  it('are in a private folder of the server, and are removed after an index build and with the server', async () => {
    await using cli = await openCli();
    const { folder, env } = await temporary(cli);
    const served = await cli.serve([], { env });
    const [own, ...others] = await readdir(folder);
    expect([own, others]).toEqual([expect.stringMatching(`^lore-engine-${served.pid}-`), []]);
    expect((await stat(join(folder, own!))).mode & 0o777).toBe(0o700);
    await fill(served.url);
    await vi.waitFor(async () => expect(await readdir(folder, { recursive: true })).toEqual([own]), { timeout: 10_000 });
    expect(await served.stop()).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual([]);
  });

  it('of a killed process are removed after a while; those of live processes and other programs stay', async () => {
    await using cli = await openCli();
    const { folder, env } = await temporary(cli);
    const pid = goneProcess();
    await leftBehind(folder, pid);
    const open = await leftBehind(folder, pid, 'openfor');
    await chmod(open, 0o777);
    await leftBehind(folder, process.pid, 'living');
    await mkdir(join(folder, `lore-engine-${pid}-recent`), { mode: 0o700 });
    await mkdir(join(folder, '.tmpOthers'));
    expect(await cli.run(['save', 'Berth nine is free'], { env })).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual(
      ['.tmpOthers', `lore-engine-${pid}-openfor`, `lore-engine-${pid}-recent`, `lore-engine-${process.pid}-living`].toSorted(),
    );
  });

  it('still work after the folder was deleted under the server', async () => {
    await using cli = await openCli();
    const { folder, env } = await temporary(cli);
    const served = await cli.serve([], { env });
    const [first] = await readdir(folder);
    await rm(join(folder, first!), { recursive: true });
    await fill(served.url);
    const others = async (): Promise<string[]> => (await readdir(folder, { recursive: true })).filter((name) => name !== first);
    await expect.poll(others).toEqual([expect.stringMatching(`^lore-engine-${served.pid}-`)]);
    expect(await readdir(folder)).not.toContain(first);
    await served.stop();
    expect(await readdir(folder)).toEqual([]);
  });

  it('fall back to the system folder if the temporary folder is not writable', async () => {
    await using cli = await openCli();
    const env = { TMPDIR: join(cli.home, 'not-there') };
    expect(await cli.run(['save', 'Berth nine is free'], { env })).toMatchObject({ code: 0 });
  });
});
