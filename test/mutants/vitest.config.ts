import { defineConfig } from 'vitest/config';

// As in test/vitest.config.ts: read before the native store loads.
process.env['LANCE_CPU_THREADS'] ??= '8';
process.env['LANCEDB_LOG'] ??= 'error';
process.env['LANCE_DEFAULT_BATCH_SIZE'] ??= '1024';

/** Vitest as Stryker starts it, in a copy of the project: the tests of one source alone (targets.mjs). */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: (process.env['LORE_MUTANT_TESTS'] ?? '').split(','),
    setupFiles: ['test/faults/unhandled-guard.ts'],
    restoreMocks: true,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
