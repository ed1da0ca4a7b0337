import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// The pages run under `default-src 'self'`: nothing may be inline, neither a script nor an asset as a data: address.
export default defineConfig({
  root: here('.'),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // What the client does in Node alone is left out.
  define: { 'globalThis.process': 'undefined' },
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome123', 'firefox121', 'safari17.5'],
    rolldownOptions: { input: [here('index.html'), here('docs.html')] },
  },
});
