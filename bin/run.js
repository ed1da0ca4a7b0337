#!/usr/bin/env node
/// <reference types="node" />
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Both must be set before the native store loads: unset, it can deadlock on two cores.
process.env.LANCE_CPU_THREADS ??= '8';
process.env.LANCEDB_LOG ??= 'error';
// Rows that LanceDB reads at once when it merges: a tenth of the memory for nothing slower (docs/performance.md).
process.env.LANCE_DEFAULT_BATCH_SIZE ??= '1024';
// What Lore writes is for this user only.
process.umask(0o077);

const argv = process.argv.slice(2);
// A client waits for its hooks, and whatever happens they must not fail: they go without the framework of the commands, which takes longer to load than
// they take.
if (argv[0] === 'hook') {
  /** @typedef {{ runHookCommand: (argv: readonly string[]) => Promise<void> }} Hooks */
  const hooks = /** @type {Hooks | undefined} */ (
    await import(new URL('../dist/program/hook.js', import.meta.url).href).catch(() => undefined)
  );
  if (hooks === undefined) process.exit(0);
  await hooks.runHookCommand(argv.slice(1));
}

const root = fileURLToPath(new URL('..', import.meta.url));
const main = new URL('../dist/program/main.js', import.meta.url);
if (!existsSync(main)) {
  process.stderr.write('Lore is not built yet: run `npm run build` first.\n');
  process.exit(1);
}
/** @typedef {{ runCommandLine: (options: { argv: string[], root: string }) => Promise<void> }} Main */
const { runCommandLine } = /** @type {Main} */ (await import(main.href));
await runCommandLine({ argv, root });
