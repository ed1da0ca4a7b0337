import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayMount, smallDisk } from '../helpers/machine.ts';
import { openMachine, type Machine } from './machine.ts';

/** Each command is a process of its own, and the machine may be busy. */
const PATIENCE_MS = 480_000;
/** So many that they are written to the table at once. */
const MANY = 1100;
const SPARE_KEY = 'the spare key is with Ana';

const storeOf = (machine: Machine) => join(machine.home, '.local/share/lore/store');

/** A backup of many entries, and one that came after it. */
async function withBackup(machine: Machine): Promise<void> {
  const lines = `seq ${MANY} | sed 's/.*/{"content":"heron number & by the river"}/'`;
  const setup = `${lines} | lore import - && lore backup now && NAME=$(ls ~/.local/share/lore/backups/store | tail -n 1) && lore save "${SPARE_KEY}"`;
  const { code, output } = await machine.run(setup);
  expect(code, output).toBe(0);
}

/** Of a file of its own: what is changed in place changes in the backup too, which shares it. */
async function replace(file: string, bytes: Buffer): Promise<void> {
  await writeFile(`${file}.new`, bytes);
  await rename(`${file}.new`, file);
}

/** What a power cut leaves of a version that was being written: a name, and nothing in it. */
async function cutVersion(store: string): Promise<void> {
  const folder = join(store, 'entries.lance/_versions');
  const [newest = ''] = (await readdir(folder)).filter((name) => name.endsWith('.manifest')).toSorted();
  // The names count down.
  const next = BigInt(newest.replace('.manifest', '')) - 1n;
  await replace(join(folder, `${next}.manifest`), Buffer.alloc(0));
}

async function cutData(store: string): Promise<void> {
  const folder = join(store, 'entries.lance/data');
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name));
    await replace(join(folder, name), bytes.subarray(0, bytes.length / 2));
  }
}

async function counted(machine: Machine): Promise<{ total: number; hasKey: boolean }> {
  const response = await fetch(`${machine.url}/api/list?limit=1`);
  const { total } = (await response.json()) as { total: number };
  const { output } = await machine.run('lore recall --all "spare key" --mode keyword');
  return { total, hasKey: output.includes(SPARE_KEY) };
}

describe('the drills of docs/operations.md', { timeout: PATIENCE_MS }, () => {
  it('open a store damaged by a power cut, restore one damaged by the disk, and repair one without a backup', async () => {
    await using machine = await openMachine();
    await withBackup(machine);
    await cutVersion(storeOf(machine));
    await machine.play('what Lore does by itself');
    expect(await counted(machine)).toEqual({ total: MANY + 1, hasKey: true });

    await machine.run('systemctl --user stop lore');
    await cutData(storeOf(machine));
    await machine.play('a store that cannot be opened');
    expect(await counted(machine)).toEqual({ total: MANY + 1, hasKey: true });

    await machine.run('systemctl --user stop lore');
    await rm(storeOf(machine), { recursive: true });
    await machine.run('mv ~/.local/share/lore/store.before-restore-* ~/.local/share/lore/store');
    await machine.run('rm -r ~/.local/share/lore/backups');
    await machine.play('repair without a backup');
    const { total, hasKey } = await counted(machine);
    expect([total > 0 && total <= MANY, hasKey]).toEqual([true, true]);
  });

  const without = mayMount ? '' : ' (skipped: file systems cannot be mounted here)';
  it.skipIf(!mayMount)(`keep reading on a full disk, and save again when there is space${without}`, async () => {
    await using disk = await smallDisk(40);
    const filler = join(disk.path, 'filler');
    await using machine = await openMachine({ instead: { '~/Downloads/something-large.iso': filler } });
    const { code } = await machine.run(
      `mkdir -p ~/.local/share && ln -s ${disk.path} ~/.local/share/lore && systemctl --user start lore && lore save "Deploys go out on Tuesdays"`,
    );
    expect(code).toBe(0);
    await machine.run(`until [ -e ~/.local/share/lore/store/ballast ]; do sleep 0.1; done; cat /dev/zero > ${filler}`);
    await untilRefused(machine.url);
    await machine.play('a full disk');
    await machine.run('systemctl --user stop lore');
  });
});

/** The journal may have room in its last block. */
async function untilRefused(url: string): Promise<void> {
  for (let nth = 0; nth < 200; nth += 1) {
    const body = JSON.stringify({ content: `note ${nth} ${'x'.repeat(3000)}` });
    const { status } = await fetch(`${url}/api/save`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (status === 503) return;
  }
  throw new Error('the disk did not become full');
}
