import { configDefaults, defineConfig } from 'vitest/config';
import LostWorkers from './helpers/lost-workers.ts';

// Both must be in the environment before the native LanceDB module loads: unset, LanceDB deadlocks on two cores (docs/adr/0003).
process.env['LANCE_CPU_THREADS'] ??= '8';
process.env['LANCEDB_LOG'] ??= 'error';
process.env['LANCE_DEFAULT_BATCH_SIZE'] ??= '1024';

/** What opens a page in a real browser. */
const BROWSER_TESTS = ['test/web/**/*.test.ts', 'test/client/browser.test.ts'];

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/helpers/global-setup.ts'],
    reporters: ['default', new LostWorkers()],
    setupFiles: ['test/faults/unhandled-guard.ts'],
    // The native store and forked children want processes, not threads. One process runs many files, so that it loads the sources, the store and the
    // browser once: each file leaves the process as it found it. A third of their time they wait for a disk, a page or a pause, so two cores have work
    // for three.
    pool: 'forks',
    isolate: false,
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'lore',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...BROWSER_TESTS, 'test/azure/**', 'test/store/shared/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: BROWSER_TESTS,
          globalSetup: ['test/web/global-setup.ts'],
          // A real browser on a machine that it shares draws a frame late now and then: that is worth one more try, not half an hour of everything.
          // Not where somebody works on a page: there a test that passes only now and then has to be seen.
          retry: process.env['CI'] === undefined ? 0 : 1,
        },
      },
      // Stores that several servers share, on an emulator of object storage that is started for these alone. What speaks HTTP runs there a second time, less
      // what needs a folder.
      {
        extends: true,
        test: {
          name: 'azure',
          include: ['test/azure/**/*.test.ts', 'test/store/shared/**/*.test.ts', 'test/http/**/*.test.ts'],
          exclude: ['test/http/backups.test.ts'],
          globalSetup: ['test/azure/global-setup.ts'],
        },
      },
    ],
    // What is waited for may be late where the machine is busy: the second that is the default is none to tell a fault by.
    expect: { poll: { timeout: 20_000 } },
  },
});
