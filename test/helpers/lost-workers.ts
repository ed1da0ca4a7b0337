import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { freemem } from 'node:os';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { evidenceOf, keepCrashes } from './crash-evidence.ts';

/** What is kept of the errors of a worker, in characters. */
const LAST_WORDS = 2000;

/**
 * Says what Vitest does not where a process of tests ends in the middle of its work: by which signal or code, with which last words, and what ran in
 * it; of one that crashed, where it stood. Vitest only tells that some worker went, and counts the tests that it took along as neither passed nor failed.
 */
export default class LostWorkers implements Reporter {
  readonly #ends: string[] = [];
  readonly #running = new Map<TestModule, TestCase | undefined>();

  onInit(): void {
    keepCrashes();
    subscribe('child_process', (message) => {
      const { process: child } = message as { readonly process: ChildProcess };
      // Who starts it adds what it is given, and pipes its output, once this is over.
      setImmediate(() => {
        if (child.spawnargs.some((given) => /vitest\b.*\bworkers\b/.test(given))) this.#watch(child);
      });
    });
  }

  #watch(child: ChildProcess): void {
    let words = '';
    child.stderr?.on('data', (piece: Buffer) => (words = (words + piece.toString()).slice(-LAST_WORDS)));
    child.once('exit', (code, signal) => {
      // Vitest sends it when it is done with a worker.
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
    // Told late, it may be over.
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
