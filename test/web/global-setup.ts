import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder that the first browser test of a run builds the pages into, for all of them. */
    readonly pagesFolder: string;
  }
}

/** Runs once before all tests: the browser tests never skip, so there must be a browser. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureChromium();
  const folder = await mkdtemp(join(tmpdir(), 'lore-pages-'));
  project.provide('pagesFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
