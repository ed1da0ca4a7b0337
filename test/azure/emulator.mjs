// Azurite, the emulator of Azure's object storage, in a process of its own: for the tests and for what is measured.
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { installOnce } from '../helpers/install-once.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const STOP_MS = 5_000;
/** The account that every emulator has; its key is public. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

const endpointOf = (port) => `http://127.0.0.1:${port}/${ACCOUNT}`;

let installing;

/** The program of Azurite, installed first where it is missing. */
async function azurite() {
  await (installing ??= installOnce(HERE));
  return createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js');
}

/**
 * Starts it on a free port, with what it keeps in `folder`, which `stop` leaves as it is, or in its memory where none is named: it writes the list of all
 * that it keeps every few seconds, which takes longer the more there is. `onRequest` is told of each request that it answered, as a line of
 * its log.
 */
export async function startEmulator(folder, { onRequest } = {}) {
  const place = folder === undefined ? ['--inMemoryPersistence'] : ['--location', folder];
  const flags = ['--blobPort', '0', ...place, '--skipApiVersionCheck', '--disableTelemetry'];
  // Else it writes a line for each request.
  if (onRequest === undefined) flags.push('--silent');
  const child = spawn(process.execPath, [await azurite(), ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    return { pid: child.pid, port: await portOf(child.stdout, onRequest), stop: () => stopChild(child) };
  } catch (error) {
    await stopChild(child);
    throw error;
  }
}

/** What LanceDB needs to reach the emulator at a port. */
export function optionsAt(port) {
  return {
    azure_storage_account_name: ACCOUNT,
    azure_storage_account_key: KEY,
    // With `azure_storage_use_emulator` instead, the port could only be named in the environment.
    azure_storage_endpoint: endpointOf(port),
    allow_http: 'true',
  };
}

/** A request for a container of the emulator at a port, such as PUT with { restype: 'container' }: the body of the answer. `query` is in alphabetical order. */
export async function askContainer(port, { method, name, query }) {
  const response = await fetch(`${endpointOf(port)}/${name}?${new URLSearchParams(query).toString()}`, {
    method,
    headers: signed(method, name, query),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`Azurite refused ${method} of the container: ${response.status} ${body}`);
  return body;
}

/** Headers as Azure's "Shared Key" wants them signed. */
function signed(method, container, query) {
  const stamp = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2023-11-03' };
  const lines = (values) => Object.entries(values).map(([name, value]) => `${name}:${value}`);
  // Of the standard headers of which the values come first, these requests have none.
  const standard = Array.from({ length: 11 }, () => '');
  const text = [method, ...standard, ...lines(stamp), `/${ACCOUNT}/${ACCOUNT}/${container}`, ...lines(query)].join('\n');
  const signature = createHmac('sha256', Buffer.from(KEY, 'base64')).update(text).digest('base64');
  return { ...stamp, authorization: `SharedKey ${ACCOUNT}:${signature}` };
}

/** It chooses a free port and says which. */
function portOf(stdout, onRequest) {
  return new Promise((resolve, reject) => {
    const lines = createInterface(stdout);
    lines.on('line', (line) => {
      const port = /listens on http:\/\/[^:]+:(\d+)/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
      else if (/"[A-Z]+ \/\S* HTTP\//.test(line)) onRequest?.(line);
    });
    lines.once('close', () => reject(new Error('Azurite ended before it listened.')));
  });
}

async function stopChild(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
