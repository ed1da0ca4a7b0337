import { createServer } from 'node:net';
import type { Finding } from './checkup.ts';

/** State of the port on which `lore serve` listens. */
export interface PortCheck {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** `ours`: the server of this store; `lore`: the server of another store. */
  readonly state: 'ours' | 'free' | 'lore' | 'taken' | 'forbidden' | 'unknown';
}

const PROBE_MS = 1_000;

/** Tests the port by listening on it for a moment. `server` is the address of the server that has the store open, if there is one. */
export async function checkPort({ host, port }: { host: string; port: number }, server: string | undefined): Promise<PortCheck> {
  if (server !== undefined && Number(new URL(server).port) === port) return { host, port, state: 'ours' };
  if (port === 0) return { host, port, state: 'free' };
  const code = await faultOfListening({ host, port });
  if (code === undefined) return { host, port, state: 'free' };
  if (code === 'EACCES') return { host, port, state: 'forbidden' };
  if (code !== 'EADDRINUSE') return { host, port, state: 'unknown' };
  return { host, port, state: (await isLore({ host, port })) ? 'lore' : 'taken' };
}

function faultOfListening(place: { host: string; port: number }): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ ...place, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function isLore({ host, port }: { host: string; port: number }): Promise<boolean> {
  const name = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const response = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(PROBE_MS), redirect: 'error' });
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && 'status' in body && body.status === 'ok';
  } catch {
    return false;
  }
}

/** Findings that prevent `lore serve` from starting; none if the server of this store is running. */
export function portFindings({ host, port, state }: PortCheck, isServed: boolean): Finding[] {
  if (isServed || state === 'ours' || state === 'free') return [];
  const elsewhere = 'set server.port (SERVICE_PORT) to another one';
  const words = {
    lore: [`Port ${port} is taken by the server of another store.`, `Stop that server, or ${elsewhere}.`],
    taken: [`Port ${port} is taken by another program.`, `Stop that program, or ${elsewhere}.`],
    forbidden: [`This user may not listen on port ${port}.`, 'Set server.port (SERVICE_PORT) to one above 1023.'],
    unknown: [
      `The server cannot listen on ${host}, port ${port}.`,
      'Set server.host (SERVICE_SERVER_HOST) to an address of this machine, such as 127.0.0.1.',
    ],
  } as const;
  const [problem, fix] = words[state];
  return [{ about: 'port', problem, fix }];
}
