import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EntryPage, SearchResults } from '../../src/memory/operations/operations.ts';
import type { Relation } from '../../src/memory/relation.ts';
import type { EntityReport, Graph, RelationPage, RenameReport } from '../../src/memory/operations/relation-operations.ts';
import type { Ran } from '../helpers/cli.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { seed } from '../helpers/cli-store.ts';

const UNKNOWN = '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11';

describe('commands', () => {
  let cli: CliInProcess;
  beforeEach(async () => {
    cli = await openCliInProcess();
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  const run = (...args: string[]): Promise<Ran> => cli.run(args);
  const saved = <T extends readonly string[]>(...contents: T): Promise<{ [K in keyof T]: string }> =>
    seed(
      cli,
      contents.map((content) => ({ content })),
    ) as Promise<{ [K in keyof T]: string }>;

  it('relate two entries, show it from both ends, and unrelate them', async () => {
    const [older, newer] = await saved('Walrus', 'Trombone');
    const made = await run('relate', newer, 'supersedes', `mem_${older}`, '--strength', '0.5');
    expect(made).toMatchObject({ code: 0, stdout: `${newer} supersedes ${older} (0.50, manual)\n` });
    expect((await run('relations', older)).stdout.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^SOURCE +TYPE +TARGET +STRENGTH +ORIGIN +CREATED$/),
      expect.stringMatching(new RegExp(`^${newer} +supersedes +${older} +0\\.50 +manual +\\d{4}-`)),
    ]);
    expect((await run('relations', '--json')).json<RelationPage>()).toMatchObject({ total: 1, relations: [{ sourceId: newer }] });
    const shown = await run('get', older);
    expect(shown.stdout).toContain('a newer entry replaces it');
    expect(shown.stdout).toContain(`superseded by ${newer} (0.50, manual)`);
    expect((await run('get', newer, '--json')).json<{ relations: Relation[] }>().relations).toMatchObject([{ targetId: older }]);
    expect((await run('related', older)).stdout).toMatch(/^superseded by 0\.50\n {2}Trombone\n/);
  });

  it('unrelate them again', async () => {
    const [older, newer] = await saved('Walrus', 'Trombone');
    await run('relate', newer, 'supersedes', older);
    expect(await run('unrelate', newer, 'supersedes', older)).toMatchObject({ code: 0, stdout: 'Deleted the relation.\n' });
    expect(await run('unrelate', newer, 'supersedes', older)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no such relation'),
    });
    expect((await run('relations')).stdout).toBe('No relations.\n');
    expect((await run('related', older)).stdout).toBe('Nothing related.\n');
  });

  it('hide superseded entries from searches unless --include-superseded', async () => {
    const [older, newer] = await saved('The walrus sleeps on the pier', 'A trombone for the walrus');
    await run('relate', newer, 'supersedes', older);
    const found = async (command: string, ...flags: string[]): Promise<string[]> =>
      (await run(command, 'walrus pier', '--json', ...flags)).json<SearchResults>().results.map(({ entry }) => entry.id);
    expect(await found('recall')).toEqual([newer]);
    expect(await found('recall', '--include-superseded')).toEqual([older, newer]);
    expect(await found('search')).toEqual([newer]);
    expect(await found('search', '--include-superseded')).toEqual([older, newer]);
  });

  it('explain that a superseded entry is not found', async () => {
    const [older, newer] = await saved('The walrus sleeps on the pier', 'A trombone for the walrus');
    await run('relate', newer, 'supersedes', older);
    expect((await run('explain', older, 'walrus')).stdout).toContain('Not found. A newer entry supersedes it.');
    expect((await run('explain', older, 'walrus', '--include-superseded')).stdout).toContain('Found.');
    expect((await run('list')).stdout).toContain('(superseded) The walrus sleeps on the pier');
    expect((await run('list', '--json')).json<EntryPage>().entries.map(({ superseded }) => superseded)).toEqual([undefined, true]);
  });

  it('show the graph as text, as JSON and for Graphviz', async () => {
    const [a, b] = await saved('Walrus "and\nmore"', 'Trombone');
    await run('relate', a, 'references', b);
    const text = await run('graph');
    expect(text.stdout).toContain(`Walrus "and more"\n  ${a}\n  references 1.00  Trombone\n`);
    expect(text.stdout.trimEnd().split('\n').at(-1)).toBe('2 entries, 1 relation');
    expect((await run('graph', '--seed', a, '--json')).json<Graph>().nodes.map(({ id }) => id)).toEqual([a, b]);
    const dot = (await run('graph', '--dot')).stdout;
    expect(dot).toContain(`"${a}" [label="Walrus \\"and more\\""];`);
    expect(dot).toContain(`"${a}" -> "${b}" [label="references", `);
    expect((await run('graph', '--namespace', 'elsewhere')).stdout).toBe('No relations.\n');
  });

  it('list entities with their entries, and rename a path', async () => {
    const [id] = await saved('Retries are in lib/net/retry.ts, see `backoff()`');
    expect((await run('entities')).stdout.split('\n')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^NAME +KIND +ENTRIES$/), expect.stringMatching(/^lib\/net\/retry\.ts +path +1$/)]),
    );
    expect((await run('entities', 'backoff')).stdout).toContain(id);
    expect((await run('entities', '--kind', 'symbol', '--json')).json<EntityReport>().entities).toEqual([
      { name: 'backoff()', kind: 'symbol', entries: 1 },
    ]);
    expect((await run('entities', 'rename', 'lib', 'src', '--dry-run')).stdout).toBe('1 entry would change.\n');
    expect((await run('entities', 'rename', 'lib', 'src', '--json')).json<RenameReport>()).toEqual({ dryRun: false, changed: [id] });
    expect((await run('entities', 'src/net/retry.ts')).stdout).toContain(id);
    expect((await run('entities', 'rename', '--exact', 'backoff()', 'Backoff.wait')).stdout).toBe('Changed 1 entry.\n');
    expect((await run('entities', 'Backoff.wait')).stdout).toContain(id);
  });

  it('reject unknown ids and invalid values with the usual exit codes', async () => {
    const [id] = await saved('Walrus');
    expect(await run('relate', id, 'similar', UNKNOWN)).toMatchObject({ code: 1, stderr: expect.stringContaining('No entry has the id') });
    expect(await run('relate', id, 'similar', 'nope')).toMatchObject({ code: 1 });
    expect(await run('relate', id, 'likes', id)).toMatchObject({ code: 5 });
    expect(await run('relate', id, 'similar', id)).toMatchObject({ code: 5, stderr: expect.stringContaining('no relation to itself') });
    expect(await run('relate', id, 'similar', UNKNOWN, '--strength', '2')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('--strength'),
    });
    expect(await run('relate', id, 'similar')).toMatchObject({ code: 1, stderr: expect.stringContaining('target is required') });
  });

  it('refuse unknown ids and numbers out of range', async () => {
    expect(await run('related', UNKNOWN)).toMatchObject({ code: 1 });
    expect(await run('relations', UNKNOWN)).toMatchObject({ code: 1 });
    expect(await run('graph', '--seed', UNKNOWN)).toMatchObject({ code: 1 });
    expect(await run('graph', '--min-strength', 'x')).toMatchObject({ code: 5, stderr: expect.stringContaining('--min-strength') });
    expect(await run('graph', '--limit', '2001')).toMatchObject({ code: 5 });
    expect(await run('entities', 'rename', './', 'x')).toMatchObject({ code: 5 });
  });
});
