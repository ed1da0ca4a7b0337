// Servers on one store in the emulator of object storage, and the CPU time of everybody who takes part.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { askContainer, optionsAt, startEmulator } from '../azure/emulator.mjs';
import { processFigures, startServer } from './server.mjs';

const CONTAINER = 'bench';

/** What a line of the emulator's log is about: method, table and kind of file. */
function kindOf(line) {
  const [, method, url = ''] = /"([A-Z]+) (\S+) HTTP\//.exec(line) ?? [];
  const [, table, kind] = /lore\/([^/]+)\.lance\/([^/]*)/.exec(decodeURIComponent(url)) ?? [];
  const verb = url.includes('comp=list') ? 'LIST' : method;
  return table === undefined ? `${verb} other` : `${verb} ${table.replace(/^log_.*/, 'log')} ${kind.replace(/^_/, '')}`;
}

/** The emulator and the servers, of which `grow` starts more; all files are below `folder`. */
export async function openCrowd(folder) {
  const asked = new Map();
  const onRequest = (line) => {
    const kind = kindOf(line);
    asked.set(kind, (asked.get(kind) ?? 0) + 1);
  };
  const emulator = await startEmulator(path.join(folder, 'azurite'), { onRequest });
  const { cpuMs: emulatorMs } = processFigures(emulator.pid);
  const servers = [];
  const grow = async () => {
    const own = path.join(folder, `server-${servers.length}`);
    mkdirSync(own);
    const server = await startServer(`az://${CONTAINER}/lore`, {
      SERVICE_STORAGE_OPTIONS: JSON.stringify(optionsAt(emulator.port)),
      SERVICE_STORAGE_LOCAL_PATH: own,
      SERVICE_MEMORY_NAMESPACE: 'bench',
    });
    servers.push(server);
    return server;
  };
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await emulator.stop();
  };
  try {
    await askContainer(emulator.port, { method: 'PUT', name: CONTAINER, query: { restype: 'container' } });
    await grow();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    servers,
    grow,
    /** Request number `nth` goes to the next of the servers, as a balancer would send it. */
    send: (nth, ...request) => servers[nth % servers.length].send(...request),
    /** Ends the first server at once, which maintains the store; requests that it had begun fail. */
    kill: () => servers.shift().kill(),
    /** Waits until nothing runs in the background of any of them. */
    settle: () => Promise.all(servers.map((server) => server.settle())),
    /** CPU time so far, milliseconds; undefined in each place where the kernel does not tell. */
    cpu: () => {
      const { user, system } = process.cpuUsage();
      return { servers: servers.reduce((sum, server) => sum + server.cpuMs(), 0), emulator: emulatorMs(), load: (user + system) / 1000 };
    },
    /** Requests to the object storage so far, by what they were about. */
    asked: () => Object.fromEntries(asked),
    stop,
  };
}
