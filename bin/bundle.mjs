import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

// Bundles what `npm run build` has compiled: the command line in few files (docs/adr/0026): of a short command, most of the time went into finding and reading some hundred small ones.

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
/** What has native parts or files of its own beside it, and what is large and seldom needed: loaded from node_modules when it is needed. */
const EXTERNAL = /^(?:@lancedb\/|apache-arrow|onnxruntime-node|@opentelemetry\/|prom-client|pino|mammoth|unpdf|turndown)/;

/** Of LanceDB's package: for those who work on it, and the licences of its native part, which is a package of its own. */
const UNREAD = /\.map$|(?:AGENTS|CONTRIBUTING|README)\.md$|RUST_THIRD_PARTY_LICENSES\.html$|pnpm-workspace\.yaml$/;

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

/** What the MCP package checks the forms with that a server shows to people, 300 kB read at each start of `lore mcp`: Lore shows none. */
const noForms = {
  name: 'no-forms',
  /** @type {(id: string) => string | undefined} */
  resolveId: (id) => (id === '@modelcontextprotocol/server/_shims' ? id : undefined),
  /** @type {(id: string) => string | undefined} */
  load: (id) =>
    id === '@modelcontextprotocol/server/_shims'
      ? `export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}`
      : undefined,
};

const at = (path) => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));
const bundle = await rolldown({
  input: {
    main: at('cli/main.js'),
    commands: at('cli/commands.js'),
    'unknown-command': at('cli/unknown-command.js'),
    help: at('cli/help.js'),
    'local-child': at('embeddings/local-child.js'),
  },
  platform: 'node',
  external: EXTERNAL,
  // Without it a package in two forms comes in the one that bundlers cannot follow.
  resolve: { mainFields: ['module', 'main'] },
  plugins: [noForms, ownAddress],
});
await bundle.write({
  dir: at('program'),
  cleanDir: true,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
await bundleHook();

await copyLanceDb();

/**
 * `lore hook`, as CommonJS: a client waits for each of its hooks, and loading ES modules costs more than a hook does (docs/adr/0047): Node's loader, and
 * every export of a built-in module that is read, standard input among them.
 */
async function bundleHook() {
  const hook = await rolldown({ input: { hook: at('hooks/arguments.js') }, platform: 'node', resolve: { mainFields: ['module', 'main'] } });
  await hook.write({ dir: at('program'), format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'hook-[name]-[hash].cjs' });
  await hook.close();
}

/**
 * Puts LanceDB's JavaScript where the modules of dist/ find it first, without the optional dependencies that Lore does not use: `overrides` do not count in
 * a package that others install. Its native part is a dependency of Lore.
 */
async function copyLanceDb() {
  const from = join(dirname(createRequire(import.meta.url).resolve('@lancedb/lancedb')), '..');
  const to = at('node_modules/@lancedb/lancedb');
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true, filter: (path) => !UNREAD.test(path) });
  const manifest = /** @type {Record<string, unknown>} */ (JSON.parse(await readFile(join(from, 'package.json'), 'utf8')));
  for (const field of ['optionalDependencies', 'devDependencies', 'scripts']) delete manifest[field];
  await writeFile(join(to, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
