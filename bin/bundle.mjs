import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

// Bundles the compiled command line into few files (docs/adr/0026): a short command spent most of its time on reading hundreds of small ones.

const DIST = fileURLToPath(new URL('../dist', import.meta.url));
/** Packages that stay in node_modules: those with native parts or data files, and large ones that are seldom needed. */
const EXTERNAL = /^(?:@lancedb\/|apache-arrow|onnxruntime-node|@opentelemetry\/|prom-client|pino|mammoth|unpdf|turndown)/;

/** Files of LanceDB's package that are not copied: development files, and the licences of its native part, which is a separate package. */
const UNREAD = /\.map$|(?:AGENTS|CONTRIBUTING|README)\.md$|RUST_THIRD_PARTY_LICENSES\.html$|pnpm-workspace\.yaml$/;

/** Modules find files relative to their place in dist/, which is one folder above the bundle. */
const ownAddress = {
  name: 'own-address',
  /** @type {(code: string, id: string) => { code: string, map: null } | undefined} */
  transform(code, id) {
    if (!id.startsWith(DIST) || !code.includes('import.meta.url')) return undefined;
    const own = `new URL('../${relative(DIST, id).replaceAll('\\', '/')}', import.meta.url).href`;
    return { code: code.replaceAll(/(?<=createRequire\(|new URL\('[^']*', )import\.meta\.url(?=\))/g, own), map: null };
  },
};

/** The MCP package's validator of forms for users: 300 kB read at each start of `lore mcp`. Lore shows no forms. */
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
  // Prefers the ES module build of a package: the bundler cannot follow the imports of the other.
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
 * `lore hook`, as CommonJS: a client waits for each hook, and loading ES modules takes longer than the hook itself (docs/adr/0047): it loads Node's
 * module loader and reads every export of built-in modules, including standard input.
 */
async function bundleHook() {
  const hook = await rolldown({ input: { hook: at('hooks/arguments.js') }, platform: 'node', resolve: { mainFields: ['module', 'main'] } });
  await hook.write({ dir: at('program'), format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'hook-[name]-[hash].cjs' });
  await hook.close();
}

/**
 * Copies LanceDB's JavaScript to where the modules of dist/ find it first, without the optional dependencies that Lore does not use: npm ignores
 * `overrides` in an installed package. Its native part is a dependency of Lore.
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
