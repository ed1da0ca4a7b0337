import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Checkup } from '../../src/cli/checks/checkup.ts';
import type { Backup } from '../../src/memory/operations/backup-operations.ts';
import type { VerifyReport } from '../../src/memory/operations/operations.ts';
import type { RepairReport } from '../../src/repair-store.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

const PATIENCE_MS = 120_000;
const COUNT = 1100;

let cli: CliInProcess;
let store: string;
let env: Record<string, string>;
beforeEach(async () => {
  cli = await openCliInProcess();
  store = join(cli.home, 'the store');
  env = { SERVICE_STORAGE_PATH: store };
});
afterEach(() => cli[Symbol.asyncDispose]());

/** So many that they are in the table when the import ends. */
async function makeStore(): Promise<void> {
  const lines = Array.from({ length: COUNT }, (_, nth) => JSON.stringify({ content: `heron number ${nth} by the river` })).join('\n');
  await cli.run(['import', '-'], { env, input: lines });
}

async function dataFiles(table = 'entries'): Promise<string[]> {
  const folder = join(store, `${table}.lance`, 'data');
  return (await readdir(folder)).map((name) => join(folder, name));
}

/** Puts another file in the place of one: a backup that shares it keeps its own. */
async function replace(file: string, change: (bytes: Buffer) => void): Promise<void> {
  const bytes = await readFile(file);
  change(bytes);
  await writeFile(`${file}.new`, bytes);
  await rename(`${file}.new`, file);
}

/** Wrong bytes of every data file, at half of it, where vectors lie. */
const spoil = async (count: number): Promise<void> => {
  for (const file of await dataFiles()) {
    await replace(file, (bytes) => {
      for (let nth = 0; nth < count; nth += 1) bytes[Math.floor(bytes.length / 2) + nth]! ^= 0x5a;
    });
  }
};

/** The letters of a text, wherever it lies in a data file. */
async function alter(text: string, to: string): Promise<void> {
  for (const file of await dataFiles()) {
    await replace(file, (bytes) => {
      for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) bytes.write(to, at);
    });
  }
}

async function idOf(content: string): Promise<string> {
  const found = await cli.run(['search', content, '--mode', 'keyword', '--json', '--limit', '1'], { env });
  return found.json<{ results: { entry: { id: string } }[] }>().results[0]!.entry.id;
}

const verify = async (): Promise<{ code: number | undefined; report: VerifyReport }> => {
  const ran = await cli.run(['verify', '--json'], { env });
  return { code: ran.code, report: ran.json<VerifyReport>() };
};
const repair = async (...flags: string[]): Promise<{ code: number | undefined; report: RepairReport }> => {
  const ran = await cli.run(['doctor', '--repair', '--json', ...flags], { env });
  return { code: ran.code, report: ran.json<RepairReport>() };
};

describe('one wrong byte in a file of vectors', () => {
  it(
    'is found by verify and doctor, and corrected without a backup',
    async () => {
      await makeStore();
      expect((await verify()).code).toBe(0);
      await spoil(1);
      const found = await verify();
      expect(found.code).toBe(1);
      expect(found.report).toMatchObject({ altered: [], files: { wrong: [{ table: 'entries', kind: 'data' }] } });
      const path = found.report.files!.wrong[0]!.path;
      const { findings } = (await cli.run(['doctor', '--json'], { env })).json<Checkup>();
      expect(findings.map(({ problem }) => problem).join()).toContain(path);

      const planned = await repair('--dry-run');
      expect([planned.code, planned.report.repaired]).toEqual([1, false]);
      const { code, report } = await repair();
      expect(report).toMatchObject({ repaired: true, putBack: [{ path, way: 'checksum' }], remade: 0, altered: [], entries: COUNT });
      expect(code).toBe(0);
      expect((await verify()).code).toBe(0);
    },
    PATIENCE_MS,
  );
});

describe('many wrong bytes in a file', () => {
  it(
    'are corrected from the same file of a backup',
    async () => {
      await makeStore();
      const { name } = (await cli.run(['backup', 'now', '--json'], { env })).json<Backup>();
      await spoil(2000);
      const ran = await cli.run(['doctor', '--repair'], { env });
      expect(ran.stdout).toMatch(new RegExp(`^\\+ entries\\.lance/data/\\S+ was altered: restored from the backup ${name}$`, 'm'));
      expect(ran.code).toBe(0);
      expect((await verify()).code).toBe(0);
      expect((await repair()).report).toMatchObject({ repaired: false, tables: [] });
    },
    PATIENCE_MS,
  );

  it(
    'keep the texts if no backup has the file, re-embed them, and list each entry',
    async () => {
      await makeStore();
      await spoil(2000);
      const { code, report } = await repair();
      expect(report).toMatchObject({ repaired: true, putBack: [], altered: [] });
      expect(report.doubtful.length + report.tables.reduce((sum, { unreadableRows }) => sum + unreadableRows, 0)).toBeGreaterThanOrEqual(
        COUNT,
      );
      expect(code).toBe(1);
      expect((await verify()).code).toBe(0);
    },
    PATIENCE_MS,
  );
});

describe('a text altered in a store without checksums', () => {
  const TEXT = 'heron number 1077 by the river';

  it(
    'is restored from a backup that has the entry in another file',
    async () => {
      await makeStore();
      const id = await idOf(TEXT);
      const { name } = (await cli.run(['backup', 'now', '--json'], { env })).json<Backup>();
      // Of another age than the backup: no file of it is the same.
      for (const table of ['entries']) await cli.run(['compact', '--all'], { env }).catch(() => table);
      await rm(join(store, 'checksums.json'));
      await alter(TEXT, 'HERON');
      expect((await verify()).report.altered).toEqual([id]);
      const { code, report } = await repair();
      expect(report).toMatchObject({ repaired: true, altered: [], restored: [{ id, way: 'backup', from: name }] });
      expect(code).toBe(0);
      expect((await cli.run(['get', id], { env })).stdout).toContain(TEXT);
      expect((await verify()).code).toBe(0);
    },
    PATIENCE_MS,
  );

  it(
    'is reported with a remedy if no copy exists',
    async () => {
      await makeStore();
      const id = await idOf(TEXT);
      await rm(join(store, 'checksums.json'));
      await alter(TEXT, 'HERON');
      const { stdout, code } = await cli.run(['doctor', '--repair'], { env });
      expect(code).toBe(1);
      expect(stdout).toContain(`1 entry is not what was saved: ${id}`);
      expect(stdout).toContain(`lore forget ${id} --permanently`);
      expect(stdout).toContain('lore import FILE');
      expect(stdout).toContain('lore backup');
      expect(stdout).not.toContain('nothing is to be repaired');
    },
    PATIENCE_MS,
  );
});

describe('a backup', () => {
  it(
    'is not made from a file that differs from what was written, and names it',
    async () => {
      await makeStore();
      await spoil(1);
      const { code, stderr } = await cli.run(['backup', 'now'], { env });
      expect(code).toBe(2);
      expect(stderr).toMatch(/entries\.lance\/data\/\S+ of the store was altered/);
      expect((await cli.run(['backup', 'list', '--json'], { env })).json()).toMatchObject({ backups: [] });
    },
    PATIENCE_MS,
  );
});
