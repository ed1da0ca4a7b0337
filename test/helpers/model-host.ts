import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MODEL_FILE, TINY_MODEL, tinyModelFiles } from './tiny-model.ts';

/** What the host does with a request for a model file. */
export type HostBehaviour =
  | 'serve'
  /** 404. */
  | 'missing'
  /** 503. */
  | 'broken'
  /** Closes the connection in the middle of the model file. */
  | 'cut'
  /** Half of the model file without a length: looks complete. */
  | 'short'
  /** A login page for everything, as in a hotel. */
  | 'captive'
  /** Half of the model file, and then silence. */
  | 'hang';

export interface ModelHost extends AsyncDisposable {
  readonly url: string;
  behaviour: HostBehaviour;
  /** Requested paths so far. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** A download server for model files with the faults of real ones. */
export async function startModelHost(behaviour: HostBehaviour = 'serve', { port = 0 } = {}): Promise<ModelHost> {
  const files = tinyModelFiles();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push(path);
    const file = path.replace(`/${TINY_MODEL}/resolve/main/`, '');
    const bytes = files.get(file);
    if (!bytes || host.behaviour === 'missing') response.writeHead(404).end();
    else answer(response, { bytes, behaviour: file === MODEL_FILE || !isAboutModel(host.behaviour) ? host.behaviour : 'serve' });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const host: ModelHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    behaviour,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
  return host;
}

/** An address where nothing listens. */
export async function deadAddress(): Promise<{ url: string; port: number }> {
  const host = await startModelHost();
  await host.close();
  return { url: host.url, port: Number(new URL(host.url).port) };
}

function isAboutModel(behaviour: HostBehaviour): boolean {
  return behaviour === 'cut' || behaviour === 'short' || behaviour === 'hang';
}

function answer(response: ServerResponse, { bytes, behaviour }: { bytes: Uint8Array; behaviour: HostBehaviour }): void {
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  switch (behaviour) {
    case 'serve':
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
      return;
    case 'missing':
      response.writeHead(404).end();
      return;
    case 'broken':
      response.writeHead(503).end();
      return;
    case 'captive':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Please accept our terms.</body></html>');
      return;
    case 'cut':
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(half, () => response.destroy());
      return;
    case 'short':
      response.writeHead(200).end(half);
      return;
    case 'hang':
      response.writeHead(200, { 'content-length': bytes.length }).write(half);
  }
}
