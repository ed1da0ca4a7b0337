import { defineConfig } from 'vitest/config';

// Both must be in the environment before the native LanceDB module loads: unset, LanceDB deadlocks on two cores (docs/adr/0003).
process.env['LANCE_CPU_THREADS'] ??= '8';
process.env['LANCEDB_LOG'] ??= 'error';
process.env['LANCE_DEFAULT_BATCH_SIZE'] ??= '1024';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    projects: [
      {
        extends: true,
        test: {
          name: 'lore',
          include: ['test/**/*.test.ts'],
          exclude: ['test/azure/**'],
          globalSetup: ['test/helpers/global-setup.ts', 'test/web/global-setup.ts'],
        },
      },
      // On an emulator of object storage, which is started for these alone. What speaks HTTP runs there a second time, less what needs a folder.
      {
        extends: true,
        test: {
          name: 'azure',
          include: ['test/azure/**/*.test.ts', 'test/http/**/*.test.ts'],
          exclude: ['test/http/backups.test.ts'],
          globalSetup: ['test/azure/global-setup.ts'],
        },
      },
    ],
    setupFiles: ['test/faults/unhandled-guard.ts'],
    // The native store and forked children want a process of their own per file. A third of their time they wait for a disk, a page or a pause, so two
    // cores have work for three.
    pool: 'forks',
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    restoreMocks: true,
  },
});
