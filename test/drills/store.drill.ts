import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/folder.ts';
import { openMachine, type Machine, type MachineOptions } from './machine.ts';
import { setFormat } from './newer-store.ts';

/** Each command is a process of its own, and the machine may be busy. */
const PATIENCE_MS = 480_000;
const THREE = ['Deploys go out on Tuesdays', 'The spare key is with Ana', 'Invoices are due in thirty days'];

/** A machine with a store that holds three entries. */
async function withThree(options?: MachineOptions): Promise<Machine> {
  const machine = await openMachine(options);
  const lines = THREE.map((content) => JSON.stringify({ content })).join('\n');
  const { code, output } = await machine.run(`echo '${lines}' | lore import -`);
  expect(code, output).toBe(0);
  return machine;
}

/** What the store holds, in alphabetical order. */
async function contents(machine: Machine): Promise<string[]> {
  const response = await fetch(`${machine.url}/api/list?limit=100`).catch(() => undefined);
  const listed = response === undefined ? (await machine.run('lore list --all --json')).output : await response.text();
  const { entries } = JSON.parse(listed) as { entries: { content: string }[] };
  return entries.map(({ content }) => content).toSorted();
}

const start = (machine: Machine) => machine.run('systemctl --user start lore');
const storeOf = (machine: Machine) => join(machine.home, '.local/share/lore/store');

describe('the drills of docs/operations.md', { timeout: PATIENCE_MS }, () => {
  it('move a store, its backups and captured data to another folder', async () => {
    await using disk = await temporaryFolder();
    await using machine = await withThree({ instead: { '/mnt/big': disk.path } });
    await machine.run('lore backup now');
    await mkdir(join(machine.home, '.local/share/lore/capture'));
    await start(machine);
    await machine.play('move to another folder');
    expect(await contents(machine)).toEqual(THREE.toSorted());
  });

  it('move a store to another machine', async () => {
    await using machine = await withThree();
    await start(machine);
    await machine.play('move to another machine');
    expect(await contents(machine)).toEqual(THREE.toSorted());
  });

  it('make a backup, restore it with the server stopped, add later entries, and undo the restore', async () => {
    await using disk = await temporaryFolder();
    await using machine = await withThree({ instead: { '/mnt/usb': disk.path } });
    await machine.play('make a backup');
    await machine.run('lore save "Came after the backup"');
    await start(machine);
    await machine.play('restore a backup');
    expect(await contents(machine)).toEqual(THREE.toSorted());
    await machine.play('bring back what came after the backup');
    expect(await contents(machine)).toEqual([...THREE, 'Came after the backup'].toSorted());
    await machine.play('take a restore back');
    expect(await contents(machine)).toEqual([...THREE, 'Came after the backup'].toSorted());

    await machine.run('systemctl --user stop lore; rm -rf ~/.local/share/lore');
    await machine.play('restore from the copy elsewhere');
    expect(await contents(machine)).toEqual(THREE.toSorted());
  });

  it('go back to an older version by a backup, and by an export', async () => {
    await using machine = await withThree();
    await machine.run('lore backup now; NAME=$(ls ~/.local/share/lore/backups/store | tail -n 1)');
    await setFormat(storeOf(machine), 3);
    await machine.play('a store of a newer version');
    await machine.play('back by the backup');
    expect(await contents(machine)).toEqual(THREE.toSorted());
    await machine.run('rm -rf ~/.local/share/lore/store.before-restore-*');
    await start(machine);
    await machine.play('back by an export');
    await machine.play('back by an export, in the older version');
    expect(await contents(machine)).toEqual(THREE.toSorted());
  });
});
