import { mkdir, realpath, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SourceOperations } from '../../src/memory/operations/source-operations.ts';
import { indexProject, type IndexOptions, type IndexReport } from '../../src/sources/project/index-run.ts';
import { projectStatus } from '../../src/sources/project/status.ts';
import { openTestApp, type TestApp } from '../helpers/app.ts';
import { writeFiles } from '../helpers/project.ts';

/** Looks like a key of a cloud provider, and is none. */
const KEY = ['AKIA', 'Z7QX3MNB5VCW2LKJ'].join('');

let app: TestApp;
let folder: string;
beforeEach(async () => {
  app = await openTestApp();
  folder = join(await realpath(app.folder), 'project');
  await mkdir(folder);
});
afterEach(() => app[Symbol.asyncDispose]());

const options = (more: Partial<IndexOptions> = {}): IndexOptions => ({
  project: { folder, root: 'owner/repo', scope: '', namespace: 'test' },
  sources: app.memories.sources,
  maxFileBytes: 50_000,
  maxFiles: 1000,
  splitting: { size: 500, overlap: 100 },
  dryRun: false,
  ...more,
});
const index = (more: Partial<IndexOptions> = {}): Promise<IndexReport> => indexProject(options(more));
const part = (scope: string): Partial<IndexOptions> => ({ project: { folder, root: 'owner/repo', scope, namespace: 'test' } });
const stored = async (): Promise<string[]> =>
  (await app.memories.sources.list({ kind: 'index', limit: 1000 })).sources.map(({ path }) => path);
const ids = async (): Promise<string[]> => (await app.memories.list({ limit: 100 })).entries.map(({ id }) => id).toSorted();
const NONE = { new: 0, changed: 0, renamed: 0, removed: 0, unchanged: 0 };

const FILES = {
  'README.md': '# Project\n\nWhat it does.\n\n## Building\n\nRun make.\n',
  'src/a.ts': 'export function alpha(): number {\n  return 1;\n}\n',
  'src/b.ts': 'export function beta(): number {\n  return 2;\n}\n',
};

describe('indexing a project', () => {
  it('stores its files, reports what it skipped, and has nothing to do the second time', async () => {
    await writeFiles(folder, { ...FILES, '.gitignore': 'dist/\n', 'dist/a.js': 'x', '.env': 'KEY=1', 'yarn.lock': 'x', 'logo.png': 'x' });
    const first = await index();
    expect(first.files).toEqual({ ...NONE, new: 4 });
    expect(first.entries).toEqual({ stored: 5, kept: 0, removed: 0 });
    expect(Object.fromEntries(first.skipped.map(({ reason, examples }) => [reason, examples]))).toEqual({
      ignored: ['dist'],
      secret: ['.env'],
      lockfile: ['yarn.lock'],
      binary: ['logo.png'],
    });
    const second = await index();
    expect(second.files).toEqual({ ...NONE, unchanged: 4 });
    expect(second.entries).toEqual({ stored: 0, kept: 0, removed: 0 });
  });

  it('stores changes, keeps moved files and removes deleted ones', async () => {
    await writeFiles(folder, FILES);
    await index();
    const before = await ids();
    await writeFiles(folder, { 'src/a.ts': 'export function alpha(): number {\n  return 11;\n}\n', 'docs/new.md': '# New\n\nText.\n' });
    await mkdir(join(folder, 'lib'));
    await rename(join(folder, 'src/b.ts'), join(folder, 'lib/moved.ts'));
    await unlink(join(folder, 'README.md'));
    const report = await index();
    expect(report.files).toEqual({ ...NONE, new: 1, changed: 1, renamed: 1, removed: 1 });
    expect(report.entries).toEqual({ stored: 2, kept: 1, removed: 3 });
    expect((await stored()).toSorted()).toEqual(['docs/new.md', 'lib/moved.ts', 'src/a.ts']);
    expect((await ids()).filter((id) => before.includes(id))).toHaveLength(1);
  });

  it('covers a part of it on request', async () => {
    await writeFiles(folder, FILES);
    await index();
    await rm(join(folder, 'src/b.ts'));
    await rm(join(folder, 'README.md'));
    expect((await index(part('src'))).files).toEqual({ ...NONE, removed: 1, unchanged: 1 });
    expect(await stored()).toContain('README.md');
    expect((await index(part('src/a.ts'))).files).toEqual({ ...NONE, unchanged: 1 });
  });

  it('removes files that are excluded now', async () => {
    await writeFiles(folder, FILES);
    await index();
    await writeFiles(folder, { '.loreignore': '/src/\n' });
    expect((await index()).files).toMatchObject({ new: 1, removed: 2, unchanged: 1 });
    expect((await stored()).toSorted()).toEqual(['.loreignore', 'README.md']);
  });

  it('removes a file that became a folder, and indexes the folder', async () => {
    await writeFiles(folder, { thing: 'a text' });
    await index();
    await unlink(join(folder, 'thing'));
    await writeFiles(folder, { 'thing/inside.md': 'another text' });
    expect((await index()).files).toMatchObject({ new: 1, removed: 1 });
  });

  it('indexes a project of any size in one run, in steps', async () => {
    await writeFiles(folder, Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`${at}.md`, `# Title ${at}\n\nText ${at}.\n`])));
    const done: number[] = [];
    const { files, entries } = await index({ maxFiles: 3, onPlanned: (all) => done.push(all), onDone: (some) => done.push(-some) });
    expect([files, entries, done]).toEqual([{ ...NONE, new: 7 }, { stored: 7, kept: 0, removed: 0 }, [7, -3, -3, -1]]);
    expect((await index({ maxFiles: 3 })).files).toEqual({ ...NONE, unchanged: 7 });
  });

  it('that was interrupted is completed by the next run', async () => {
    await writeFiles(folder, Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`${at}.md`, `# Title ${at}\n\nText ${at}.\n`])));
    const ending = new AbortController();
    const interrupted = index({ signal: ending.signal, onDone: () => ending.abort() });
    await expect(interrupted).rejects.toThrow(/abort/i);
    expect((await stored()).length).toBe(100);
    expect((await index()).files).toEqual({ ...NONE, new: 150, unchanged: 100 });
    expect((await stored()).length).toBe(250);
  });

  it('reads a file again if entries are missing', async () => {
    await writeFiles(folder, FILES);
    await index();
    const [entry] = (await app.memories.recall({ query: 'building run make', limit: 1 })).results;
    await app.memories.forget(entry!.entry.id);
    expect((await index()).files).toEqual({ ...NONE, changed: 1, unchanged: 2 });
    expect((await index()).files).toEqual({ ...NONE, unchanged: 3 });
  });

  it('splits everything again for another passage length', async () => {
    await writeFiles(folder, FILES);
    await index();
    expect((await index({ splitting: { size: 300, overlap: 50 } })).files).toEqual({ ...NONE, changed: 3 });
  });

  it('changes nothing in a dry run', async () => {
    await writeFiles(folder, FILES);
    const report = await index({ dryRun: true });
    expect([report.dryRun, report.files, report.entries]).toEqual([true, { ...NONE, new: 3 }, { stored: 4, kept: 0, removed: 0 }]);
    expect(await stored()).toEqual([]);
  });

  it('makes longer passages of a file with too many', async () => {
    const lines = Array.from({ length: 45_000 }, (_, at) => `Line ${at} of a very long text that goes on and on.\n`);
    await writeFiles(folder, { 'long.txt': lines.join('\n') });
    const { entries } = await index({ dryRun: true, maxFileBytes: 10_000_000, splitting: { size: 60, overlap: 0 } });
    expect(entries.stored).toBeLessThanOrEqual(20_000);
    expect(entries.stored).toBeGreaterThan(10_000);
  });

  it('reports its progress', async () => {
    await writeFiles(folder, FILES);
    const told: [string, number][] = [];
    await index({ onPlanned: (files) => told.push(['planned', files]), onDone: (files) => told.push(['done', files]) });
    expect(told).toEqual([
      ['planned', 3],
      ['done', 3],
    ]);
  });

  it('reports files that may contain a secret', async () => {
    await writeFiles(folder, { 'a.ts': `export const id = '${KEY}';\n` });
    expect((await index()).secrets).toMatchObject([{ path: 'a.ts' }]);
  });

  it('finds a definition by its name, with its file and lines', async () => {
    await writeFiles(folder, FILES);
    await index();
    const { results } = await app.memories.recall({ query: 'function beta', limit: 1 });
    expect(results[0]?.entry).toMatchObject({
      source: 'index',
      tags: ['typescript'],
      sourceRef: { file: 'src/b.ts', start: 1, end: 3, heading: 'beta' },
    });
  });
});

describe('the status of a project', () => {
  it('shows what is stored and what a run would do', async () => {
    await writeFiles(folder, FILES);
    expect(await projectStatus(options())).toEqual({
      namespace: 'test',
      root: 'owner/repo',
      scope: '',
      files: 0,
      entries: 0,
      pending: { new: 3, changed: 0, renamed: 0, removed: 0, left: 0 },
      upToDate: false,
    });
    await index();
    expect(await projectStatus(options())).toMatchObject({
      files: 3,
      entries: 4,
      upToDate: true,
      updatedAt: expect.stringMatching(/^\d{4}-/),
    });
    await writeFiles(folder, { 'src/a.ts': 'export const changed = 1;\n' });
    await unlink(join(folder, 'src/b.ts'));
    expect(await projectStatus(options())).toMatchObject({ files: 3, pending: { changed: 1, removed: 1 }, upToDate: false });
  });
});

it('hashes no unchanged file again, and notices a changed one', async () => {
  await writeFiles(folder, FILES);
  const cache = new Map();
  await index({ cache });
  const asked: string[] = [];
  const sources: SourceOperations = {
    list: (request) => app.memories.sources.list(request),
    replace: (request) => {
      asked.push(...request.files.map(({ path }) => path));
      return app.memories.sources.replace(request);
    },
    remove: (request) => app.memories.sources.remove(request),
  };
  await index({ cache, sources });
  await writeFiles(folder, { 'src/a.ts': 'export const changed = 1;\n' });
  await index({ cache, sources });
  expect(asked).toEqual(['src/a.ts']);
});
