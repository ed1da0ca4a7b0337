import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportSummary } from '../../src/cli/import-formats/import-summary.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed, storedEntries, type Seed } from '../helpers/cli-store.ts';

/** Every file below a folder with its text, hidden ones too. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const paths = names.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const)),
  );
}

async function change(url: string, id: string, content: string): Promise<void> {
  const answer = await fetch(`${url}/api/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

const HOSTILE: readonly Seed[] = [
  { content: '---\nid: 0\ntags: [x]\n---\nfront matter in the text', namespace: 'owner/repo' },
  { content: 'line one\r\nline two\r\n', namespace: 'owner/repo' },
  { content: 'mixed\r\nbreaks\nhere', namespace: 'owner/repo' },
  { content: 'a bell \u0007, an escape \u001b[31m, a next line \u0085 and \u2028', namespace: 'owner/repo' },
  { content: '\n\n---\n...\n---\n\nends with blanks  \n\n', namespace: '../../etc' },
  { content: 'CON', namespace: 'con' },
  { content: '../../../x', namespace: 'C:\\Windows', tags: ['true', '2024', 'a: b', '#x', "it's", '[', 'null'] },
  { content: '日本語のメモ', namespace: 'Größe.', container: 'nul' },
  { content: `# ${'long '.repeat(100)}`, namespace: 'a.md', priority: 'high' },
  { content: '\uFEFFbegins with a mark', namespace: '.git/hooks' },
];

describe('a folder of Markdown', () => {
  let cli: CliInProcess;
  let other: CliInProcess;
  beforeEach(async () => {
    [cli, other] = [await openCliInProcess(), await openCliInProcess()];
  });
  afterEach(() => Promise.all([cli[Symbol.asyncDispose](), other[Symbol.asyncDispose]()]));

  const at = (...path: string[]) => join(cli.cwd, 'out', ...path);
  const importOut = async (...flags: string[]) => (await cli.run(['import', 'out', '--json', ...flags])).json<ImportSummary>();
  const exportOut = async (...flags: string[]) =>
    (await cli.run(['export', '--markdown', 'out', '--json', ...flags])).json<Record<string, number>>();

  it('has a readable file per entry, and imports into an empty store as the same bytes', async () => {
    const plain = { content: '# Deploys\n\nWe deploy with make ship.', namespace: 'owner/repo', tags: ['deploy', 'ops'] };
    const [id] = await seed(cli, [plain, ...HOSTILE]);
    const { code, stdout } = await cli.run(['export', '--markdown', 'out']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Wrote 11 entries to out: 11 files written, 0 unchanged, 0 removed.\n' });
    const files = await filesIn(at());
    const name = `owner/repo/deploys-${id!.replaceAll('-', '').slice(-12)}.md`;
    expect(files[name]!.replaceAll(/(created|updated): \S+/g, '$1: …')).toBe(
      `---\nid: ${id}\nnamespace: owner/repo\ntags: [deploy, ops]\npriority: normal\nimportance: 0.5\ncreated: …\nupdated: …\nsource: cli\n---\n\n${plain.content}\n`,
    );
    for (const path of Object.keys(files)) expect(path).not.toMatch(/(?:^|\/)(?:\.\.?|\.git|con|nul)(?:\/|$)|[\\:]/i);

    const report = (await other.run(['import', at(), '--json'])).json<ImportSummary>();
    expect(report).toMatchObject({ format: 'lore-markdown', stored: 11, invalid: 0, folder: { updated: 0, unchanged: 0 } });
    expect((await storedEntries(other)).map(({ content, tags, namespace }) => [content, tags, namespace])).toEqual(
      (await storedEntries(cli)).map(({ content, tags, namespace }) => [content, tags, namespace]),
    );
    await other.run(['export', '--markdown', 'out']);
    expect(await filesIn(join(other.cwd, 'out'))).toEqual(files);
    expect(await exportOut()).toMatchObject({ written: 0, unchanged: 11, removed: 0 });
    expect(await importOut()).toMatchObject({ stored: 0, lines: 0, folder: { updated: 0, unchanged: 11 } });
    expect(await filesIn(at())).toEqual(files);
  });

  it('imports edits and new files only', async () => {
    await seed(cli, [
      { content: 'We use npm.', namespace: 'owner/repo', tags: ['tools'] },
      { content: 'Tabs, not spaces.', namespace: 'owner/repo' },
      { content: 'Line one\nline two', namespace: 'owner/repo' },
    ]);
    await exportOut();
    const paths = Object.keys(await filesIn(at())).filter((path) => path.endsWith('.md'));
    const path = at(paths.find((file) => file.includes('we-use-npm'))!);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('We use npm.', 'We use pnpm.').replace('[tools]', '[tools, "2026"]'));
    // As git on Windows checks it out.
    const crlf = at(paths.find((file) => file.includes('line-one'))!);
    await writeFile(crlf, (await readFile(crlf, 'utf8')).replaceAll('\n', '\r\n'));
    await writeFile(at('owner/repo/new.md'), 'A note without front matter.\n');
    const dry = await cli.run(['import', 'out', '--dry-run']);
    expect(dry.stdout).toContain(
      'Would store 1 entry from 1 new, bad or conflicting file: 0 were there already, 0 bad.\nWould update 1 entry (',
    );
    expect(dry.stdout).toContain('; 2 files are unchanged.');
    expect((await storedEntries(cli)).map(({ content }) => content)).toContain('We use npm.');

    expect(await importOut()).toMatchObject({ stored: 1, folder: { updated: 1, unchanged: 2 } });
    const entries = await storedEntries(cli);
    expect(entries.find(({ content }) => content === 'We use pnpm.')?.tags).toEqual(['tools', '2026']);
    expect(entries.find(({ content }) => content === 'A note without front matter.')?.namespace).toBe('owner/repo');
    expect(entries).toHaveLength(4);
    expect(await importOut()).toMatchObject({ stored: 0, folder: { updated: 0, unchanged: 4 } });

    // Again without an export between: the same files, edited once more.
    await writeFile(path, (await readFile(path, 'utf8')).replace('We use pnpm.', 'We use bun.'));
    await writeFile(at('owner/repo/new.md'), 'A note, edited.\n');
    expect(await importOut()).toMatchObject({ stored: 0, invalid: 0, folder: { updated: 2, unchanged: 2 } });
    expect((await storedEntries(cli)).map(({ content }) => content).sort()).toEqual([
      'A note, edited.',
      'Line one\nline two',
      'Tabs, not spaces.',
      'We use bun.',
    ]);
    expect(await exportOut()).toMatchObject({ entries: 4 });
  });

  it('of one namespace leaves the files of others alone', async () => {
    await seed(cli, [
      { content: 'one', namespace: 'a' },
      { content: 'two', namespace: 'b/c' },
    ]);
    expect(await exportOut('--namespace', 'a')).toMatchObject({ entries: 1, written: 1 });
    expect(await exportOut('--namespace', 'b/c')).toMatchObject({ entries: 1, written: 1, removed: 0 });
    expect(Object.keys(await filesIn(at())).filter((path) => path.endsWith('.md'))).toHaveLength(2);
    expect(await exportOut()).toMatchObject({ entries: 2, written: 0, unchanged: 2 });
    expect(await importOut()).toMatchObject({ lines: 0, folder: { unchanged: 2 } });
  });

  it('reports edits on both sides and overwrites neither', async () => {
    const [id, later] = await seed(cli, [
      { content: 'The port is 8080.', namespace: 'n' },
      { content: 'Old words.', namespace: 'n' },
    ]);
    await exportOut();
    const files = await filesIn(at());
    const path = at(Object.keys(files).find((file) => file.includes('the-port'))!);
    await writeFile(path, (await readFile(path, 'utf8')).replace('8080', '3000'));
    const refused = await cli.run(['export', '--markdown', 'out']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('Files have edits that were not imported: n/the-port-is-8080-');
    const server = await cli.serve();
    await change(server.url, id!, 'The port is 9090.');
    await change(server.url, later!, 'New words.');
    const { code, stderr, stdout } = await cli.run(['import', 'out']);
    expect(code).toBe(5);
    expect(stderr).toContain('was edited, and so was its entry (');
    expect(stdout).toContain('1 file is older than the store');
    expect((await storedEntries(cli)).map(({ content }) => content).sort()).toEqual(['New words.', 'The port is 9090.']);
    expect(await exportOut('--force')).toMatchObject({ written: 2 });
    expect(await readFile(path, 'utf8')).toContain('9090');
  });

  it('keeps the entries of removed files unless asked, and never restores a forgotten one', async () => {
    const [, id] = await seed(cli, [
      { content: 'one', namespace: 'n' },
      { content: 'two', namespace: 'n' },
      { content: 'three', namespace: 'n' },
    ]);
    await exportOut();
    const file = (beginning: string) =>
      readdir(at('n')).then((names) =>
        at(
          'n',
          names.find((name) => name.startsWith(beginning))!,
        ),
      );
    await rm(await file('one'));
    const { stdout } = await cli.run(['import', 'out']);
    expect(stdout).toContain('Left out (removed files, whose entries stay without --forget-missing): n/one-');
    expect(await storedEntries(cli)).toHaveLength(3);
    expect(await importOut('--forget-missing', '--dry-run')).toMatchObject({ folder: { forgotten: 1 } });
    expect(await importOut('--forget-missing')).toMatchObject({ folder: { forgotten: 1, unchanged: 2 } });
    expect((await storedEntries(cli)).map(({ content }) => content)).toEqual(['two', 'three']);
    await cli.run(['forget', id!, '--yes']);
    const two = await file('two');
    expect((await cli.run(['import', 'out'])).stderr).toContain(`${two.slice(cli.cwd.length + 1)}: its entry was forgotten here`);
    expect(await exportOut()).toMatchObject({ entries: 1, removed: 1 });
  });

  it('reports files it cannot import, and follows no link or path out of the folder', async () => {
    await seed(cli, [{ content: 'one', namespace: 'n' }]);
    await exportOut();
    const [name = ''] = await readdir(at('n'));
    const text = await readFile(at('n', name), 'utf8');
    await writeFile(at('n/copy.md'), text.replace('\none\n', '\nanother\n'));
    await writeFile(at('n/zbad.md'), '---\nid: 7\n---\n\nx\n');
    await writeFile(at('n/zempty.md'), '---\ntags: [a]\n---\n');
    const report = await importOut();
    expect(report.errors.map(({ place, error }) => [place, error])).toEqual([
      ['out/n/zbad.md', 'has an invalid id: remove the line to make it a new entry'],
      ['out/n/zempty.md', 'has no text'],
      ['out/n/copy.md', `has the id of n/${name}: remove the line to make it a new entry`],
    ]);
    expect((await cli.run(['import', at('n', name)])).stderr).toContain('hint: Import that folder.');
    await mkdir(join(cli.cwd, 'elsewhere'));
    await writeFile(join(cli.cwd, 'elsewhere/keep.md'), 'mine');
    await writeFile(
      at('.lore-export.json'),
      JSON.stringify({ lore: { markdown: 1 }, files: { '../elsewhere/keep.md': { id: 'x', updated: 'x', hash: 'x' } } }),
    );
    await rm(at('n'), { recursive: true });
    await symlink(join(cli.cwd, 'elsewhere'), at('n'));
    const { code, stderr } = await cli.run(['export', '--markdown', 'out']);
    expect(code).toBe(2);
    expect(stderr).toContain('a symbolic link leads out of the folder');
    expect(await readdir(join(cli.cwd, 'elsewhere'))).toEqual(['keep.md']);
  });
});
