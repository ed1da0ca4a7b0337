import { userInfo } from 'node:os';
import { arrangeArguments } from './flags/arguments.ts';
import { endWithReader, runningShutdown } from './shutdown.ts';

/** A command line, and the folder of package.json. */
interface CommandLine {
  readonly argv: readonly string[];
  readonly root: string;
}

/** Runs one command line and ends the process with its exit code. Never rejects. */
export async function runCommandLine(line: CommandLine): Promise<void> {
  endWithReader();
  // A child process that does not keep this one alive may still hold its output.
  setInterval(() => {}, 2 ** 30);
  await runCommand(line);
  await runningShutdown();
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit();
}

/**
 * Runs one command line, prints errors and sets the exit code; does not end the process. Never rejects. oclif is loaded late, because it
 * and its colour libraries read NO_COLOR while they load.
 */
export async function runCommand(line: CommandLine): Promise<void> {
  const { argv, noColor, json, verbose, misplaced } = arrangeArguments(line.argv);
  if (noColor) {
    process.env['NO_COLOR'] = '1';
    // Node warns of the one that it ignores.
    delete process.env['FORCE_COLOR'];
  }
  nameAccount();
  const { run, settings } = await import('@oclif/core');
  // The commands always come from dist/: without this, NODE_ENV=development makes oclif look for a TypeScript loader.
  settings.enableAutoTranspile = false;
  try {
    if (misplaced !== undefined) await refuseMisplaced(misplaced);
    await run(argv, line.root);
  } catch (error) {
    const { reportFailure } = await import('./failure.ts');
    process.exitCode = reportFailure(error, { json, verbose });
  }
}

async function refuseMisplaced(flag: string): Promise<never> {
  const { UsageError } = await import('./failure.ts');
  throw new UsageError(
    `${flag} must come after the command.`,
    'Only --json, --verbose, --no-color, --config and --url may come before it.',
  );
}

/** Gives a user without an account (`docker run --user 12345`) a shell and a home, without which oclif fails. */
function nameAccount(): void {
  try {
    userInfo();
  } catch {
    process.env['SHELL'] ??= '/bin/sh';
    process.env['HOME'] ??= '/';
  }
}
