/** Sends what `fetch` would not: any path, any header, any body with any method. */
import { Agent, request as send, type IncomingHttpHeaders } from 'node:http';

export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
}
export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Of an answer that goes on: what comes up to here is enough. */
const END_OF_STREAM = /^event: (?:ready|reset)$/m;

/** One connection at a time to a server on this machine. */
export class Client {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(port: number) {
    this.#port = port;
  }

  /** The whole answer; of a stream of events, those up to the first that says it has begun. Rejects where there is no answer. */
  send({ method, target, headers, body }: Sent): Promise<Received> {
    const names = new Set(headers.map(([name]) => name));
    const all = [...(names.has('host') ? [] : [['host', `127.0.0.1:${this.#port}`]]), ...headers];
    if (body !== undefined) all.push(['content-length', String(Buffer.byteLength(body))]);
    return new Promise((resolve, reject) => {
      const request = send({ host: '127.0.0.1', port: this.#port, method, path: target, headers: all.flat(), agent: this.#agent });
      request.once('error', reject);
      request.once('response', (response) => {
        const chunks: Buffer[] = [];
        const done = (): void =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') });
        const isStream = response.headers['content-type']?.startsWith('text/event-stream') === true;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (!isStream || !END_OF_STREAM.test(Buffer.concat(chunks).toString('utf8'))) return;
          done();
          response.destroy();
        });
        response.once('end', done);
        response.once('error', reject);
        response.once('aborted', () => reject(new Error('The connection was cut in the middle of the answer.')));
      });
      request.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
