import { createRequire } from 'node:module';
import { LoreError } from './memory/errors.ts';
import type * as StoreModule from './store/store.ts';

/** Platforms that LanceDB 0.31 has a native build for: the optional dependencies of package.json. */
const BUILDS: ReadonlySet<string> = new Set(['darwin-arm64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64']);

/** Loads the store module and LanceDB. Rejects with `unavailable` if LanceDB has no build for this platform or the build is not installed. */
export async function loadStore(): Promise<typeof StoreModule> {
  try {
    // Not with `import`: if that fails, Node also rejects an internal promise, which ends the process.
    createRequire(import.meta.url)('@lancedb/lancedb');
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Cannot find native binding')) throw withoutEngine(error);
    throw error;
  }
  return await import('./store/store.ts');
}

function withoutEngine(cause: Error): LoreError {
  const system = `${process.platform}-${process.arch}`;
  if (BUILDS.has(system)) {
    const hint = 'Install Lore again with its optional packages: `npm ci` without --omit=optional.';
    return new LoreError('unavailable', `The build of LanceDB for ${system} is not installed.`, { hint, cause });
  }
  const name = system === 'darwin-x64' ? 'macOS on Intel (darwin-x64)' : system;
  const hint = 'Run the server in a Linux container or on another machine, and name it with --url.';
  return new LoreError('unavailable', `LanceDB has no build for ${name}.`, { hint, cause });
}
