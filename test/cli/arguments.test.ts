import { describe, expect, it } from 'vitest';
import { arrangeArguments } from '../../src/cli/flags/arguments.ts';

const arranged = (line: string): string => arrangeArguments(line.split(' ').filter((word) => word !== '')).argv.join(' ');

describe('arrangeArguments', () => {
  it.each([
    ['--verbose list', 'list --verbose'],
    ['--json --no-color list --all', 'list --json --no-color --all'],
    ['--config lore.json save text -t a', 'save text --config lore.json -t a'],
    ['--config=lore.json list', 'list --config=lore.json'],
    ['--url http://127.0.0.1:7007 stats', 'stats --url http://127.0.0.1:7007'],
    ['--json auth generate-key --name x', 'auth generate-key --json --name x'],
  ])('moves global flags after the command: %s', (given, expected) => {
    expect(arranged(given)).toBe(expected);
  });

  it('keeps everything after -- unchanged', () => {
    expect(arranged('--verbose save -- --json')).toBe('save --verbose -- --json');
  });

  it('leaves flags after the command in place', () => {
    expect(arranged('list --all --verbose')).toBe('list --all --verbose');
  });

  it('keeps --version and --help first and drops global flags without a command', () => {
    expect(arranged('--no-color --version')).toBe('--version');
    expect(arranged('--verbose --help')).toBe('--help');
    expect(arranged('--verbose')).toBe('');
    expect(arranged('')).toBe('');
  });

  it('reads `help command` as `command --help`', () => {
    expect(arranged('help save')).toBe('save --help');
    expect(arranged('help auth list')).toBe('auth list --help');
    expect(arranged('help')).toBe('--help');
  });

  it('finds global flags anywhere before --', () => {
    expect(arrangeArguments(['list', '--no-color', '--json'])).toMatchObject({ noColor: true, json: true, verbose: false });
    expect(arrangeArguments(['save', '--', '--no-color', '--verbose'])).toMatchObject({ noColor: false, verbose: false });
  });
});
