import { existsSync } from 'node:fs';
import { readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RepairReport } from '../../src/repairing.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

let cli: CliInProcess;
let store: string;
let env: Record<string, string>;
beforeEach(async () => {
  cli = await openCliInProcess();
  store = join(cli.home, 'the store');
  env = { SERVICE_STORAGE_PATH: store };
});
afterEach(() => cli[Symbol.asyncDispose]());

/** A store of two data files, one of which is cut. */
async function damagedStore(): Promise<void> {
  const lines = (word: string, count: number): string =>
    Array.from({ length: count }, (_, nth) => JSON.stringify({ content: `${word} number ${nth} by the river` })).join('\n');
  await cli.run(['import', '-'], { env, input: lines('heron', 1100) });
  await cli.run(['save', 'the spare key is with Ana'], { env });
  const folder = join(store, 'entries.lance', 'data');
  const [file] = await readdir(folder);
  const { length } = await readFile(join(folder, file!));
  await truncate(join(folder, file!), Math.floor(length / 2));
}

describe('a store that cannot be opened', () => {
  it('is exported as far as it can be read, which is said', async () => {
    await damagedStore();
    const { code, stdout, stderr } = await cli.run(['export'], { env });
    expect(stderr).toMatch(/is damaged: entries\.lance\/data\/\S+ cannot be read/);
    expect(stderr).toMatch(/entries: (1,\d00) of \1 rows cannot be read/);
    expect(stdout).toContain('the spare key is with Ana');
    expect(code).toBe(1);
    expect((await readdir(cli.home)).filter((name) => name.includes('restoring'))).toEqual([]);
  }, 120_000);

  it('is repaired on request, and stays beside the repaired one', async () => {
    await damagedStore();
    const planned = await cli.run(['doctor', '--repair', '--dry-run'], { env });
    expect(planned.code).toBe(1);
    expect(planned.stdout).toContain('Nothing was changed');
    const { code, ...ran } = await cli.run(['doctor', '--repair', '--json'], { env });
    const report = ran.json<RepairReport>();
    expect(report).toMatchObject({ repaired: true, dryRun: false, tables: [{ table: 'entries' }] });
    // How many of them were in the table, and not in the journal alone, is for the import to decide.
    expect(report.entries + report.tables[0]!.unreadableRows).toBe(1101);
    expect(code).toBe(1);
    expect(existsSync(join(report.kept!, 'entries.lance'))).toBe(true);
    const found = await cli.run(['search', 'spare key'], { env });
    expect(found.stdout).toContain('the spare key is with Ana');
    const again = await cli.run(['doctor', '--repair'], { env });
    expect(again.stdout).toContain('Every row can be read');
    expect(again.code).toBe(0);
  }, 120_000);
});

describe('entries that were altered on the disk', () => {
  it('are named by verify', async () => {
    const saved = await cli.run(['save', 'the spare key is with Ana', '--json'], { env });
    const whole = await cli.run(['verify'], { env });
    expect(whole.stdout).toMatch(/^(?:0|1) entr(?:y|ies) read, all of them as they were saved\.$/m);
    expect([saved.code, whole.code]).toEqual([0, 0]);
  }, 120_000);
});

describe('the repair of a store', () => {
  it('counts entries that are in the journal alone as they can be read, and not those that were removed there', async () => {
    for (const content of ['the spare key is with Ana', 'the ferry leaves at nine']) await cli.run(['save', content], { env });
    const removed = await cli.run(['save', 'the kettle whistles at noon'], { env });
    await cli.run(['forget', removed.stdout.trim(), '--yes', '--permanently'], { env });
    const { code, stdout } = await cli.run(['doctor', '--repair'], { env });
    expect(stdout).toMatch(/^Entries +2 entries can be read$/m);
    expect(code).toBe(0);
  }, 120_000);

  it('is refused while a server has it open', async () => {
    await cli.run(['save', 'the spare key is with Ana'], { env });
    await cli.serve([], { env });
    const { code, stderr } = await cli.run(['doctor', '--repair'], { env });
    expect(stderr).toMatch(/is open in process \d+/);
    expect(code).toBe(2);
  }, 120_000);
});
