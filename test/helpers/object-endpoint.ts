import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Response of an object storage endpoint: status and fault code; `slow`: none, or an empty list for reads. */
export type EndpointAnswer = { readonly status: number; readonly code?: string; readonly body?: string } | 'slow' | 'read-only';

const EMPTY_LIST = '<?xml version="1.0" encoding="utf-8"?><EnumerationResults><Blobs/><NextMarker/></EnumerationResults>';

/** A local server that gives every object storage request the same response; closed with the test. */
export async function objectEndpoint(answer: EndpointAnswer): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((request, response) => respond(request, response, answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(request: IncomingMessage, response: ServerResponse, answer: EndpointAnswer): void {
  if (answer === 'slow') return;
  request.resume();
  if (answer === 'read-only') {
    if (request.method === 'GET') fault(response, { status: 200, body: EMPTY_LIST });
    else if (request.method === 'HEAD') fault(response, { status: 404 });
    else fault(response, { status: 403, code: 'AuthorizationPermissionMismatch' });
    return;
  }
  fault(response, answer);
}

function fault(response: ServerResponse, { status, code, body }: { status: number; code?: string; body?: string }): void {
  response.writeHead(status, { 'content-type': 'application/xml', ...(code !== undefined && { 'x-ms-error-code': code }) });
  response.end(body ?? (code === undefined ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>It is so.</Message></Error>`));
}
