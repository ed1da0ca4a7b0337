import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCli, type Cli } from '../helpers/cli.ts';
import { startMcp, type McpProcess } from '../helpers/mcp.ts';

let cli: Cli;
let store: string;
beforeEach(async () => {
  cli = await openCli();
  store = join(cli.home, 'store');
});
afterEach(() => cli[Symbol.asyncDispose]());

const start = (): Promise<McpProcess> => startMcp(cli, ['--namespace', 'shared'], { env: { SERVICE_STORAGE_PATH: store } });

/** The process that has the store open, unless it is on its way to. */
function holderPid(): number | undefined {
  try {
    const { pid, url } = JSON.parse(readFileSync(join(store, 'lore.lock'), 'utf8')) as { pid: number; url?: string };
    return url === undefined ? undefined : pid;
  } catch {
    return undefined;
  }
}

describe('clients of one store', () => {
  it('take over by themselves, without being asked anything', async () => {
    const clients = await Promise.all(Array.from({ length: 3 }, start));
    await Promise.all(clients.map((client, n) => client.call('memory_save', { content: `Fact ${n}` })));
    const first = holderPid()!;
    process.kill(first, 'SIGKILL');
    for (let pid = holderPid(); pid === undefined || pid === first; pid = holderPid()) await sleep(50);
    const left = clients.filter(({ child }) => child.pid !== first);
    expect(left.map(({ child }) => child.pid)).toContain(holderPid());
    for (const client of left) expect((await client.call<{ total: number }>('memory_list')).total).toBe(3);
    await Promise.all(left.map((client) => client.end()));
    expect(holderPid()).toBeUndefined();
  });
});
