import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A shorter file fits one packet either way. */
const LEAST_BYTES = 1024;

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

// Small modules that several views share. Each file costs about 800 bytes of headers, more than most of these are long.
const BASE = /\/(?:web\/src\/(?:api\/forgetting|shell\/server)|src\/memory\/vocabulary)\.tsx?$/;
const ROWS = /\/web\/src\/parts\/(?:tags|plain-text|new-pill)\.tsx?$/;
const SCORES = /\/web\/src\/(?:parts\/bar|search\/(?:score|scored|marker)|admin\/use-restoring|api\/administration)\.tsx?$/;

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
          groups: [
            { name: 'base', test: BASE },
            { name: 'rows', test: ROWS },
            { name: 'scores', test: SCORES },
          ],
        },
      },
    },
  },
});
