import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import type { Container } from '../helpers/azurite.ts';

/** The way to a container, which a test can make swallow every byte: connections stay open, and nothing is answered. */
export interface SilentWay extends AsyncDisposable {
  /** For LanceDB, instead of those of the container. */
  readonly options: Readonly<Record<string, string>>;
  /** From here on nothing passes. */
  swallow(): void;
  /** From here on new bytes pass again; the connections so far are cut, as by a network that comes back. */
  pass(): void;
}

export async function silentWay({ options }: Container): Promise<SilentWay> {
  const target = new URL(options['azure_storage_endpoint'] ?? '');
  const sockets = new Set<Socket>();
  let isSilent = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const server = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      keep(from);
      from.on('data', (bytes) => void (isSilent || to.write(bytes)));
      from.once('close', () => void (isSilent || to.destroy()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    options: { ...options, azure_storage_endpoint: `http://127.0.0.1:${port}${target.pathname}` },
    swallow: () => {
      isSilent = true;
    },
    pass: () => {
      isSilent = false;
      cut();
    },
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
