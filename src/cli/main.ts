import { arrangeArguments } from './arguments.ts';
import { endWithReader, leaving } from './leaving.ts';

/**
 * Runs one command line and ends the process with its exit code. Never rejects. oclif is loaded late, because it and its colour
 * libraries read NO_COLOR while they load.
 */
export async function runCommandLine(options: { argv: readonly string[]; root: string }): Promise<void> {
  const { argv, noColor, json, verbose } = arrangeArguments(options.argv);
  if (noColor) process.env['NO_COLOR'] = '1';
  endWithReader();
  const { run, settings } = await import('@oclif/core');
  // The commands always come from dist/: without this, NODE_ENV=development makes oclif look for a TypeScript loader.
  settings.enableAutoTranspile = false;
  // What a command waits for at its end may hang on a child process that does not keep this one alive.
  setInterval(() => {}, 2 ** 30);
  try {
    await run(argv, options.root);
  } catch (error) {
    const { reportFailure } = await import('./failure.ts');
    process.exitCode = reportFailure(error, { json, verbose });
  }
  await leaving();
  await new Promise((resolve) => process.stdout.write('', resolve));
  process.exit();
}
