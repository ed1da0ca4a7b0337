import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends bytes as they are, in the order given, and reads until the server closes the connection. A function is called in between. */
export async function rawExchange(port: number, parts: readonly (string | Buffer | (() => Promise<void>))[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // A reset after the answer is how a refused client may find the connection; what counts is what was received.
  socket.on('error', () => undefined);
  for (const part of parts) {
    if (typeof part === 'function') await part();
    else if (!socket.destroyed) socket.write(part);
  }
  await closed;
  return Buffer.concat(received).toString('utf8');
}

/** Splits a response that came alone on its connection. */
export function parseRaw(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') };
}

/** A POST head; `lines` are further header lines. */
export function head(path: string, lines: readonly string[], method = 'POST'): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...lines, '', ''].join('\r\n');
}
