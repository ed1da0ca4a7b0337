import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect } from '../../../src/store/backends/connection.ts';
import { BackupFolder } from '../../../src/store/backup/backup-folder.ts';
import { BackupObjects } from '../../../src/store/backup/backup-objects.ts';
import { EXPORT_FILE, exportIn, type BackupStorage, type ExportCopy } from '../../../src/store/backup/backup-storage.ts';
import { temporaryFolder } from '../../helpers/folder.ts';

const ORDER = { kind: 'scheduled', version: '1.2.3' } as const;
const DAY_MS = 86_400_000;

/** Lines that no compression makes small, so that they are several parts. */
function exportOf(entries: number, takenAt = Date.now()): ExportCopy {
  const line = (): string =>
    `${JSON.stringify({ content: Array.from({ length: 4000 }, () => Math.random().toString(36).slice(2)).join('') })}\n`;
  return {
    takenAt,
    entries,
    async *text() {
      for (let nth = 0; nth < entries; nth += 1) yield line();
    },
  };
}

function cutShort(takenAt = Date.now()): ExportCopy {
  const whole = exportOf(300, takenAt);
  return {
    ...whole,
    async *text() {
      yield* whole.text();
      throw new Error('the end came first');
    },
  };
}

async function textOf(storage: BackupStorage, name: string): Promise<string> {
  const backup = await storage.get(name);
  const pieces: Uint8Array[] = [];
  for await (const piece of storage.read(backup, exportIn(backup)!)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const objectsIn = (folder: string): BackupObjects => new BackupObjects({ connect: () => connect(folder), timeoutMs: 20_000 });

describe.each([
  { where: 'in tables', open: objectsIn },
  { where: 'in a folder', open: (folder: string): BackupStorage => new BackupFolder(folder) },
])('exports as backups $where', ({ open }) => {
  it('are listed newest first, and read as written', async () => {
    await using folder = await temporaryFolder();
    const storage = open(folder.path);
    expect(await storage.list()).toEqual([]);
    let text = '';
    const whole = exportOf(300);
    const copy = {
      ...whole,
      async *text() {
        for await (const piece of whole.text()) {
          text += piece;
          yield piece;
        }
      },
    };
    const first = await storage.writeExport(copy, ORDER);
    const second = await storage.writeExport(exportOf(1, whole.takenAt), { ...ORDER, kind: 'manual' });
    expect(second.name > first.name).toBe(true);
    const again = open(folder.path);
    expect((await again.list()).map(({ name }) => name)).toEqual([second.name, first.name]);
    expect((await again.list(1)).map(({ name }) => name)).toEqual([second.name]);
    expect(first.manifest).toMatchObject({ lore: '1.2.3', kind: 'scheduled', compressed: true, entries: 300 });
    expect(first.manifest.files).toMatchObject([{ path: EXPORT_FILE, bytes: text.length }]);
    expect(await again.problems(first)).toEqual([]);
    expect(await textOf(again, first.name)).toBe(text);
    await again.remove(second.name);
    expect(await again.list()).toEqual([first]);
    await expect(again.get(second.name)).rejects.toMatchObject({ code: 'not_found' });
    await expect(again.get('../elsewhere')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are hidden until they are complete', async () => {
    await using folder = await temporaryFolder();
    const storage = open(folder.path);
    await expect(storage.writeExport(cutShort(), ORDER)).rejects.toThrow('Could not write the backup');
    expect(await storage.list()).toEqual([]);
    expect((await readdir(folder.path)).filter((file) => /^\d/.test(file))).toEqual([]);
    const { name } = await storage.writeExport(exportOf(2), ORDER);
    expect((await storage.list()).map((backup) => backup.name)).toEqual([name]);
  });

  it('keep files that another server may be writing, and remove abandoned ones', async () => {
    await using folder = await temporaryFolder();
    const storage = open(folder.path);
    const [old, fresh] = [Date.now() - 2 * DAY_MS, Date.now() - 60_000];
    for (const takenAt of [old, fresh]) await storage.writeExport(exportOf(1, takenAt), ORDER);
    await halve(folder.path);
    expect(await storage.list()).toEqual([]);
    const { name } = await open(folder.path).writeExport(exportOf(1), ORDER);
    const left = await readdir(folder.path);
    const oldName = new Date(old).toISOString().replaceAll(':', '-');
    const freshName = new Date(fresh).toISOString().replaceAll(':', '-');
    expect(left.filter((file) => file.startsWith(oldName))).toEqual([]);
    expect(left.filter((file) => file.startsWith(freshName))).toHaveLength(1);
    expect((await open(folder.path).list()).map((backup) => backup.name)).toEqual([name]);
  });

  it('are found damaged with a wrong byte or a missing part', async () => {
    await using folder = await temporaryFolder();
    const storage = open(folder.path);
    const stored = await storage.writeExport(exportOf(300), ORDER);
    const files = (await readdir(folder.path, { recursive: true })).filter((file) => /\.text\.lance\/data\/|jsonl/.test(file)).toSorted();
    const file = join(folder.path, files[0]!);
    const bytes = await readFile(file);
    for (const at of [Math.floor(bytes.length / 3), Math.floor(bytes.length / 2)]) {
      const wrong = Buffer.from(bytes);
      wrong[at]! ^= 0x10;
      await writeFile(file, wrong);
      expect(await open(folder.path).problems(stored)).toEqual([`${EXPORT_FILE} is damaged`]);
    }
    await writeFile(file, bytes);
    expect(await open(folder.path).problems(stored)).toEqual([]);
    await rm(file);
    expect(await open(folder.path).problems(stored)).toEqual([`${EXPORT_FILE} is missing`]);
  });
});

/** Makes of whole backups what a process that was killed leaves: a folder under its other name, or a text without a manifest. */
async function halve(folder: string): Promise<void> {
  for (const file of await readdir(folder)) {
    if (file.endsWith('.text.lance')) continue;
    if (file.endsWith('.lance')) await rm(join(folder, file), { recursive: true });
    else await rename(join(folder, file), join(folder, `${file}.partial`));
  }
}
