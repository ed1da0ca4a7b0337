import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCli, type Cli, type Served } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { hasCommand, pathOf } from '../helpers/machine.ts';
import { freePort } from './machine.ts';
import { blocksOfOperations } from './transcript.ts';

const EXAMPLES = fileURLToPath(new URL('../../docs/examples/', import.meta.url));
const NAME = 'memory.example.com';

if (!hasCommand('openssl')) throw new Error('These tests make a certificate with openssl, which is not installed here.');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let cli: Cli;
let lore: Served;
let key: string;

/** The server with the settings that the document gives for this, and a limit that is soon reached. */
beforeAll(async () => {
  folder = await temporaryFolder();
  cli = await openCli();
  const settings = blocksOfOperations()
    .find(({ language }) => language === 'jsonc')!
    .lines.join('\n');
  const folderOfSettings = join(cli.home, '.config', 'lore');
  await mkdir(folderOfSettings, { recursive: true });
  await writeFile(join(folderOfSettings, 'config.json'), settings);
  key = (await cli.run(['auth', 'generate-key', '--json'])).json<{ key: string }>().key;
  lore = await cli.serve([], { env: { SERVICE_SERVER_RATE_LIMIT_REQUESTS_PER_MINUTE: '3' } });
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`, '-days', '2'];
  const out = ['-keyout', join(folder.path, 'key.pem'), '-out', join(folder.path, 'cert.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject, ...out], {
    stdio: 'ignore',
  });
});
afterAll(async () => {
  await lore.stop();
  await cli[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

interface Asked {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** One request over TLS to a proxy on this machine, which has to show the certificate of `memory.example.com`. */
async function ask(port: number, path: string, { method = 'GET', host = NAME, headers = {}, body }: Asked = {}): Promise<IncomingMessage> {
  const ca = readFileSync(join(folder.path, 'cert.pem'));
  const options = { host: '127.0.0.1', port, path, method, ca, servername: NAME, agent: false, headers: { host, ...headers } };
  const sent = request(options);
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

async function status(port: number, path: string, asked?: Asked): Promise<number | undefined> {
  const response = await ask(port, path, asked);
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

const json = { 'content-type': 'application/json' };
const authorized = () => ({ 'x-api-key': key });

/** What must be so behind any proxy. */
async function checkBehind(port: number): Promise<void> {
  expect(await status(port, '/healthz')).toBe(200);
  expect(await status(port, '/api/list')).toBe(401);
  expect(await status(port, '/api/list', { headers: authorized() })).toBe(200);

  const events = await ask(port, '/api/events', { headers: authorized() });
  expect(events.headers['content-type']).toMatch('text/event-stream');
  const heard = told(events);
  // More than nginx takes unless it is told.
  const body = JSON.stringify({ content: `through the proxy on ${port} ${'x'.repeat(1_500_000)}` });
  expect(await status(port, '/api/save', { method: 'POST', headers: { ...authorized(), ...json }, body })).toBe(200);
  expect(await heard).toContain('event: ');
  events.destroy();

  const line = `${JSON.stringify({ content: 'one and the same' })}\n`;
  const lines = { ...authorized(), 'content-type': 'application/x-ndjson' };
  expect(await status(port, '/api/import', { method: 'POST', headers: lines, body: line })).toBe(200);
}

/** Waits until an event came, while the stream goes on. */
async function told(events: IncomingMessage): Promise<string> {
  let heard = '';
  for await (const chunk of events.iterator({ destroyOnReturn: false })) {
    heard += String(chunk);
    if (heard.includes('event: ')) break;
  }
  return heard;
}

/** The rate of a client is its own: the proxy is trusted to say who it is. */
async function checkClientsApart(port: number, net: string): Promise<void> {
  const from = (address: string) => status(port, '/api/list', { headers: { ...authorized(), 'x-forwarded-for': address } });
  expect([await from(`${net}.7`), await from(`${net}.7`), await from(`${net}.7`), await from(`${net}.7`)]).toEqual([200, 200, 200, 429]);
  expect(await from(`${net}.8`)).toBe(200);
}

async function listening(port: number, proxy: ChildProcess): Promise<void> {
  while (proxy.exitCode === null) {
    const answered = await status(port, '/healthz').catch(() => undefined);
    if (answered !== undefined) return;
    await sleep(50);
  }
  throw new Error(`the proxy ended with ${proxy.exitCode}`);
}

async function ended(proxy: ChildProcess): Promise<void> {
  if (proxy.exitCode !== null || proxy.signalCode !== null) return;
  const exit = once(proxy, 'exit');
  proxy.kill('SIGTERM');
  await exit;
}

const lorePort = () => new URL(lore.url).port;

describe('behind a reverse proxy with TLS, with the settings of docs/operations.md', { timeout: 120_000 }, () => {
  it('everything works through a proxy that forwards the host and address of the client', async () => {
    const certificate = { key: await readFile(join(folder.path, 'key.pem')), cert: await readFile(join(folder.path, 'cert.pem')) };
    const proxy = createServer(certificate, (req, res) => {
      const forwarded = [req.headers['x-forwarded-for'] ?? [], req.socket.remoteAddress ?? ''].flat().join(', ');
      const { method, url: path } = req;
      const headers = { ...req.headers, 'x-forwarded-for': forwarded };
      const onward = plainRequest(lore.url, { method, path, headers, agent: false }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
        answer.pipe(res);
      });
      onward.on('error', () => res.destroy());
      res.on('close', () => onward.destroy());
      req.pipe(onward);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    try {
      await checkBehind(port);
      await checkClientsApart(port, '203.0.113');
      expect(await status(port, '/healthz', { host: 'other.example.com' })).toBe(403);
    } finally {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    }
  });

  const noNginx = hasCommand('nginx') ? '' : ' (skipped: nginx is not installed)';
  it.skipIf(noNginx !== '')(`everything works through nginx with docs/examples/nginx.conf${noNginx}`, async () => {
    const port = Number(await freePort());
    const site = (await readFile(join(EXAMPLES, 'nginx.conf'), 'utf8'))
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('/etc/ssl/memory.example.com/fullchain.pem', join(folder.path, 'cert.pem'))
      .replace('/etc/ssl/memory.example.com/privkey.pem', join(folder.path, 'key.pem'))
      .replaceAll('127.0.0.1:7007', `127.0.0.1:${lorePort()}`);
    const place = join(folder.path, 'nginx');
    await mkdir(place);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${place}/${kind};`);
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    await writeFile(
      join(place, 'nginx.conf'),
      `${user} daemon off; pid ${place}/pid; error_log ${place}/error.log; worker_processes 1; events {}\nhttp { access_log off; ${paths.join(' ')}\n${site}}\n`,
    );
    const proxy = spawn(pathOf('nginx')!, ['-c', join(place, 'nginx.conf'), '-p', place, '-e', join(place, 'error.log')], {
      stdio: 'ignore',
    });
    try {
      await listening(port, proxy);
      await checkBehind(port);
      await checkClientsApart(port, '198.51.100');
      expect(proxy.exitCode).toBeNull();
    } finally {
      await ended(proxy);
    }
  });

  const noCaddy = hasCommand('caddy') ? '' : ' (skipped: caddy is not installed)';
  it.skipIf(noCaddy !== '')(`everything works through Caddy with docs/examples/Caddyfile${noCaddy}`, async () => {
    const [port, other] = [Number(await freePort()), await freePort()];
    const site = (await readFile(join(EXAMPLES, 'Caddyfile'), 'utf8'))
      .replace(
        'memory.example.com {',
        `memory.example.com:${port} {\n\tbind 127.0.0.1\n\ttls ${folder.path}/cert.pem ${folder.path}/key.pem`,
      )
      .replaceAll('127.0.0.1:7007', `127.0.0.1:${lorePort()}`);
    const place = join(folder.path, 'caddy');
    await mkdir(place);
    await writeFile(join(place, 'Caddyfile'), `{\n\tadmin off\n\thttp_port ${other}\n\tauto_https disable_redirects\n}\n${site}`);
    const env = { PATH: process.env['PATH'] ?? '', HOME: place, XDG_DATA_HOME: place, XDG_CONFIG_HOME: place };
    const args = ['run', '--adapter', 'caddyfile', '--config', join(place, 'Caddyfile')];
    const proxy = spawn(pathOf('caddy')!, args, { stdio: 'ignore', env });
    try {
      await listening(port, proxy);
      await checkBehind(port);
      expect(proxy.exitCode).toBeNull();
    } finally {
      await ended(proxy);
    }
  });
});
