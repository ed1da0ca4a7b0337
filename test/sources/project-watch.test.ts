import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchProject } from '../../src/sources/project/watch.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writeFiles } from '../helpers/project.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let runs = 0;
let ending: AbortController;
let watching: Promise<void>;
const start = async (scope = ''): Promise<void> => {
  const onChange = (): Promise<void> => Promise.resolve(void (runs += 1));
  const onFault = (error: Error): never => {
    throw error;
  };
  watching = watchProject({ project: { folder: await realpath(folder.path), scope }, onChange, onFault, signal: ending.signal });
  await ran(1);
};
const ran = async (times: number): Promise<void> => await vi.waitFor(() => expect(runs).toBe(times), { timeout: 10_000, interval: 20 });
/** Long enough for a run that must not come. */
const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1000));

beforeEach(async () => {
  folder = await temporaryFolder();
  runs = 0;
  ending = new AbortController();
});
afterEach(async () => {
  ending.abort();
  await watching;
  await folder[Symbol.asyncDispose]();
});

it('runs at the start, and once for many changes together', async () => {
  await writeFiles(folder.path, { 'src/a.ts': 'a' });
  await start();
  await writeFiles(folder.path, Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`src/${at}.ts`, 'x'])));
  await ran(2);
  await rm(join(folder.path, 'src/a.ts'));
  await ran(3);
  await quiet();
  expect(runs).toBe(3);
});

it('ignores changes of excluded files', async () => {
  await writeFiles(folder.path, { '.gitignore': 'dist/\n', 'a.ts': 'a' });
  await start();
  await writeFiles(folder.path, { 'dist/out.js': 'x', 'node_modules/a/index.js': 'x', '.git/index': 'x' });
  await quiet();
  expect(runs).toBe(1);
});

it('indexes files that are no longer excluded', async () => {
  await writeFiles(folder.path, { '.gitignore': 'notes/\n', 'notes/a.md': 'a' });
  await start();
  await writeFiles(folder.path, { '.gitignore': '\n' });
  await ran(2);
  await writeFiles(folder.path, { 'notes/a.md': 'changed' });
  await ran(3);
  expect(runs).toBe(3);
});

it('ends on request, and reports failed runs', async () => {
  await start();
  ending.abort();
  await watching;
  const failing = watchProject({
    project: { folder: await realpath(folder.path), scope: '' },
    onChange: () => Promise.reject(new Error('no')),
    onFault: () => {},
    signal: new AbortController().signal,
  });
  await expect(failing).rejects.toThrow('no');
});
