import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { freemem } from 'node:os';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { evidenceOf, keepCrashes } from './crash-evidence.ts';

/** Characters of a worker's error output that are stored. */
const LAST_WORDS = 2000;

/**
 * Reports how a test process ended unexpectedly: signal or exit code, last output, running tests, and the crash location. Vitest only says that a
 * worker exited, and counts its tests neither as passed nor as failed.
 */
export default class LostWorkers implements Reporter {
  readonly #ends: string[] = [];
  readonly #running = new Map<TestModule, TestCase | undefined>();

  onInit(): void {
    keepCrashes();
    subscribe('child_process', (message) => {
      const { process: child } = message as { readonly process: ChildProcess };
      // The starter adds arguments and pipes the output after this.
      setImmediate(() => {
        if (child.spawnargs.some((given) => /vitest\b.*\bworkers\b/.test(given))) this.#watch(child);
      });
    });
  }

  #watch(child: ChildProcess): void {
    let words = '';
    child.stderr?.on('data', (piece: Buffer) => (words = (words + piece.toString()).slice(-LAST_WORDS)));
    child.once('exit', (code, signal) => {
      // Vitest sends it when a worker is finished.
      if (code === 0 || signal === 'SIGTERM') return;
      const free = Math.round(freemem() / 2 ** 20);
      this.#ends.push(
        `Worker ${String(child.pid)} ended with ${signal ?? String(code)}; free memory of the machine ${free} MiB. Its last words: ${words}`,
        evidenceOf(child.pid ?? 0, process.cwd()),
      );
    });
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.set(module, undefined);
  }

  onTestCaseReady(test: TestCase): void {
    // Reported late, it may already have exited.
    if (this.#running.has(test.module)) this.#running.set(test.module, test);
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module);
  }

  onTestRunEnd(): void {
    if (this.#running.size === 0) return;
    for (const end of this.#ends) process.stderr.write(`${end}\n`);
    for (const [module, test] of this.#running)
      process.stderr.write(`${module.relativeModuleId} did not end. The last test that began in it: ${test?.fullName ?? 'none'}\n`);
  }
}
