import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

let cli: CliInProcess;
let scripts: Record<'bash' | 'zsh' | 'fish', string>;
beforeAll(async () => {
  cli = await openCliInProcess();
  const printed = async (shell: string): Promise<string> => (await cli.run(['completion', shell])).stdout;
  scripts = { bash: await printed('bash'), zsh: await printed('zsh'), fish: await printed('fish') };
});
afterAll(() => cli[Symbol.asyncDispose]());

/** What bash offers at the end of a line; words as bash cuts them, `=` being a word of its own. */
function offered(...words: string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(lore ${quoted}); COMP_CWORD=${words.length}; _lore; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['--norc', '-c', `${scripts.bash}\n${ask}`], { cwd: cli.cwd, encoding: 'utf8' });
  return out.split('\n').filter((line) => line !== '');
}

describe('completion in bash', () => {
  it('offers commands and subcommands', () => {
    expect(offered('')).toEqual(expect.arrayContaining(['save', 'recall', 'auth', 'backup', 'completion', 'namespace']));
    expect(offered('rec')).toEqual(['recall']);
    expect(offered('auth', '')).toEqual(['generate-key', 'list', 'revoke']);
    expect(offered('--json', 'namespace', 'm')).toEqual(['merge', 'move']);
    expect(offered('--config', 'auth', 'aut')).toEqual(['auth']);
    expect(offered('entities', 'r')).toEqual(['rename']);
  });

  it('offers the flags of a command and their values', () => {
    expect(offered('recall', 'some words', '--mo')).toEqual(['--mode']);
    expect(offered('recall', '--mode', '')).toEqual(['vector', 'keyword', 'hybrid']);
    expect(offered('recall', '-m', 'k')).toEqual(['keyword']);
    expect(offered('recall', '--mode', '=', 'h')).toEqual(['hybrid']);
    expect(offered('recall', '--mode', '=')).toEqual(['vector', 'keyword', 'hybrid']);
    expect(offered('archive', '--reason', 'n')).toEqual([String.raw`near\ duplicate`]);
    expect(offered('recall', '--limit', '')).toEqual([]);
    expect(offered('completion', '')).toEqual(['bash', 'fish', 'zsh']);
    expect(offered('--vers')).toEqual(['--version']);
  });

  it('offers files only where a file is expected', async () => {
    await writeFile(join(cli.cwd, 'my notes.jsonl'), '');
    await mkdir(join(cli.cwd, 'my folder'));
    expect(offered('import', 'my').toSorted()).toEqual(['my folder', 'my notes.jsonl']);
    expect(offered('recall', '--config', 'my n')).toEqual(['my notes.jsonl']);
    expect(offered('recall', 'my')).toEqual([]);
  });

  it('treats special characters literally', () => {
    for (const word of ['*', '$(touch hacked)', '`touch hacked`', '"', '[a']) expect(offered('recall', word)).toEqual([]);
  });
});

describe('lore completion', () => {
  it('prints a script for each shell that names every command and writes no file', async () => {
    const before = await readdir(cli.home, { recursive: true });
    const ran = await cli.run(['completion', 'zsh', '--json']);
    expect(ran.json<{ shell: string; script: string }>()).toMatchObject({
      shell: 'zsh',
      script: expect.stringContaining('compdef _lore lore'),
    });
    expect(await readdir(cli.home, { recursive: true })).toEqual(before);
    expect(scripts.zsh).toMatch(/^#compdef lore\n/);
    expect(scripts.zsh).toContain("'recall:Find memories by a question or keywords");
    expect(scripts.fish).toContain("complete -c lore -n '__lore_at recall' -l mode -s m -r -f -a 'vector keyword hybrid'");
    for (const script of Object.values(scripts)) for (const word of ['generate-key', 'namespace', 'doctor']) expect(script).toContain(word);
  });

  it('refuses an unknown shell, and a missing one', async () => {
    expect(await cli.run(['completion', 'tcsh'])).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringContaining('bash, fish, zsh'),
    });
    expect(await cli.run(['completion'])).toMatchObject({ code: 1, stderr: expect.stringContaining('shell is required.') });
  });
});
