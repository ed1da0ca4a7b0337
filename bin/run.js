#!/usr/bin/env node
/// <reference types="node" />
// CommonJS (bin/package.json): a client waits for its hooks, and loading ES modules takes longer than a hook runs.

// Both must be set before the native store loads: unset, it can deadlock on two cores.
process.env.LANCE_CPU_THREADS ??= '8';
process.env.LANCEDB_LOG ??= 'error';
// Rows per batch when LanceDB merges: a tenth of the memory at the same speed (docs/performance.md).
process.env.LANCE_DEFAULT_BATCH_SIZE ??= '1024';
// Files that Lore writes are readable by this user only.
process.umask(0o077);

void start(process.argv.slice(2));

/** @param {string[]} argv */
async function start(argv) {
  if (argv[0] === 'hook') await runHook(argv.slice(1));
  // The demo leaves nothing on the machine.
  if (argv[0] !== 'demo') await cacheCompiledCode();
  const { existsSync } = require('node:fs');
  const path = require('node:path');
  const { pathToFileURL } = require('node:url');
  const root = path.join(__dirname, '..');
  const main = path.join(root, 'dist/program/main.js');
  if (!existsSync(main)) {
    process.stderr.write('Lore is not built yet: run `npm run build` first.\n');
    process.exit(1);
  }
  /** @typedef {{ runCommandLine: (options: { argv: string[], root: string }) => Promise<void> }} Main */
  const { runCommandLine } = /** @type {Main} */ (await import(pathToFileURL(main).href));
  await runCommandLine({ argv, root });
}

/**
 * Lets Node (from 22.8 on) keep compiled code between starts. Not in its default folder: in a shared folder for temporary files, other users
 * could put code there.
 */
async function cacheCompiledCode() {
  /** @type {{ enableCompileCache?: (folder: string) => unknown }} */
  const { enableCompileCache } = require('node:module');
  if (enableCompileCache === undefined) return;
  try {
    const { default: envPaths } = await import('env-paths');
    enableCompileCache(require('node:path').join(envPaths('lore', { suffix: '' }).cache, 'compiled'));
  } catch {
    // A user without a home.
  }
}

/**
 * Runs a hook without the command framework and exits the process; returns only for `--help`. A hook must not fail.
 * @param {string[]} argv
 */
async function runHook(argv) {
  try {
    /** @typedef {{ runHookCommand: (argv: readonly string[]) => Promise<void> }} Hooks */
    const { runHookCommand } = /** @type {Hooks} */ (require('../dist/program/hook.cjs'));
    await runHookCommand(argv);
  } catch {
    process.exit(0);
  }
}
