/** What waits until a limit is up. */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';
import { failureOf } from '../helpers/failure.ts';
import { startMcp } from '../helpers/mcp.ts';

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

describe('serve with a request that never ends', () => {
  const hang = async (url: string): Promise<void> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /api/save HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{');
    await once(socket, 'connect');
    // Answered by a later connection: by then the server has seen this one.
    await fetch(`${url}/api/health`);
  };

  it('still exits with 0', async () => {
    const served = await cli.serve();
    await hang(served.url);
    expect(await served.stop()).toEqual({ code: 0, signal: null });
    expect((await cli.run(['save', 'the store is free'])).code).toBe(0);
  });
});

describe('mcp', () => {
  it('names the process that has the store open', async () => {
    const store = join(cli.home, 'store');
    await mkdir(store);
    // A live process that shares nothing: this one.
    await writeFile(join(store, 'lore.lock'), JSON.stringify({ pid: process.pid, started: '', token: 'x' }));
    await using client = await startMcp(cli, [], { env: { SERVICE_STORAGE_PATH: store } });
    expect(await failureOf(client.call('memory_list'))).toMatchObject({
      message: expect.stringContaining(`open in process ${process.pid}`),
    });
  });
});
