import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Below this size little is saved. */
const LEAST_BYTES = 512;

/** Writes each text file once more as `.br` and `.gz`, for the server to send. */
const compressed: Plugin = {
  name: 'compressed',
  writeBundle: async ({ dir = '' }, bundle) => {
    const names = Object.keys(bundle).filter((name) => /\.(?:js|css|html)$/.test(name));
    await Promise.all(
      names.map(async (name) => {
        const file = join(dir, name);
        const content = await readFile(file);
        if (content.length < LEAST_BYTES) return;
        await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
        await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
      }),
    );
  },
};

type Graph = Rolldown.ChunkingContext;

/** The names of the modules that load this one by static imports: pages, views, and what else is loaded when it is needed. */
function loadedBy(module: string, graph: Graph): ReadonlySet<string> {
  const above = new Set([module]);
  for (const one of above) for (const importer of graph.getModuleInfo(one)?.importers ?? []) above.add(importer);
  const starts = [...above].filter((one) => {
    const { isEntry = false, dynamicImporters = [] } = graph.getModuleInfo(one) ?? {};
    return isEntry || dynamicImporters.length > 0;
  });
  return new Set(starts.map((start) => relative(here('.'), start).replaceAll('\\', '/')));
}

/**
 * The file of a module that several views share; `null` leaves it to the bundler. Each file costs about 900 bytes of headers, more than most modules
 * hold, so what the first view needs comes in few. What the first file imports is in no later one: it would wait for all of that.
 */
function sharedFile(module: string, graph: Graph): string | null {
  const by = loadedBy(module, graph);
  if (by.has('index.html')) return by.has('docs.html') ? 'base' : 'first';
  if (by.size === 1 || by.has('docs.html')) return null;
  const [isResults, isBrowse] = [by.has('src/search/results.tsx'), by.has('src/browse/browse.tsx')];
  const [isPreview, isDetails] = [by.has('src/entry/preview.tsx'), by.has('src/entry/entry-drawer.tsx')];
  if (isBrowse) return isResults || isPreview || isDetails ? 'rows' : null;
  if (isResults) return 'scores';
  return isPreview && isDetails ? 'entry' : null;
}

// The pages run under `default-src 'self'`: nothing may be inline, neither a script nor an asset as a data: address.
export default defineConfig({
  root: here('.'),
  plugins: [compressed],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // What the client does in Node alone is left out.
  define: { 'globalThis.process': 'undefined' },
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome123', 'firefox121', 'safari17.5'],
    rolldownOptions: {
      input: [here('index.html'), here('docs.html')],
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: sharedFile }],
        },
      },
    },
  },
});
