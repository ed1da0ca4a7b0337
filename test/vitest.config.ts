import { configDefaults, defineConfig } from 'vitest/config';
import LostWorkers from './helpers/lost-workers.ts';

// Both must be in the environment before the native LanceDB module loads: unset, LanceDB deadlocks on two cores (docs/adr/0003).
process.env['LANCE_CPU_THREADS'] ??= '8';
process.env['LANCEDB_LOG'] ??= 'error';
process.env['LANCE_DEFAULT_BATCH_SIZE'] ??= '1024';

/** Stores that several servers share, on an emulator of object storage that is started for these alone. */
const AZURE_DRILLS = [
  'test/azure/**/*.drill.ts',
  'test/store/{wal/shared,backends/object-storage}/**/*.drill.ts',
  'test/store/{compaction/backpressure,tables/kept-versions}.drill.ts',
];
/** Tests of HTTP whose answers depend on the store: they run on the emulator a second time. */
const ON_ANY_STORE =
  `bulk capture details events forms idempotency lifecycle list metrics moves openapi readiness relations save sources statistics sync transfer write-queue`
    .split(' ')
    .map((name) => `test/http/${name}.test.ts`);

/** The same test files beside one another: `.test.ts` is what everyone runs before a change goes in (`npm test`), `.drill.ts` what takes long (`npm run test:drills`). */
const inBrowser = (ending: string): string[] => [`test/web/**/*.${ending}.ts`, `test/client/browser.${ending}.ts`];

const exclude = (...more: string[]): string[] => [...configDefaults.exclude, '**/node_modules/**', ...more];

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/helpers/global-setup.ts'],
    reporters: ['default', new LostWorkers()],
    setupFiles: ['test/faults/unhandled-guard.ts', 'test/helpers/command-environment.ts', 'test/helpers/property-seed.ts'],
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
      { extends: true, test: { name: 'lore', include: ['test/**/*.test.ts'], exclude: exclude(...inBrowser('test')) } },
      { extends: true, test: { name: 'browser', include: inBrowser('test'), globalSetup: ['test/web/global-setup.ts'] } },
      {
        extends: true,
        test: {
          name: 'drills',
          include: ['test/**/*.drill.ts'],
          exclude: exclude(...inBrowser('drill'), ...AZURE_DRILLS),
          globalSetup: ['test/helpers/image-builder.ts'],
        },
      },
      { extends: true, test: { name: 'browser-drills', include: inBrowser('drill'), globalSetup: ['test/web/global-setup.ts'] } },
      {
        extends: true,
        test: {
          name: 'azure',
          include: [...AZURE_DRILLS, ...ON_ANY_STORE],
          exclude: exclude(),
          globalSetup: ['test/azure/global-setup.ts'],
        },
      },
    ],
    // What is waited for may be late where the machine is busy: the second that is the default is none to tell a fault by.
    expect: { poll: { timeout: 20_000 } },
  },
});
