import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { Flags, Parser, type Command } from '@oclif/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import type { Ran } from '../helpers/cli.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

/** Help fits a terminal of this width. */
const COLUMNS = 80;
const ID = '01975a3e-8a51-7c3e-9a53-0f6d2b8c4e11';

let cli: CliInProcess;
beforeAll(async () => {
  cli = await openCliInProcess();
});
afterAll(() => cli[Symbol.asyncDispose]());

interface Watched extends Pick<Ran, 'code' | 'stdout' | 'stderr'> {
  /** Whether the native store was loaded in the end. */
  readonly loadedStore: boolean;
}

/** Runs a command in a process of its own, which says at the very end what it loaded. */
async function watched(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Watched> {
  const probe = join(cli.home, 'probe.cjs');
  await writeFile(
    probe,
    "process.on('exit', () => process._rawDebug('native:' + process.report.getReport().sharedObjects.some((path) => path.includes('lancedb'))));",
  );
  const { code, stdout, stderr } = await cli.process(args, { env: { NODE_OPTIONS: `--require=${probe}`, ...env } });
  const [, said = '', native] = /^([^]*)native:(true|false)\n$/.exec(stderr) ?? [];
  return { code, stdout, stderr: said, loadedStore: native === 'true' };
}

/** The command lines of the examples: up to a pipe or redirection, and after variables or an `echo` into the command. */
function examples(): [line: string, id: string, command: Command.Class][] {
  const shown = Object.entries(COMMANDS).filter(([, { hidden }]) => !hidden);
  return shown.flatMap(([id, command]) =>
    (command.examples ?? [])
      .filter((example) => typeof example === 'string')
      .map((example): [string, string, Command.Class] => {
        const line = example
          .replaceAll('<%= config.bin %>', 'lore')
          .replace(/\$\(.*\)/, 'NAME')
          .replace(/ [|<>] (?!lore).*$/, '');
        return [line.slice(line.search(/(?<![-\w"$(])lore /)), id, command];
      }),
  );
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g)].map(([word]) => word.replaceAll(/["']/g, ''));
}

/** Node has this from 22.8 on. */
const mayKeepCode = 'enableCompileCache' in nodeModule;

describe.runIf(process.platform === 'linux')('compiled code', () => {
  it('is cached in the cache folder of this user if Node can write there', async () => {
    const cache = join(cli.home, 'cache');
    expect(await watched(['--version'], { XDG_CACHE_HOME: cache })).toMatchObject({ code: 0, stderr: '' });
    const folder = statSync(join(cache, 'lore/compiled'), { throwIfNoEntry: false });
    expect(folder && folder.mode & 0o777).toBe(mayKeepCode ? 0o700 : undefined);
  });

  it('is not cached without a cache folder, and everything else works', async () => {
    const file = join(cli.home, 'no-folder');
    await writeFile(file, '');
    expect(await watched(['--version'], { XDG_CACHE_HOME: file })).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('help and version', () => {
  it('prints the version', async () => {
    const { code, stdout } = await cli.run(['--version']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^lore\/\d+\.\d+\.\d+ /) });
  });

  it('lists every command without arguments and with --help', async () => {
    const [bare, asked] = await Promise.all([cli.run([]), cli.run(['--verbose', '--help'])]);
    expect(bare).toMatchObject({ code: 0, stderr: '' });
    expect(asked.stdout).toBe(bare.stdout);
    const shown = Object.entries(COMMANDS).filter(([, { hidden }]) => !hidden);
    for (const [id] of shown) expect(bare.stdout).toContain(`\n  ${id.split(':')[0]} `);
  });

  it.each(Object.entries(COMMANDS))('explains %s with a summary, examples and the global flags', async (id, command) => {
    const { code, stdout } = await cli.run([...id.split(':'), '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(command.summary);
    expect(stdout).toContain('EXAMPLES');
    expect(stdout.split('\n').filter((line) => line.length > COLUMNS)).toEqual([]);
    for (const flag of ['--config=FILE', '--no-color', '--verbose']) expect(stdout).toContain(flag);
    // Standard output of `mcp` is the protocol.
    expect(stdout.includes('--json')).toBe(id !== 'mcp');
  });

  it.each(examples())('%s is an example whose flags and arguments are accepted', async (line, id, command) => {
    const words = wordsOf(line);
    expect(words.slice(1, 1 + id.split(':').length).join(':')).toBe(id);
    const { args, flags, baseFlags, enableJsonFlag, strict } = command;
    const parsed = Parser.parse(words.slice(1 + id.split(':').length), {
      args,
      flags: { ...baseFlags, ...flags, ...(enableJsonFlag && { json: Flags.boolean() }) },
      strict,
    });
    await expect(parsed).resolves.toBeDefined();
  });

  it('takes `help` and -h for --help', async () => {
    const [word, short, long] = await Promise.all([cli.run(['help', 'save']), cli.run(['save', '-h']), cli.run(['save', '--help'])]);
    expect(word.stdout).toBe(long.stdout);
    expect(short.stdout).toBe(long.stdout);
  });
});

describe('exit codes', () => {
  const coloured = { FORCE_COLOR: '1' };
  it.each<[code: number, args: string[], env?: Record<string, string>]>([
    [0, ['list', '--help']],
    [0, ['auth', 'list'], { NODE_ENV: 'development' }],
    // Newer versions of Node warn where both are set.
    [1, ['sav', 'text'], { ...coloured, NO_COLOR: '1', NODE_NO_WARNINGS: '1' }],
    [2, ['config', '--config', 'nowhere.json', '--no-color'], coloured],
    [3, ['config', '--validate', '--config', 'bad.json', '--json']],
    [4, ['list', '--url', 'http://127.0.0.1:9']],
    [5, ['recall', 'x', '--limit', '0', '--json']],
  ])(
    '%i is what the process ends with; it says the same as within another process, without colours, and loads no store: %j %j',
    async (code, args, env = {}) => {
      await writeFile(join(cli.cwd, 'bad.json'), '{ "search": { "limit": 1000 } }');
      const [ran, same] = [await watched(args, env), await cli.run(args)];
      expect(ran).toMatchObject({ code, stdout: same.stdout, stderr: same.stderr, loadedStore: false });
      expect(same).toMatchObject({ code, stderr: expect.not.stringContaining('\u001b[') });
    },
  );

  it.each([
    ['an unknown command', ['sav', 'text'], 'There is no command `sav`. Did you mean save?'],
    ['an unknown topic', ['bakup', 'list'], 'There is no command `bakup`. Did you mean backup?'],
    ['help for an unknown command', ['recal', '--help'], 'There is no command `recal`. Did you mean recall?'],
    ['an unknown command of a topic', ['auth', 'generate-kye'], 'Did you mean auth generate-key?'],
    ['an unknown flag', ['config', '--sorces'], 'Unknown flag --sorces. Did you mean --sources?'],
    ['a flag of a command before it', ['--limit', '3', 'recall', 'x'], 'error: --limit must come after the command.'],
    ['a missing argument', ['recall'], 'query is required.'],
    ['a missing query', ['explain', ID], 'query is required.'],
    ['several missing arguments', ['relate'], 'source, type and target are required.'],
    ['an argument too many', ['stats', 'extra'], 'Unexpected argument for `lore stats`: extra'],
    ['a flag without its value', ['list', '--tag'], 'Flag --tag expects a value'],
    [
      'flags that exclude each other',
      ['save', 'x', '--global', '--namespace', 'n'],
      'error: --namespace and --global cannot be used together.',
    ],
    ['a flag without the one that it belongs to', ['doctor', '--probes', '3'], 'error: --probes needs --recall.'],
    ['a wrong use', ['auth', 'revoke'], 'hint: See `lore auth revoke --help`.'],
  ])('is 1 for %s', async (_case, args, reason) => {
    const { code, stdout, stderr } = await cli.run(args);
    expect(stderr).toContain(reason);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error: .+\nhint: .+\n$/);
  });

  it.each([
    ['a choice that there is not', ['completion', 'tcsh'], 'Unknown value tcsh: choose one of bash, fish, zsh.'],
    ['a name that no backup can have', ['backup', 'verify', 'nope'], 'error: name must be the name of a backup'],
    ['one that none can be restored by', ['backup', 'restore', 'nope', '--yes'], 'error: name must be the name of a backup'],
  ])('is 5 for %s', async (_case, args, reason) => {
    expect(await cli.run(args)).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining(reason) });
  });

  it('is 2 for a missing file', async () => {
    const { code, stderr } = await cli.run(['config', '--config', 'nowhere.json']);
    expect(code).toBe(2);
    expect(stderr).toContain('does not exist');
  });

  it('is 3 for an invalid configuration from any source', async () => {
    const cwd = join(cli.cwd, 'bad');
    await mkdir(cwd);
    await writeFile(join(cwd, 'lore.config.json'), '{ "search": { "limit": 1000 }, "sorage": {} }');
    const file = await cli.run(['config', '--validate'], { cwd });
    expect(file).toMatchObject({ code: 3, stdout: '' });
    expect(file.stderr).toContain('search.limit');
    expect(file.stderr).toContain('Did you mean storage?');
    const variable = await cli.run(['list'], { env: { SERVICE_PORT: 'high' } });
    expect(variable.code).toBe(3);
    expect(variable.stderr).toContain('SERVICE_PORT');
  });

  it('is 4 for an unreachable server', async () => {
    const { code, stderr } = await cli.run(['list', '--url', 'http://127.0.0.1:9']);
    expect(code).toBe(4);
    expect(stderr).toContain('http://127.0.0.1:9 cannot be reached');
  });

  it.each([
    ['an invalid port number', ['serve', '--port', '65536'], '--port must be at most 65535.'],
    ['a port that is no number', ['serve', '--port', 'http'], '--port must be a number.'],
    ['a limit out of range', ['recall', 'x', '--limit', '101'], '--limit must be at most 100.'],
    ['half a result', ['search', 'x', '--limit', '1.5'], '--limit must be a whole number.'],
    ['a mode that does not exist', ['search', 'x', '--mode', 'fuzzy'], '--mode must be one of vector, keyword, hybrid.'],
    ['a moment that is none', ['search', 'x', '--after', 'yesterday'], '--after must be an ISO 8601 date or time.'],
    ['an importance out of range', ['search', 'x', '--min-importance', '2'], '--min-importance must be at most 1.'],
    ['an empty query', ['recall', ' '], 'query must not be blank.'],
    ['a score out of range', ['recall', 'x', '--min-score', '1.5'], '--min-score must be at most 1.'],
    ['a score that is no number', ['search', 'x', '--min-score', 'high'], '--min-score must be a number.'],
    ['an explained moment that is none', ['explain', ID, 'x', '--before', 'later'], '--before must be an ISO 8601 date or time.'],
    ['an empty tag', ['save', 'x', '--tag', ''], '--tag must not be empty.'],
    ['control characters in a namespace', ['list', '--namespace', 'a\u0007b'], '--namespace must not contain control characters.'],
    ['an address that is none', ['list', '--url', 'localhost'], 'is not an http or https address'],
  ])('is 5 for %s', async (_case, args, reason) => {
    const { code, stdout, stderr } = await cli.run(args);
    expect(stderr).toContain(reason);
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  });
});

describe('errors under --json', () => {
  it.each([
    ['behind the command', ['recall', 'x', '--limit', '0', '--json']],
    ['before the command', ['--json', 'recall', 'x', '--limit', '0']],
  ])('are one object on stdout with the flag %s', async (_case, args) => {
    const result = await cli.run(args);
    expect(result).toMatchObject({ code: 5, stderr: '' });
    expect(result.json()).toEqual({ success: false, error: '--limit must be at least 1.', code: 'INVALID_REQUEST', exitCode: 5 });
  });

  it('are objects for unknown commands too', async () => {
    const result = await cli.run(['--json', 'recal', 'x']);
    expect(result.code).toBe(1);
    expect(result.json()).toMatchObject({ success: false, code: 'USAGE', error: 'There is no command `recal`. Did you mean recall?' });
  });
});

describe('global flags', () => {
  it('show the causes of an error with --verbose, before and after the command', async () => {
    const runs = await Promise.all([
      cli.run(['--verbose', 'list', '--url', 'http://127.0.0.1:9']),
      cli.run(['list', '--url', 'http://127.0.0.1:9', '--verbose']),
    ]);
    for (const { code, stderr } of runs) {
      expect(code).toBe(4);
      expect(stderr).toMatch(/caused by: LoreError: .+[\s\S]+caused by: TypeError: fetch failed/);
    }
    const { stderr } = await cli.run(['list', '--url', 'http://127.0.0.1:9']);
    expect(stderr).not.toContain('caused by');
  });

  it('print colours on request', async () => {
    expect((await cli.process(['recall'], { env: { FORCE_COLOR: '1' } })).stderr).toContain('\u001b[');
  });
});

describe('starting the program', () => {
  it('loads the store for a command that opens it', async () => {
    expect(await watched(['list'])).toMatchObject({ code: 0, loadedStore: true });
  });

  it('without dist/ prints one line with the remedy', async () => {
    const root = join(cli.home, 'unbuilt');
    await mkdir(join(root, 'bin'), { recursive: true });
    await writeFile(join(root, 'package.json'), '{ "type": "module" }');
    const script = join(root, 'bin', 'run.js');
    for (const name of ['run.js', 'package.json']) await copyFile(new URL(`../../bin/${name}`, import.meta.url), join(root, 'bin', name));
    const { status, stderr } = spawnSync(process.execPath, [script, 'list'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'Lore is not built yet: run `npm run build` first.\n' });
  });
});
