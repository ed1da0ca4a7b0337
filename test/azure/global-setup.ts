import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmulator } from './emulator.mjs';

/** Runs once before the tests of this project: starts an emulator of Azure's object storage, and stops it at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'lore-azurite-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const emulator = await startEmulator(folder);
    project.provide('azuritePort', emulator.port);
    return async () => {
      await emulator.stop();
      await remove();
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
