import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

// Bundles what `npm run build` has compiled: the command line in few files (docs/adr/0026): of a short command, most of the time went into finding and reading some hundred small ones.

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
/** What has native parts or files of its own beside it, and what is large and seldom needed: loaded from node_modules when it is needed. */
const EXTERNAL = /^(?:@lancedb\/|apache-arrow|@xenova\/|@opentelemetry\/|prom-client|pino|mammoth|unpdf|turndown|open$)/;

/** A module finds files by where it lies in dist/, which is one folder above its bundle. */
const ownAddress = {
  name: 'own-address',
  /** @type {(code: string, id: string) => { code: string, map: null } | undefined} */
  transform(code, id) {
    if (!id.startsWith(DIST) || !code.includes('import.meta.url')) return undefined;
    const own = `new URL('../${relative(DIST, id).replaceAll('\\', '/')}', import.meta.url).href`;
    return { code: code.replaceAll(/(?<=createRequire\(|new URL\('[^']*', )import\.meta\.url(?=\))/g, own), map: null };
  },
};

const at = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));
const bundle = await rolldown({
  input: {
    main: at('cli/main.js'),
    commands: at('cli/commands.js'),
    'unknown-command': at('cli/unknown-command.js'),
    hook: at('hooks/arguments.js'),
  },
  platform: 'node',
  external: EXTERNAL,
  // Without it a package in two forms comes in the one that bundlers cannot follow.
  resolve: { mainFields: ['module', 'main'] },
  plugins: [ownAddress],
});
await bundle.write({
  dir: at('program'),
  cleanDir: true,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
