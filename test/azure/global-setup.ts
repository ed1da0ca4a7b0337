import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmulator } from './emulator.mjs';

/** Each answers one request at a time, and a store asks much: as many as there are cores on the smallest machine that runs the tests. */
const EMULATORS = 2;
/** Only Linux asks it; the emulators are tested with there. */
const DATA_HOME = 'XDG_DATA_HOME';

/**
 * Runs once before the tests of this project: starts emulators of Azure's object storage, and stops them at the end. What Lore keeps of such a store in the
 * data folder of the user goes into one that is removed with it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'lore-azurite-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const emulators = await Promise.all(Array.from({ length: EMULATORS }, () => startEmulator()));
    const ports = emulators.map(({ port }) => port);
    project.provide('azuritePorts', ports);
    // For the processes of this project alone.
    project.config.env = { ...project.config.env, [DATA_HOME]: join(folder, 'data') };
    return async () => {
      await Promise.all(emulators.map((emulator) => emulator.stop()));
      await remove();
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
