import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { BIN } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';

it('a hook loads neither crypto, http, perf_hooks nor web streams, and only its own files', async () => {
  await using folder = await temporaryFolder();
  const probe = path.join(folder.path, 'probe.cjs');
  const loaded = `process.on('exit', () => require('node:fs').writeSync(2, JSON.stringify({ modules: process.moduleLoadList, files: Object.keys(require.cache) })));`;
  await writeFile(probe, loaded);
  const { status, stderr } = spawnSync(process.execPath, ['--require', probe, BIN, 'hook', 'UserPromptSubmit', '--client', 'claude'], {
    input: JSON.stringify({ session_id: 's', cwd: folder.path, prompt: 'which database do orders use?' }),
    env: { HOME: folder.path, PATH: process.env['PATH'] },
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  const { modules, files } = JSON.parse(stderr) as { modules: string[]; files: string[] };
  const heavy = ['crypto', 'http', 'perf_hooks', 'stream/web', 'internal/webstreams/readablestream'].map((name) => `NativeModule ${name}`);
  expect(modules.filter((name) => heavy.includes(name))).toEqual([]);
  expect(files.map((file) => path.basename(file)).filter((name) => name !== 'probe.cjs')).toEqual([
    'run.js',
    'hook.cjs',
    expect.stringMatching(/^hook-run-hook-.+\.cjs$/),
  ]);
});
