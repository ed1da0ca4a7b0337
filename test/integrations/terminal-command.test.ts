import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { terminalCommand } from '../../src/integrations/terminal-command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lore-terminal-'));
  for (const name of ['bin', 'other', 'in stallation', 'project/node_modules/.bin']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'in stallation', 'run.js'), '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const bin = (): string => join(folder, 'in stallation', 'run.js');
const on = (...folders: string[]): string =>
  terminalCommand(
    { node: process.execPath, bin: bin() },
    { path: folders.map((name) => join(folder, name)).join(delimiter), platform: 'linux' },
  );

describe('the terminal command of this installation', () => {
  it('is its name if the PATH leads to it', async () => {
    await symlink(bin(), join(folder, 'bin', 'lore'));
    expect(on('other', 'bin')).toBe('lore');
  });

  it('is npx and its name if only npm puts it on the PATH', async () => {
    await symlink(bin(), join(folder, 'project/node_modules/.bin', 'lore'));
    expect(on('other', 'project/node_modules/.bin')).toBe('npx lore');
  });

  it('is Node and its script otherwise, also if another program has the name', async () => {
    await writeFile(join(folder, 'bin', 'lore'), '');
    expect(on('bin')).toBe(`${process.execPath} "${bin()}"`);
    await symlink(process.execPath, join(folder, 'bin', 'node'));
    expect(on('bin')).toBe(`node "${bin()}"`);
  });
});
