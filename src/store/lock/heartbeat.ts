/** Heartbeats of a process that others cannot check by its pid, because it is in another container or on another machine. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { close, open, rmSync, statSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const call = { open: promisify(open), close: promisify(close) };
const POLL_MS = 100;

/**
 * A socket in a folder on which this process listens. The kernel accepts connections exactly as long as the process lives, however it
 * ends, and also from other containers.
 */
export class Heartbeat {
  /** Name of the socket in its folder. */
  readonly name: string;
  readonly #server: Server;
  readonly #descriptor: number;

  private constructor({ name, server, descriptor }: { name: string; server: Server; descriptor: number }) {
    this.name = name;
    this.#server = server;
    this.#descriptor = descriptor;
  }

  /** Starts listening; undefined if the folder does not support sockets, as with some shared folders of virtual machines. */
  static async begin(folder: string, prefix: string): Promise<Heartbeat | undefined> {
    const name = `${prefix}.${randomBytes(4).toString('hex')}`;
    const descriptor = await call.open(folder, 'r').catch(() => undefined);
    if (descriptor === undefined) return undefined;
    const server = createServer((socket) => socket.destroy());
    try {
      // With a relative path, because the address of a socket has at most 107 characters.
      await once(server.listen(throughDescriptor(descriptor, name)), 'listening');
    } catch {
      await call.close(descriptor);
      return undefined;
    }
    server.unref();
    return new Heartbeat({ name, server, descriptor });
  }

  /** Removes the socket, even if its folder was renamed. */
  end(): void {
    this.#server.close(() => close(this.#descriptor, () => undefined));
  }
}

/** Whether the process of a socket is alive; undefined if unknown. */
export async function isSocketAlive(folder: string, name: string): Promise<boolean | undefined> {
  const descriptor = await call.open(folder, 'r').catch(() => undefined);
  if (descriptor === undefined) return undefined;
  try {
    const socket = createConnection(throughDescriptor(descriptor, path.basename(name)));
    await once(socket, 'connect').finally(() => socket.destroy());
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? false : undefined;
  } finally {
    await call.close(descriptor);
  }
}

/** Removes the socket of a dead process. */
export function removeSocket(folder: string, name: string): void {
  try {
    rmSync(path.join(folder, path.basename(name)), { force: true });
  } catch {
    // A leftover file does no harm.
  }
}

const throughDescriptor = (descriptor: number, name: string): string => `/proc/self/fd/${descriptor}/${name}`;

/** Waits up to `patienceMs` and returns whether the file was written, removed or replaced in that time. Independent of clocks. */
export async function changesWithin(file: string, patienceMs: number): Promise<boolean> {
  const before = look(file);
  for (const giveUp = performance.now() + patienceMs; performance.now() < giveUp; await sleep(POLL_MS)) {
    if (look(file) !== before) return true;
  }
  return look(file) !== before;
}

function look(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.ino} ${found.mtimeMs}`;
}
