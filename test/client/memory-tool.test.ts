/**
 * The texts are those of the published reference of the tool (platform.claude.com, Memory tool, "Tool commands"); where it leaves them open, those of
 * `BetaLocalFilesystemMemoryTool` in @anthropic-ai/sdk 1.12.0.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LoreClient, MemoryTool, type MemoryCommand, type MemoryToolStore } from '../../src/client/index.ts';
import type { MemoryOperations } from '../../src/memory/operations/operations.ts';
import { openTestApp } from '../helpers/app.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const EXAMPLE = fileURLToPath(new URL('../../docs/examples/memory-tool.mjs', import.meta.url));

interface Place extends AsyncDisposable {
  readonly store: MemoryOperations;
}

describe.each<{ where: string; open: () => Promise<Place> }>([
  {
    where: 'an embedded store',
    open: async () => {
      const app = await openTestApp();
      return { store: app.memories, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
    },
  },
  {
    where: 'a server',
    open: async () => {
      const server = await startTestServer();
      const client = new LoreClient({ url: server.url });
      return { store: client as unknown as MemoryOperations, [Symbol.asyncDispose]: () => server.close() };
    },
  },
])('the memory tool on $where', ({ open }) => {
  let place: Place;
  let namespaces = 0;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place[Symbol.asyncDispose]());

  /** A tool with a namespace of its own, and what it answers. */
  function openTool() {
    const namespace = `tool-${(namespaces += 1)}`;
    const tool = new MemoryTool(place.store satisfies MemoryToolStore, { namespace });
    return { namespace, tool, answer: async (command: MemoryCommand) => (await tool.handle(command)).content };
  }

  it('answers every command with the text of the reference', async () => {
    const { answer } = openTool();
    const notes = '/memories/notes.txt';
    const answers: string[] = [];
    for (const command of [
      { command: 'view', path: '/memories' },
      { command: 'create', path: notes, file_text: 'Color: blue\nSize: 7\n' },
      { command: 'view', path: notes },
      { command: 'view', path: notes, view_range: [2, -1] },
      { command: 'str_replace', path: notes, old_str: 'blue', new_str: 'green' },
      { command: 'insert', path: notes, insert_line: 0, insert_text: '# Ana\n' },
      { command: 'create', path: '/memories/team/ana/deep/x.md', file_text: 'a' },
      { command: 'create', path: '/memories/.hidden', file_text: 'a' },
      { command: 'view', path: '/memories' },
      { command: 'rename', old_path: '/memories/team', new_path: '/memories/people' },
      { command: 'view', path: '/memories/people/ana/deep/x.md' },
      { command: 'delete', path: '/memories/people' },
      { command: 'view', path: '/memories/people' },
    ] satisfies MemoryCommand[])
      answers.push(await answer(command));
    expect(answers).toEqual([
      "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n0B\t/memories",
      'File created successfully at: /memories/notes.txt',
      "Here's the content of /memories/notes.txt with line numbers:\n     1\tColor: blue\n     2\tSize: 7\n     3\t",
      "Here's the content of /memories/notes.txt with line numbers:\n     2\tSize: 7\n     3\t",
      'The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tColor: green\n     2\tSize: 7\n     3\t',
      'The file /memories/notes.txt has been edited.',
      'File created successfully at: /memories/team/ana/deep/x.md',
      'File created successfully at: /memories/.hidden',
      [
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:",
        '29B\t/memories',
        '27B\t/memories/notes.txt',
        '1B\t/memories/team/',
        '1B\t/memories/team/ana/',
      ].join('\n'),
      'Successfully renamed /memories/team to /memories/people',
      "Here's the content of /memories/people/ana/deep/x.md with line numbers:\n     1\ta",
      'Successfully deleted /memories/people',
      'The path /memories/people does not exist. Please provide a valid path.',
    ]);
  });

  it('answers impossible commands with the error of the reference', async () => {
    const { tool, answer } = openTool();
    const a = '/memories/a.txt';
    await answer({ command: 'create', path: a, file_text: 'x\nx' });
    await answer({ command: 'create', path: '/memories/dir/b.txt', file_text: 'y' });
    const cases: [MemoryCommand, string][] = [
      [{ command: 'create', path: a, file_text: 'z' }, `Error: File ${a} already exists`],
      [{ command: 'create', path: '/memories/dir', file_text: 'z' }, 'Error: File /memories/dir already exists'],
      [{ command: 'create', path: `${a}/b`, file_text: 'z' }, `Error: The path ${a} is not a directory`],
      [
        { command: 'str_replace', path: '/memories/dir', old_str: 'y', new_str: '' },
        'Error: The path /memories/dir does not exist. Please provide a valid path.',
      ],
      [
        { command: 'str_replace', path: a, old_str: 'q', new_str: '' },
        `No replacement was performed, old_str \`q\` did not appear verbatim in ${a}.`,
      ],
      [
        { command: 'str_replace', path: a, old_str: 'x', new_str: '' },
        'No replacement was performed. Multiple occurrences of old_str `x` in lines: 1, 2. Please ensure it is unique',
      ],
      [{ command: 'insert', path: '/memories/none', insert_line: 0, insert_text: '' }, 'Error: The path /memories/none does not exist'],
      [
        { command: 'insert', path: a, insert_line: 3, insert_text: '' },
        'Error: Invalid `insert_line` parameter: 3. It should be within the range of lines of the file: [0, 2]',
      ],
      [{ command: 'delete', path: '/memories/none' }, 'Error: The path /memories/none does not exist'],
      [{ command: 'delete', path: '/memories/' }, 'Error: Cannot delete the /memories directory itself'],
      [{ command: 'rename', old_path: '/memories/none', new_path: '/memories/c' }, 'Error: The path /memories/none does not exist'],
      [{ command: 'rename', old_path: a, new_path: '/memories/dir' }, 'Error: The destination /memories/dir already exists'],
      [{ command: 'create', path: '/memories/c' } as unknown as MemoryCommand, 'Error: Missing required parameter: file_text'],
      [{ command: 'touch', path: a } as unknown as MemoryCommand, 'Error: Unknown command: touch'],
    ];
    for (const [command, content] of cases) expect(await tool.handle(command)).toEqual({ content, isError: true });
    expect(await answer({ command: 'view', path: a })).toContain('     1\tx\n     2\tx');
  });

  it('rejects every path outside of /memories', async () => {
    const { tool } = openTool();
    for (const path of [
      '/etc/passwd',
      'memories/a',
      '/memoriesX/a',
      '/memories/../etc/passwd',
      '/memories/a/../../b',
      '/memories/..',
      '/memories/%2e%2e%2fpasswd',
      '/memories\\..\\x',
      '/memories/a\u0000b',
      `/memories/${'a'.repeat(300)}`,
    ]) {
      for (const command of [
        { command: 'view', path },
        { command: 'create', path, file_text: 'x' },
        { command: 'delete', path },
        { command: 'rename', old_path: path, new_path: '/memories/ok' },
      ] satisfies MemoryCommand[])
        expect(await tool.handle(command)).toMatchObject({ isError: true });
    }
    expect((await tool.handle({ command: 'view', path: '/memories//./' })).isError).toBe(false);
  });

  it('keeps earlier versions, and deleted files can be restored', async () => {
    const { namespace, answer } = openTool();
    const path = '/memories/plan.md';
    await answer({ command: 'create', path, file_text: 'We ship on Friday.' });
    const [entry] = (await place.store.list({ namespace })).entries;
    await Promise.all([
      answer({ command: 'str_replace', path, old_str: 'Friday', new_str: 'Monday' }),
      answer({ command: 'insert', path, insert_line: 1, insert_text: 'Ana checks.' }),
    ]);
    const { versions } = await place.store.lifecycle.history(entry!.id);
    expect(versions.map(({ state }) => state.content)).toEqual(['We ship on Monday.', 'We ship on Friday.']);
    expect((await place.store.recall({ query: 'when do we ship', namespace })).results[0]?.entry.content).toBe(
      'We ship on Monday.\nAna checks.',
    );
    await answer({ command: 'delete', path });
    expect((await place.store.list({ namespace })).total).toBe(0);
    await place.store.lifecycle.restore({ ids: [entry!.id] });
    expect(await answer({ command: 'view', path })).toContain('     2\tAna checks.');
  });

  it('stores empty files, and two files with the same text', async () => {
    const { answer } = openTool();
    await answer({ command: 'create', path: '/memories/a', file_text: '' });
    await answer({ command: 'create', path: '/memories/b', file_text: 'same' });
    await answer({ command: 'create', path: '/memories/c', file_text: 'same' });
    expect(await answer({ command: 'view', path: '/memories/a' })).toBe("Here's the content of /memories/a with line numbers:\n     1\t");
    await answer({ command: 'insert', path: '/memories/a', insert_line: 0, insert_text: 'now' });
    expect(await answer({ command: 'view', path: '/memories' })).toContain('4B\t/memories/a\n4B\t/memories/b\n4B\t/memories/c');
  });
});

describe('a page that imports the client', () => {
  it('bundles no code of the memory tool', async () => {
    const page = `export { LoreClient, LoreError } from ${JSON.stringify(fileURLToPath(new URL('../../src/client/index.ts', import.meta.url)))}`;
    await using build = await rolldown({
      input: 'page',
      plugins: [{ name: 'page', resolveId: (id) => (id === 'page' ? id : null), load: (id) => (id === 'page' ? page : null) }],
    });
    const [chunk] = (await build.generate({ minify: true })).output;
    expect(chunk.code).toContain('recall');
    expect(chunk.code).not.toContain('str_replace');
  });
});

describe('the example of the memory tool', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('answers commands from standard input', async () => {
    const child = spawn(process.execPath, [EXAMPLE], {
      env: { ...process.env, LORE_URL: server.url, LORE_NAMESPACE: 'example' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end('{"command":"create","path":"/memories/n.md","file_text":"Tabs."}\n{"command":"view","path":"/etc"}\n');
    const lines = (await text(child.stdout)).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { type: 'tool_result', content: 'File created successfully at: /memories/n.md' },
      { type: 'tool_result', content: 'Error: Path must start with /memories, got: /etc', is_error: true },
    ]);
  });
});
