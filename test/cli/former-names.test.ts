import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

let cli: CliInProcess;
let ids: string[];
beforeAll(async () => {
  cli = await openCliInProcess();
  ids = [];
  for (const [text, namespace] of [
    ['The heron nests by the pier', 'north'],
    ['The heron flies south in October', 'south'],
  ] as const)
    ids.push((await cli.run(['save', text, '-n', namespace])).stdout.trim());
  await cli.run(['relate', ids[1]!, 'elaborates', ids[0]!]);
});
afterAll(() => cli[Symbol.asyncDispose]());

const idOf = (nth: number): string => ids[nth]!;

describe('an old command name', () => {
  it.each([
    ['search heron --limit 5', 'recall heron --all --limit 5'],
    ['search heron -n north', 'recall heron --all -n north'],
    ['related ID --depth 2', 'relations ID --entries --depth 2'],
    ['graph --all', 'relations --graph --all'],
    ['graph --seed ID --dot', 'relations ID --graph --dot'],
    ['verify', 'doctor --verify'],
    ['compact --dry-run', 'archive compact --dry-run'],
    ['restore --since 2026-01-01 --dry-run', 'archive restore --since 2026-01-01 --dry-run'],
  ])('runs the current command: %s', async (former, present) => {
    const args = (line: string): string[] => line.split(' ').map((word) => (word === 'ID' ? idOf(0) : word));
    const [before, now] = [await cli.run(args(former)), await cli.run(args(present))];
    expect(before.code).toBe(0);
    expect(before.stdout).toBe(now.stdout);
    expect(now.stdout).not.toBe('');
  });

  it('is not listed, and does not shadow the current name', async () => {
    const help = (await cli.run(['--help'])).stdout;
    const hidden = Object.entries(COMMANDS).flatMap(([id, command]) => (command.hidden ? [id] : []));
    expect(hidden.filter((id) => help.includes(`\n  ${id} `))).toEqual([]);
    await cli.run(['status']);
    expect((await cli.run(['doctor', '--help'])).stdout).toContain('$ lore doctor ');
  });

  it('shows the overall state, like `doctor --status`', async () => {
    const [before, now] = [await cli.run(['status']), await cli.run(['doctor', '--status'])];
    expect(before.stdout).toContain('2 entries');
    expect(now.stdout.split('\n').slice(0, 4)).toEqual(before.stdout.split('\n').slice(0, 4));
  });
});

describe('flags that need one another', () => {
  it.each([
    ['relations --entries', 'Name the entry'],
    ['relations --depth 2', '--depth needs --entries or --graph'],
    ['relations --dot', '--graph'],
    ['recall heron --all --no-global', '--all'],
    ['doctor --status --verify', '--verify'],
  ])('report it: %s', async (line, said) => {
    const { code, stderr } = await cli.run(line.split(' '));
    expect(code).toBe(1);
    expect(stderr).toContain(said);
  });
});
