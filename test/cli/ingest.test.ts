import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EntryPage } from '../../src/memory/operations/operations.ts';
import type { IngestReport } from '../../src/sources/ingest/report.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { storedContents, storedEntries } from '../helpers/cli-store.ts';
import { docxOf, paragraph } from '../sources/readers/docx-fixture.ts';
import { pdfOf } from '../sources/readers/pdf-fixture.ts';

const run = promisify(execFile);

describe('ingest', () => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  const entries = () => storedEntries(cli);
  const contents = async () => (await storedContents(cli)).toSorted();
  const file = (name: string) => join(cli.cwd, name);
  const total = async () => (await cli.run(['list', '--all', '--json'])).json<EntryPage>().total;
  const ingest = async (...args: string[]) => (await cli.run(['ingest', ...args, '--json'])).json<IngestReport>();

  it('ingests a folder of documents, and stores nothing twice', async () => {
    await mkdir(file('docs/more'), { recursive: true });
    await writeFile(file('docs/guide.md'), '# Guide\n\nStart with make.\n\n## Deploy\n\nWith make ship. #ops\n');
    await writeFile(file('docs/report.pdf'), pdfOf([['Page one'], ['Page two']]));
    await writeFile(file('docs/more/letter.docx'), docxOf(paragraph('Dear all')));
    await writeFile(file('docs/more/logo.png'), 'x');
    await writeFile(file('docs/.hidden.md'), 'hidden');
    await writeFile(file('docs/credentials.json'), '{"content":"secret"}');
    const first = await cli.run(['ingest', 'docs', '--tag', 'handbook', '--namespace', 'team']);
    expect(first.stderr).toBe('');
    expect(first.code).toBe(0);
    expect(first.stdout.split('\n')).toEqual([
      'File                   Read as   Entries',
      'docs/guide.md          markdown  2 new',
      'docs/report.pdf        pdf       2 new',
      'docs/more/letter.docx  docx      1 new',
      'docs/report.pdf: pages 2',
      'Stored 5 entries of 3 files in team.',
      'Left out (hidden files and folders): .hidden.md',
      'Left out (files that may contain secrets): credentials.json',
      'Left out (files of other kinds): *.png',
      '',
    ]);
    const stored = await entries();
    expect(stored.every(({ namespace, source, tags }) => namespace === 'team' && source === 'ingest' && tags.includes('handbook'))).toBe(
      true,
    );
    expect(stored.find(({ content }) => content === 'Page two')?.sourceRef).toMatchObject({
      root: file('docs'),
      file: 'report.pdf',
      page: 2,
      part: 2,
      of: 2,
    });
    expect(stored.find(({ content }) => content.includes('make ship'))).toMatchObject({
      content: 'Guide > Deploy\n\nWith make ship. #ops',
      tags: ['handbook', 'ops'],
      sourceRef: { file: 'guide.md', start: 7, end: 7, heading: 'Guide > Deploy' },
    });

    const again = await ingest('docs', '--tag', 'handbook', '--namespace', 'team');
    expect(again).toMatchObject({ stored: 0, kept: 0, removed: 0, files: { stored: 0, unchanged: 3, skipped: 0, failed: 0 } });
    const alone = await ingest('docs/more/letter.docx', '--tag', 'handbook', '--namespace', 'team');
    expect(alone).toMatchObject({ stored: 0, files: { unchanged: 1 }, report: [{ entries: 1 }] });
    expect(await entries()).toEqual(stored);
  });

  it('replaces changed parts of a file and keeps the other entries', async () => {
    await writeFile(file('notes.md'), '# One\n\nFirst.\n\n# Two\n\nSecond.\n');
    await ingest('notes.md');
    const before = await entries();
    await writeFile(file('notes.md'), '# One\n\nFirst.\n\n# Two\n\nSecond, changed.\n');
    expect((await cli.run(['ingest', 'notes.md'])).stdout).toContain('notes.md  markdown  1 new, 1 kept, 1 removed');
    const after = await entries();
    expect(after.map(({ content }) => content).toSorted()).toEqual(['One\n\nFirst.', 'Two\n\nSecond, changed.']);
    expect(after.find(({ content }) => content === 'One\n\nFirst.')?.id).toBe(
      before.find(({ content }) => content === 'One\n\nFirst.')?.id,
    );

    await writeFile(file('notes.md'), '# Three\n\nThird.\n');
    expect(await ingest('notes.md', '--keep')).toMatchObject({ stored: 1, removed: 0 });
    expect(await ingest('notes.md', '--keep')).toMatchObject({ stored: 0, files: { unchanged: 1 } });
    expect(await contents()).toEqual(['One\n\nFirst.', 'Three\n\nThird.', 'Two\n\nSecond, changed.']);
  });

  it('stores nothing of a file with a malformed line, names file and line, and ingests the others', async () => {
    await writeFile(file('bad.jsonl'), '{"text":"good line"}\n{"text":\n');
    await writeFile(file('good.jsonl'), '{"text":"one","tags":["a"],"date":"2024-05-01"}\n{"text":"two"}\n');
    const alone = await cli.run(['ingest', 'bad.jsonl']);
    expect([alone.code, alone.stdout, alone.stderr]).toEqual([5, '', 'error: bad.jsonl:2 is not valid JSON.\n']);
    const both = await cli.run(['ingest', 'bad.jsonl', 'good.jsonl']);
    expect(both.code).toBe(5);
    expect(both.stderr).toBe('error: bad.jsonl:2 is not valid JSON.\n');
    expect(both.stdout).toMatch(/^good\.jsonl +jsonl +2 new$/m);
    expect(both.stdout).toContain('; 1 failed.');
    expect((await entries()).map(({ content, tags, createdAt }) => [content, tags, new Date(createdAt).getUTCFullYear() < 2025])).toEqual([
      ['one', ['a'], true],
      ['two', [], false],
    ]);
  });

  it('ingests standard input, by its content or by the given name', async () => {
    const page = '<!doctype html><title>Ports</title><p>Lore listens on 7007.</p>';
    expect((await cli.run(['ingest', '-', '--name', 'ports.html'], { input: page })).stdout).toContain('ports.html  html     1 new');
    const changed = await cli.run(['ingest', '-', '--name', 'ports.html', '--json'], { input: page.replace('7007', '7008') });
    expect(changed.json()).toMatchObject({ stored: 1, removed: 1 });
    expect((await cli.run(['ingest', '-', '--json'], { input: 'Just text.' })).json()).toMatchObject({ stored: 1 });
    expect((await cli.run(['ingest', '-', '--json'], { input: 'Just text.' })).json()).toMatchObject({
      stored: 0,
      files: { unchanged: 1 },
    });
    expect((await cli.run(['ingest', '-', '--format', 'csv', '--json'], { input: 'host,port\na,1\n' })).json()).toMatchObject({
      report: [{ format: 'csv' }],
    });
    expect(await contents()).toEqual(['Just text.', 'Ports\n\nLore listens on 7008.', 'host: a\nport: 1']);
  });

  it('ingests the commits of a repository, each once', async () => {
    const git = async (...args: string[]) =>
      (
        await run('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', '-c', 'commit.gpgsign=false', ...args], {
          cwd: cli.cwd,
        })
      ).stdout;
    await git('init', '--quiet');
    await writeFile(file('a.ts'), 'one');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'Begin', '-m', 'With a file.');
    await git('commit', '--quiet', '--allow-empty', '-m', 'Go on');
    const log = await git('log', '--name-only');
    expect(await ingest('--git')).toMatchObject({ stored: 2, report: [{ format: 'git-log', found: { commits: 2 } }] });
    expect(await contents()).toEqual(['Begin\n\nWith a file.\n\nFiles: a.ts', 'Go on']);
    expect((await cli.run(['ingest', '-', '--json'], { input: log })).json()).toMatchObject({ stored: 0 });
    await git('commit', '--quiet', '--allow-empty', '-m', 'Third');
    expect(await ingest('--git', '.', '--limit', '1')).toMatchObject({ stored: 1 });
    expect(await ingest('--git', '--since', '2001-01-01')).toMatchObject({ stored: 0, files: { unchanged: 1 } });
  });

  it('previews in a dry run, and stores nothing', async () => {
    await writeFile(file('notes.md'), '# One\n\nFirst.\n');
    const dry = await cli.run(['ingest', 'notes.md', '--dry-run', '--tag', 'x']);
    expect(dry.code).toBe(0);
    expect(dry.stdout.split('\n').slice(2)).toEqual([
      expect.stringMatching(/^Would store 1 entry of 1 file in project-\w+\.$/),
      '',
      'The first as they would be stored:',
      '1. One First.',
      '   line 3 · under One · tags x',
      '',
    ]);
    expect(await total()).toBe(0);
  });

  it('exits with 2 for missing or unreadable files, and with 5 for content it cannot parse', async () => {
    const missing = await cli.run(['ingest', 'nowhere.md', '--json']);
    expect(missing.code).toBe(2);
    expect(missing.json()).toMatchObject({ success: false, code: 'FILESYSTEM', error: 'nowhere.md cannot be read: it does not exist.' });
    await writeFile(file('good.md'), 'Good.');
    const some = await cli.run(['ingest', 'nowhere.md', 'good.md']);
    expect([some.code, some.stderr]).toEqual([2, 'error: nowhere.md cannot be read: it does not exist.\n']);
    expect(await total()).toBe(1);
    await writeFile(file('locked.pdf'), pdfOf([['x']], { encrypted: true }));
    const locked = await cli.run(['ingest', 'locked.pdf']);
    expect(locked.code).toBe(5);
    expect(locked.stderr).toMatch(/^error: locked\.pdf is encrypted: it needs a password\.\nhint: /);
    expect((await cli.run(['ingest'])).code).toBe(1);
    expect((await cli.run(['ingest', '--git', '--since', 'a while'])).code).toBe(5);
    expect((await cli.run(['ingest', '--git'])).stderr).toBe('error: . is not in a git repository.\n');
    await writeFile(file('empty.txt'), '');
    expect((await cli.run(['ingest', 'empty.txt'])).stderr).toBe('error: empty.txt contains no text.\n');
  });

  it('exits with 2 for a file that cannot be opened', async () => {
    await symlink('round.md', file('round.md'));
    const { code, stderr } = await cli.run(['ingest', 'round.md']);
    expect([code, stderr]).toEqual([2, 'error: round.md cannot be read: it is a broken symbolic link.\n']);
  });

  it('skips scans and oversized files in a folder, and fails for them if they are named', async () => {
    await mkdir(file('docs'));
    await writeFile(file('docs/scan.pdf'), pdfOf([[]]));
    await writeFile(file('docs/a.md'), 'Text.');
    const folder = await cli.run(['ingest', 'docs']);
    expect(folder.code).toBe(0);
    expect(folder.stderr).toMatch(/^skipped: docs\/scan\.pdf contains no text: its pages are images\./);
    expect(folder.stdout).toContain('; 1 skipped.');
    expect((await cli.run(['ingest', 'docs/scan.pdf'])).code).toBe(5);
  });

  it('reads only the requested files of a folder, and follows no links', async () => {
    await mkdir(file('docs/drafts'), { recursive: true });
    await writeFile(file('docs/a.md'), 'A.');
    await writeFile(file('docs/b.log'), 'B.');
    await writeFile(file('docs/drafts/c.md'), 'C.');
    await writeFile(file('docs/.gitignore'), 'ignored.md\n');
    await writeFile(file('docs/ignored.md'), 'I.');
    await symlink(file('docs/a.md'), file('docs/link.md'));
    const read = async (...args: string[]) =>
      (await cli.run(['ingest', 'docs', '--dry-run', '--json', ...args])).json<IngestReport>().report.map((each) => each.file);
    expect(await read()).toEqual(['docs/a.md', 'docs/drafts/c.md']);
    expect(await read('--no-recursive')).toEqual(['docs/a.md']);
    expect(await read('--exclude', 'drafts/')).toEqual(['docs/a.md']);
    expect(await read('--include', '*.log')).toEqual(['docs/b.log']);
  });

  it('makes one entry per file or per section on request', async () => {
    await writeFile(file('a.md'), '# One\n\nFirst.\n\n### Deep\n\nMore.\n\n# Two\n\nSecond.\n');
    const stored = async (split: string) =>
      (await cli.run(['ingest', 'a.md', '--dry-run', '--json', '--split', split])).json<IngestReport>().stored;
    expect([await stored('passages'), await stored('headings'), await stored('none')]).toEqual([3, 2, 1]);
  });

  it('warns of text that may contain secrets', async () => {
    await writeFile(file('a.md'), `The key is sk-proj-${'a1B2c3D4'.repeat(6)}.`);
    expect((await cli.run(['ingest', 'a.md'])).stderr).toMatch(/^warning: a\.md seems to contain secrets \(.+They are redacted/);
  });
});

it('ingest sends a file and standard input to the store of a running server, each once', async () => {
  await using cli = await openCliInProcess();
  await cli.serveHere();
  await writeFile(join(cli.cwd, 'notes.md'), '# One\n\nFirst.\n\n# Two\n\nSecond.\n');
  expect((await cli.run(['ingest', 'notes.md'])).stdout).toContain('notes.md  markdown  2 new');
  await writeFile(join(cli.cwd, 'notes.md'), '# One\n\nFirst.\n\n# Two\n\nSecond, changed.\n');
  expect((await cli.run(['ingest', 'notes.md'])).stdout).toContain('notes.md  markdown  1 new, 1 kept, 1 removed');
  expect((await cli.run(['ingest', '-'], { input: 'Just text.' })).code).toBe(0);
  expect((await cli.run(['ingest', '-', '--json'], { input: 'Just text.' })).json()).toMatchObject({ files: { unchanged: 1 } });
  expect((await storedContents(cli)).toSorted()).toEqual(['Just text.', 'One\n\nFirst.', 'Two\n\nSecond, changed.']);
});
