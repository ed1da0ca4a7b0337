import { describe, expect, it } from 'vitest';
import {
  commandName,
  errorIn,
  isReadOnlyCommand,
  isRemedy,
  lastingOutcome,
  looksFailed,
  toolKind,
} from '../../../src/memory/capture/capture-commands.ts';

describe('tools', () => {
  it.each([
    ['own', 'mcp__lore__memory_recall', ''],
    ['own', 'memory_save', ''],
    ['own', 'Bash', 'lore recall "deploy"'],
    ['own', 'Bash', 'cd x && node /opt/lore/bin/run.js list'],
    ['shell', 'Bash', 'npm test'],
    ['shell', 'run_terminal_cmd', 'ls'],
    ['shell', 'Bash', 'grep explore README.md'],
    ['edit', 'MultiEdit', 'src/a.ts'],
    ['other', 'mcp__issues__get', ''],
    ['other', 'explorer', ''],
  ])('are %s: %s %s', (kind, tool, input) => {
    expect(toolKind(tool, input)).toBe(kind);
  });
});

describe('commands', () => {
  it('are compared without folder, variables and pipes', () => {
    expect(commandName('cd /a/b && NODE_ENV=test  npm test 2>&1 | tail -20')).toBe('npm test');
    expect(commandName('bash -lc npm test')).toBe('npm test');
  });

  it.each(['ls -la', 'git status', 'cat x', 'kubectl get pods'])('are read-only: %s', (command) =>
    expect(isReadOnlyCommand(command)).toBe(true),
  );
  it.each(['npm test', 'git commit -m x', 'catalog sync'])('change something: %s', (command) =>
    expect(isReadOnlyCommand(command)).toBe(false),
  );

  it.each([
    'FAIL test/a.test.ts\nTests: 1 failed, 3 passed',
    'npm ERR! code ELIFECYCLE',
    'Traceback (most recent call last):\n  File "x"\nValueError: no',
    "src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
    'Error: connect ECONNREFUSED 127.0.0.1:5432',
    'make: *** [all] Error 2',
  ])('that failed are recognised by their output: %s', (output) => expect(looksFailed(output)).toBe(true));
  it.each(['Tests: 0 failed, 12 passed', '12 passed in 3s', '0 errors, 3 warnings', 'found 0 vulnerabilities', ''])(
    'that succeeded: %s',
    (output) => expect(looksFailed(output)).toBe(false),
  );

  it('have the output lines that explain the failure', () => {
    const output =
      "\u001b[31mFAIL\u001b[0m test/a.test.ts\n\n  Error: Cannot find module 'x'\n    at load (node:internal:1)\n    at run (a.ts:1)\n";
    expect(errorIn(output)).toBe("Error: Cannot find module 'x'");
    expect(errorIn('one\nlast words')).toBe('last words');
    expect(errorIn(' \n')).toBeUndefined();
  });

  it('with a lasting effect leave a line', () => {
    expect(lastingOutcome('make deploy-prod', 'Pushing\nDeployed shop v1.4.2 to eu-1\n')).toBe(
      'Deployed: `make deploy-prod` succeeded. Deployed shop v1.4.2 to eu-1',
    );
    expect(lastingOutcome('pnpm add -D vitest', '')).toBe('Added a dependency: `pnpm add -D vitest` succeeded.');
    expect(lastingOutcome('git commit -m "fix(cart): sum prices as integers"', '')).toBe('Committed: fix(cart): sum prices as integers');
    expect(lastingOutcome('git commit -m "$(cat <<\'EOF\'\nfeat: sum prices as integers\n\n🤖 Generated\nEOF\n)"', '')).toBe(
      'Committed: feat: sum prices as integers',
    );
  });

  it.each([
    'npm test',
    'ls',
    'npm install',
    'terraform plan',
    'helm upgrade x y --dry-run',
    'git commit -m wip',
    'git push',
    'npm run build',
  ])('without a lasting effect leave none: %s', (command) => expect(lastingOutcome(command, 'Deployed something')).toBeUndefined());
});

describe('a failure that was fixed', () => {
  it.each([
    ['a command', 'FAIL', ['`npm install zod`']],
    ['an edit, where the failure names its cause', "Error: Cannot find module 'zod'", ['editing load.ts']],
    ['an edit of what did not compile', 'ld: undefined symbol: sum', ['editing sum.c']],
  ])('is captured with its fix by %s', (_, error, steps) => {
    expect(isRemedy({ error }, steps)).toBe(true);
  });

  it.each(['FAIL', 'AssertionError: 3 != 4', 'E       assert 12 == 14', 'expected: <4> but was: <3>'])(
    'is not captured if a test was edited until it passed: %s',
    (error) => {
      expect(isRemedy({ error }, ['editing sum.ts'])).toBe(false);
    },
  );
});
