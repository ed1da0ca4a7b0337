import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileAtomically } from '../../src/cli/file-output.ts';
import { temporaryFolder } from '../helpers/folder.ts';

type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

let folder: Folder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

async function* lines(count: number, fail?: Error): AsyncGenerator<string> {
  for (let n = 0; n < count; n++) yield await Promise.resolve(`line ${n} ${'x'.repeat(100)}\n`);
  if (fail) throw fail;
}

describe('writeFileAtomically', () => {
  it('writes every line and replaces the old content', async () => {
    const file = join(folder.path, 'out.jsonl');
    await writeFile(file, 'old');
    expect(await writeFileAtomically(file, lines(2000))).toBe(2000);
    const written = await readFile(file, 'utf8');
    expect(written.split('\n')).toHaveLength(2001);
    expect(await readdir(folder.path)).toEqual(['out.jsonl']);
  });

  it('keeps the old file and leaves no other file if the lines fail', async () => {
    const file = join(folder.path, 'out.jsonl');
    await writeFile(file, 'old');
    await expect(writeFileAtomically(file, lines(2000, new Error('cut')))).rejects.toThrow('cut');
    expect(await readFile(file, 'utf8')).toBe('old');
    expect(await readdir(folder.path)).toEqual(['out.jsonl']);
  });

  it('writes through a symbolic link and keeps it', async () => {
    const [file, link] = [join(folder.path, 'real'), join(folder.path, 'link')];
    await writeFile(file, 'old');
    await symlink(file, link);
    await writeFileAtomically(link, lines(1));
    expect(await readFile(file, 'utf8')).toMatch(/^line 0/);
    expect((await readdir(folder.path)).sort()).toEqual(['link', 'real']);
  });

  it('refuses a folder and a missing folder in plain words', async () => {
    await mkdir(join(folder.path, 'sub'));
    await expect(writeFileAtomically(join(folder.path, 'sub'), lines(1))).rejects.toMatchObject({
      code: 'filesystem',
      message: expect.stringContaining('it is a folder'),
    });
    await expect(writeFileAtomically(join(folder.path, 'no', 'x'), lines(1))).rejects.toMatchObject({ code: 'filesystem' });
    expect(await readdir(folder.path)).toEqual(['sub']);
  });

  it('writes directly to a device', async () => {
    expect(await writeFileAtomically(devNull, lines(3))).toBe(3);
    expect(await readFile(devNull, 'utf8')).toBe('');
  });
});
