import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';

const AZURITE = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js');
const STOP_MS = 5_000;

/** Runs once before the tests of this project: starts an emulator of Azure's object storage, and stops it at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'lore-azurite-'));
  const flags = ['--blobPort', '0', '--location', folder, '--silent', '--skipApiVersionCheck', '--disableTelemetry'];
  const azurite = spawn(process.execPath, [AZURITE, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async (): Promise<void> => {
    await stopChild(azurite);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    project.provide('azuritePort', await portOf(azurite));
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** It chooses a free port and says which. */
async function portOf({ stdout }: ChildProcess): Promise<number> {
  if (stdout === null) throw new Error('Azurite has no output.');
  for await (const line of createInterface(stdout)) {
    const port = /listens on http:\/\/[^:]+:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    stdout.resume();
    return Number(port);
  }
  throw new Error('Azurite ended before it listened.');
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
