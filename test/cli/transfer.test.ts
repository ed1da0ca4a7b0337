import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExportedEntry, ImportReport } from '../../src/memory/operations/operations.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed, storedEntries } from '../helpers/cli-store.ts';

const MIXED = [
  JSON.stringify({ content: 'first', metadata: { namespace: 'a', tags: ['t'] } }),
  'not json',
  JSON.stringify({ tags: ['no content'] }),
  JSON.stringify({ content: 'last' }),
].join('\n');

/** The lines below the header. */
const lines = (text: string): ExportedEntry[] =>
  text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedEntry);

describe.each([
  { where: 'without a server', serve: false },
  { where: 'beside a running server', serve: true },
])('export and import $where', ({ serve }) => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
    if (serve) await cli.serveHere();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  const total = async (): Promise<number> => (await storedEntries(cli)).length;

  it('restore exactly the written entries, after changes and permanent deletions', async () => {
    await seed(cli, [
      ...['one', 'two 🎉', 'three\nlines'].map((content) => ({ content, tags: ['x'] })),
      { content: 'elsewhere', namespace: 'other' },
    ]);
    expect(await cli.run(['export', 'out.jsonl'])).toMatchObject({ code: 0, stdout: 'Wrote 4 entries to out.jsonl.\n', stderr: '' });
    const written = lines(await readFile(join(cli.cwd, 'out.jsonl'), 'utf8'));
    expect(written.map(({ content }) => content)).toEqual(['one', 'two 🎉', 'three\nlines', 'elsewhere']);
    await cli.run(['forget', '--yes', '--permanently', ...written.map(({ id }) => id)]);
    expect(await total()).toBe(0);
    expect(await cli.run(['import', 'out.jsonl'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Stored 4 entries from 4 lines'),
    });
    const again = await cli.run(['export']);
    const undated = (line: ExportedEntry): object => ({ ...line, metadata: { ...line.metadata, updatedAt: undefined } });
    expect(lines(again.stdout).map(undated)).toEqual(written.map(undated));
    expect((await cli.run(['import', 'out.jsonl', '--json'])).json()).toMatchObject({ stored: 0, duplicates: 4, invalid: 0 });
  });

  it('store nothing and end with 5 under --strict', async () => {
    const { code, stdout, stderr } = await cli.run(['import', '-', '--strict'], { input: MIXED });
    expect({ code, stdout }).toEqual({ code: 5, stdout: 'Nothing stored from 4 lines: 0 were there already, 2 bad.\n' });
    expect(stderr).toContain('standard input:2: ');
    expect(await total()).toBe(0);
  });
});

describe('export and import', () => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  const total = async (): Promise<number> => (await storedEntries(cli)).length;

  it('write one namespace, with vectors on request, to a pipe or a file', async () => {
    await seed(cli, [
      { content: 'mine', namespace: 'a' },
      { content: 'not mine', namespace: 'b' },
    ]);
    const piped = await cli.run(['export', '-', '--namespace', 'a', '--vectors', '--json']);
    expect(lines(piped.stdout)).toEqual([
      expect.objectContaining({ content: 'mine', embedding: expect.any(Array), embedder: expect.stringContaining('builtin') }),
    ]);
    const report = await cli.run(['export', 'a.jsonl', '--namespace', 'a', '--json']);
    expect(report.json()).toEqual({ file: 'a.jsonl', entries: 1 });
    expect((await stat(join(cli.cwd, 'a.jsonl'))).mode & 0o077).toBe(0);
  });

  it('leave no partial file if writing fails', async () => {
    await seed(cli, [{ content: 'text' }]);
    expect(await cli.run(['export', 'missing/out.jsonl'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('its folder does not exist'),
    });
    expect(await readdir(cli.cwd)).toEqual([]);
  });

  it('name the file and line of invalid input, and store the rest', async () => {
    await writeFile(join(cli.cwd, 'mixed.jsonl'), MIXED);
    const { code, stdout, stderr } = await cli.run(['import', 'mixed.jsonl', '--namespace', 'fallback']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Stored 2 entries from 4 lines: 0 were there already, 2 bad.\n' });
    expect(stderr).toMatch(/^mixed\.jsonl:2: .+\nmixed\.jsonl:3: .+\n$/);
    const entries = await storedEntries(cli);
    expect(entries.map(({ content, namespace }) => [content, namespace])).toEqual([
      ['first', 'a'],
      ['last', 'fallback'],
    ]);
  });

  it('exit with 5 if no line could be read', async () => {
    expect((await cli.run(['import', '-'], { input: 'one\ntwo\n' })).code).toBe(5);
    const json = await cli.run(['import', '-', '--json'], { input: 'one\n' });
    expect(json.code).toBe(5);
    expect(json.json<ImportReport>()).toMatchObject({ lines: 1, invalid: 1, errors: [{ line: 1, status: 'invalid' }] });
    expect((await cli.run(['import', '-'], { input: '' })).code).toBe(0);
  });

  it('only report with --dry-run', async () => {
    const { stdout } = await cli.run(['import', '-', '--dry-run'], { input: MIXED });
    expect(stdout).toContain('Would store 2 entries from 4 lines');
    expect(await total()).toBe(0);
  });

  it('exit with 2 for a file that cannot be read', async () => {
    expect(await cli.run(['import', 'nowhere.jsonl'])).toMatchObject({ code: 2, stderr: expect.stringContaining('it does not exist') });
    expect(await cli.run(['import', '.'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it is a folder without Markdown files'),
    });
  });

  it('handle thousands of lines in pipes', async () => {
    const input = Array.from({ length: 3000 }, (_, n) => `${JSON.stringify({ content: `line ${n} ${'x'.repeat(n % 50)}` })}\n`).join('');
    expect((await cli.process(['import', '-', '--json'], { input })).json()).toMatchObject({ lines: 3000, stored: 3000 });
    const exported = lines((await cli.process(['export'])).stdout);
    expect(exported).toHaveLength(3000);
    expect(exported.map(({ content }) => content.split(' ')[1])).toEqual(Array.from({ length: 3000 }, (_, n) => String(n)));
  });
});
