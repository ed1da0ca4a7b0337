import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from './folder.ts';
import { installOnce } from './install-once.mjs';

afterEach(() => void vi.unstubAllEnvs());

it('installs a lock file once, and again when it has changed', async () => {
  await using folder = await temporaryFolder();
  const lock = (version: string): string =>
    JSON.stringify({ name: 'x', version, lockfileVersion: 3, packages: { '': { name: 'x', version } } });
  const [manifest, locked, mark] = ['package.json', 'package-lock.json', 'node_modules/mark'].map((name) => join(folder.path, name));
  const install = async (version: string): Promise<boolean> => {
    await writeFile(manifest!, JSON.stringify({ name: 'x', version }));
    await writeFile(locked!, lock(version));
    await installOnce(folder.path);
    const kept = existsSync(mark!);
    await writeFile(mark!, '');
    return !kept;
  };
  expect([await install('1.0.0'), await install('1.0.0'), await install('1.0.1'), await install('1.0.1')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  await rm(join(folder.path, 'node_modules'), { recursive: true });
  expect(await install('1.0.1')).toBe(true);
});

it('reports in one line why it failed', async () => {
  await using folder = await temporaryFolder();
  const programs = join(folder.path, 'programs');
  await mkdir(programs);
  await writeFile(
    join(programs, 'npm'),
    '#!/bin/sh\necho "npm error code ENOTFOUND\nnpm error request to the registry failed" >&2\nexit 1\n',
  );
  await chmod(join(programs, 'npm'), 0o755);
  await writeFile(join(folder.path, 'package-lock.json'), '{}');
  vi.stubEnv('PATH', `${programs}:${process.env['PATH']}`);
  await expect(installOnce(folder.path)).rejects.toThrow(
    `\`npm ci --prefix ${folder.path}\` failed, so what needs it cannot run: request to the registry failed`,
  );
});
