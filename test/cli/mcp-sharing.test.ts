import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sharedClients } from './shared-clients.ts';

const shared = sharedClients();

describe('clients of one store', () => {
  it('take over automatically', async () => {
    const clients = await Promise.all(Array.from({ length: 3 }, shared.start));
    await Promise.all(clients.map((client, n) => client.call('memory_save', { content: `Fact ${n}` })));
    const first = shared.holderPid()!;
    process.kill(first, 'SIGKILL');
    for (let pid = shared.holderPid(); pid === undefined || pid === first; pid = shared.holderPid()) await sleep(50);
    const left = clients.filter(({ child }) => child.pid !== first);
    expect(left.map(({ child }) => child.pid)).toContain(shared.holderPid());
    for (const client of left) expect((await client.call<{ total: number }>('memory_list')).total).toBe(3);
    await Promise.all(left.map((client) => client.end()));
    expect(shared.holderPid()).toBeUndefined();
  });
});
