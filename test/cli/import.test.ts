import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportSummary } from '../../src/cli/import-formats/import-summary.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed, storedEntries } from '../helpers/cli-store.ts';

const CSV = [
  'id,text,tags,project,created_at,mood',
  '1,We deploy with make ship.,"deploy, ops",owner/repo,2024-05-01,good',
  '2,"Two lines,\r\nand a ""quote""",,,,',
  '3,We deploy with make ship.,,owner/repo,,',
  '4,,,,,',
  '5,too,many,cells,in,this,row',
  '',
].join('\r\n');
const MEM0_ID = '3c90c3cc-0d44-4b50-8888-8dd25736052a';

describe.each([
  { where: 'without a server', serve: false },
  { where: 'beside a running server', serve: true },
])('import of CSV $where', ({ serve }) => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
    if (serve) await cli.serveHere();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  const entries = () => storedEntries(cli);
  const file = (name: string) => join(cli.cwd, name);

  it('previews what a CSV file would store, and stores exactly that', async () => {
    await writeFile(file('notes.csv'), `\uFEFF${CSV}`);
    const dry = await cli.run(['import', 'notes.csv', '--dry-run']);
    expect(dry.code).toBe(0);
    expect(dry.stdout.split('\n')).toEqual([
      'Read as csv: its first row names a column with the text.',
      'Would store 2 entries from 5 rows: 1 was there already, 2 bad.',
      'Left out (columns): mood',
      '',
      'The first as they would be stored:',
      '1. We deploy with make ship.',
      '   namespace owner/repo · tags deploy, ops · priority normal · importance 0.50 · created 2024-05-01T00:00:00.000Z · from {"file":"notes.csv","row":2,"importedId":"1"}',
      '2. Two lines, and a "quote"',
      expect.stringMatching(/^ {3}namespace project-\w+ · priority normal · /),
      '',
    ]);
    expect(dry.stderr).toBe(
      'notes.csv row 5: content must not be blank\nnotes.csv row 6: has 7 cells where the first row names 6 columns\n',
    );
    expect(await entries()).toEqual([]);

    const dryReport = (await cli.run(['import', 'notes.csv', '--dry-run', '--json'])).json<ImportSummary>();
    const report = (await cli.run(['import', 'notes.csv', '--json'])).json<ImportSummary>();
    const { preview, ...counts } = dryReport;
    expect(preview).toHaveLength(2);
    expect(report).toEqual({ ...counts, dryRun: false });
    expect(report).toMatchObject({ format: 'csv', lines: 5, stored: 2, duplicates: 1, invalid: 2 });
    expect(report.errors.map(({ place, line }) => [place, line])).toEqual([
      ['notes.csv row 5', 4],
      ['notes.csv row 6', 5],
    ]);
    expect((await entries()).map(({ content, tags }) => [content, tags])).toEqual([
      ['We deploy with make ship.', ['deploy', 'ops']],
      ['Two lines,\r\nand a "quote"', []],
    ]);
    expect((await cli.run(['import', 'notes.csv', '--json'])).json()).toMatchObject({ stored: 0, duplicates: 3, invalid: 2 });
  });

  it('stores nothing of a CSV file with an invalid row under --strict', async () => {
    const { code, stdout, stderr } = await cli.run(['import', '-', '--strict', '--format', 'csv'], { input: CSV });
    expect(code).toBe(5);
    expect(stdout).toContain('Nothing stored from 5 rows');
    expect(stderr).toContain('standard input row 6: has 7 cells');
    expect(await entries()).toEqual([]);
  });
});

describe('import of other formats', () => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  const entries = () => storedEntries(cli);
  const file = (name: string) => join(cli.cwd, name);

  it('exits with 5 and one clear error without a text column', async () => {
    await writeFile(file('people.csv'), 'name,age\nAna,7\n');
    const { code, stdout, stderr } = await cli.run(['import', 'people.csv']);
    expect([code, stdout]).toEqual([5, '']);
    expect(stderr).toMatch(/^error: people\.csv has no column with the text of the entries\. Its columns are "name", "age"\.\nhint: /);
  });

  it('imports a folder of Markdown files, whole or by section', async () => {
    await mkdir(file('vault/sub'), { recursive: true });
    const front = '---\ntitle: Deploys\ntags: [ops]\ndate: 2024-05-01\nproject: owner/repo\n---\n';
    await writeFile(file('vault/deploys.md'), `${front}With #make ship.\n\n## Staging\n\nFirst.\n`);
    await writeFile(file('vault/sub/broken.md'), '---\ntags: [a\n---\ntext\n');
    await symlink('/etc/hostname', file('vault/host.md'));
    const { code, stdout, stderr } = await cli.run(['import', 'vault']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [
        'Read as markdown: it is a folder.',
        'Found: files 1',
        'Stored 1 entry from 2 texts: 0 were there already, 1 bad.',
        'Left out (symbolic links): host.md',
        '',
      ].join('\n'),
    });
    expect(stderr).toMatch(/^vault\/sub\/broken\.md: has front matter that is not valid YAML/);
    expect((await entries())[0]).toMatchObject({
      content: '# Deploys\n\nWith #make ship.\n\n## Staging\n\nFirst.',
      namespace: 'owner/repo',
      tags: ['ops', 'make'],
      source: 'import',
      sourceRef: { path: 'deploys.md', title: 'Deploys' },
      createdAt: Date.parse('2024-05-01'),
    });
    const split = await cli.run(['import', 'vault', '--split', 'headings', '--namespace', 'mine', '--json']);
    expect(split.json()).toMatchObject({ stored: 2, invalid: 1, found: { files: 1, sections: 2 } });
    const mine = (await entries()).filter(({ namespace }) => namespace === 'mine');
    expect(mine.map(({ content }) => content).sort()).toEqual(['# Deploys\n\n## Staging\n\nFirst.', '# Deploys\n\nWith #make ship.']);
  });

  it('imports exports of other stores, each into its namespace', async () => {
    const graph = [
      { type: 'entity', name: 'Ana', entityType: 'person', observations: ['likes tea', 'speaks Spanish'] },
      { type: 'relation', from: 'Ana', to: 'Lore', relationType: 'works_on' },
    ];
    await writeFile(file('memory.json'), graph.map((node) => JSON.stringify(node)).join('\n'));
    await writeFile(file('mem0.json'), JSON.stringify({ results: [{ id: MEM0_ID, memory: 'Prefers windows', user_id: 'alex' }] }));
    const observation = { id: 1, title: 'Fix', narrative: 'Round late.', project: 'shop' };
    await writeFile(file('cm.json'), JSON.stringify({ observations: [observation], summaries: [] }));
    const reports = [];
    for (const name of ['memory.json', 'mem0.json', 'cm.json']) reports.push((await cli.run(['import', name, '--json'])).json());
    expect(reports).toMatchObject([
      { format: 'mcp-memory', stored: 3, found: { entities: 1, observations: 2, relations: 1 } },
      { format: 'mem0', stored: 1 },
      { format: 'claude-mem', stored: 1 },
    ]);
    const all = await entries();
    const contents = ['Ana works on Lore', 'Ana: likes tea', 'Ana: speaks Spanish', 'Fix\n\nRound late.', 'Prefers windows'];
    expect(all.map(({ content }) => content).sort()).toEqual(contents);
    const entry = (beginning: string) => all.find(({ content }) => content.startsWith(beginning));
    expect(entry('Fix')).toMatchObject({ namespace: 'shop', sourceRef: { importedId: '1' } });
    expect(entry('Prefers')).toMatchObject({ id: MEM0_ID, container: 'alex' });
  });

  it('previews the memory of Claude Code, stores exactly that, and nothing twice', async () => {
    await mkdir(file('projects/-srv-shop/memory'), { recursive: true });
    await writeFile(file('projects/-srv-shop/memory/MEMORY.md'), '## Build\n\nmake all\n\n## Test\n\nmake check\n');
    const dry = await cli.run(['import', 'projects', '--dry-run']);
    expect(dry.stdout).toContain('Read as claude-code: it contains the auto memory of Claude Code.\n');
    expect(dry.stdout).toContain('Would store 2 entries from 2 sections: 0 were there already, 0 bad.\n');
    expect(dry.stdout).toContain('1. ## Build make all\n   namespace srv-shop · tags claude-code');
    expect(await entries()).toEqual([]);
    expect((await cli.run(['import', 'projects', '--json'])).json()).toMatchObject({ stored: 2, duplicates: 0 });
    expect((await cli.run(['import', 'projects', '--json'])).json()).toMatchObject({ stored: 0, duplicates: 2 });
    expect((await entries()).map(({ namespace }) => namespace)).toEqual(['srv-shop', 'srv-shop']);
  });

  it('imports the persistence format of the specification, and reports that vectors are recomputed', async () => {
    const entry = {
      id: '550e8400-e29b-41d4-a716-446655440000',
      content: 'We deploy with make ship.',
      metadata: { namespace: 'owner/repo', tags: ['deploy'], timestamp: '2024-05-01T10:00:00.000Z' },
      embedding: Array.from({ length: 384 }, () => 0.05),
      contentHash: 'abc',
    };
    await writeFile(file('store.json'), JSON.stringify({ entries: [entry] }));
    const { stdout } = await cli.run(['import', 'store.json', '--dry-run']);
    expect(stdout).toContain('Read as json: it is a JSON document with "entries".\nWould store 1 entry from 1 record: ');
    expect(stdout).toContain('Left out (vectors of another or an unknown model, computed again): 1\n');
    expect((await cli.run(['import', 'store.json'])).code).toBe(0);
    expect(await entries()).toMatchObject([{ id: entry.id, namespace: 'owner/repo', tags: ['deploy'], createdAt: 1_714_557_600_000 }]);
  });

  it('reports what is wrong with the request or the whole file', async () => {
    await writeFile(file('a.csv'), 'text\nx\n');
    await writeFile(file('broken.json'), '[{"content":');
    const failing = [
      {
        args: ['a.csv', '--format', 'xml'],
        error:
          '--format must be one of auto, jsonl, json, csv, markdown, lore-markdown, claude-code, instructions, cursor, mcp-memory, mcp-memory-service, mem0, zep, basic-memory, claude-mem',
      },
      { args: ['a.csv', '--split', 'headings'], error: '--split is for Markdown, and a.csv is read as csv.' },
      { args: ['broken.json'], error: 'broken.json is not valid JSON.' },
      { args: ['.', '--format', 'mem0'], error: '. is a folder, and mem0 is read from a file.' },
    ];
    for (const { args, error } of failing) {
      const { code, stdout, stderr } = await cli.run(['import', ...args]);
      expect({ code, stdout, stderr }).toEqual({ code: 5, stdout: '', stderr: expect.stringContaining(`error: ${error}`) });
    }
  });

  it('refuses an export of a newer format, and warns of a truncated one', async () => {
    await seed(cli, [{ content: 'one' }, { content: 'two' }]);
    await cli.run(['export', 'out.jsonl']);
    const [header = '', ...lines] = (await readFile(file('out.jsonl'), 'utf8')).split('\n');
    expect(await cli.run(['import', '-', '--dry-run'], { input: `${header}\n${lines[0]}\n` })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Read as jsonl: it is an export of Lore of .* with 2 entries made with the model builtin\//),
      stderr: 'warning: The file should have 1 entry more: it may have been cut off.\n',
    });
    const newer = header.replace('"format":1', '"format":7');
    expect(await cli.run(['import', '-'], { input: `${newer}\n${lines.join('\n')}` })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('error: Line 1 begins an export of format 7; this Lore reads format 1.'),
    });
  });

  it('says where to look if no format was recognised', async () => {
    const { code, stderr } = await cli.run(['import', '-'], { input: 'one\ntwo\n' });
    expect(code).toBe(5);
    expect(stderr).toContain('warning: The format was not recognised. Set it with --format.\n');
  });
});
