import { existsSync } from 'node:fs';
import { readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RepairReport } from '../../src/repair-store.ts';
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

it('a store that cannot be opened can be exported as far as it is readable, and repaired on request, keeping the original', async () => {
  await damagedStore();
  await expectExport();
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

async function expectExport(): Promise<void> {
  const { code, stdout, stderr } = await cli.run(['export'], { env });
  expect(stderr).toMatch(/is damaged: entries\.lance\/data\/\S+ cannot be read/);
  expect(stderr).toMatch(/entries: (1,\d00) of \1 rows cannot be read/);
  expect(stdout).toContain('the spare key is with Ana');
  expect(code).toBe(1);
  expect((await readdir(cli.home)).filter((name) => name.includes('restoring'))).toEqual([]);
}
