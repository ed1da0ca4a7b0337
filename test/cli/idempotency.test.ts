import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCli, type Cli, type RunOptions } from '../helpers/cli.ts';

let cli: Cli;
beforeEach(async () => {
  cli = await openCli();
});
afterEach(() => cli[Symbol.asyncDispose]());

const API_KEY = 'the-key-of-this-server';
const TEXT = 'The walrus has the spare key';

interface Heard {
  readonly status: number;
  readonly text: string;
  readonly replayed: boolean;
}

async function send(url: string, method: string, route: string, { key, body }: { key?: string; body?: object } = {}): Promise<Heard> {
  const headers = { 'content-type': 'application/json', 'x-api-key': API_KEY, ...(key !== undefined && { 'idempotency-key': key }) };
  const response = await fetch(`${url}/api/${route}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, text: await response.text(), replayed: response.headers.get('idempotent-replayed') === 'true' };
}

describe('a killed server', () => {
  const options: RunOptions = { env: { SERVICE_API_KEY: API_KEY, SERVICE_STORAGE_BACKUP_INTERVAL: '0' } };

  it('gives the same responses after a restart, and does nothing twice', async () => {
    const first = await cli.serve([], options);
    const save = { key: 'order-4711', body: { content: TEXT } };
    const saved = await send(first.url, 'POST', 'save?form=guide', save);
    const { id } = JSON.parse(saved.text) as { id: string };
    const change = { key: 'change-1', body: { tags: ['spare'] } };
    const changed = await send(first.url, 'PATCH', id, change);
    const gone = await send(first.url, 'DELETE', id, { key: 'gone-1' });
    for (const { status, replayed } of [saved, changed, gone]) expect([status, replayed]).toEqual([200, false]);
    await first.stop('SIGKILL');

    const second = await cli.serve([], options);
    for (let round = 0; round < 2; round += 1) {
      expect(await send(second.url, 'POST', 'save?form=guide', save)).toEqual({ ...saved, replayed: true });
      expect(await send(second.url, 'PATCH', id, change)).toEqual({ ...changed, replayed: true });
      expect(await send(second.url, 'DELETE', id, { key: 'gone-1' })).toEqual({ ...gone, replayed: true });
    }
    expect((await send(second.url, 'POST', 'save?form=guide', { ...save, body: { content: 'Something else' } })).status).toBe(422);
    expect(JSON.parse((await send(second.url, 'GET', 'list')).text)).toMatchObject({ total: 0 });
    await second.stop('SIGKILL');
  });

  it('has one entry of a save that was interrupted and repeated', async () => {
    const first = await cli.serve([], options);
    const bodies = Array.from({ length: 40 }, (_, nth) => ({
      key: `cut-${nth}`,
      body: { content: `Sent while the server is killed, ${nth}` },
    }));
    const heard = bodies.map((sent) => send(first.url, 'POST', 'save', sent).catch(() => undefined));
    await heard[0];
    await first.stop('SIGKILL');
    const before = await Promise.all(heard);
    const second = await cli.serve([], options);
    const after = await Promise.all(bodies.map((sent) => send(second.url, 'POST', 'save', sent)));
    // Where the answer was lost it is still the first one, and does not say that this is a duplicate.
    for (const { status, text } of after) expect([status, text]).toEqual([200, expect.stringContaining('"status":"stored"')]);
    const told = before.flatMap((answer, nth) => (answer === undefined ? [] : [{ answer, again: after[nth] }]));
    expect(told.length).toBeGreaterThan(0);
    for (const { answer, again } of told) expect(again).toEqual({ ...answer, replayed: true });
    expect(JSON.parse((await send(second.url, 'GET', 'list?limit=1')).text)).toMatchObject({ total: bodies.length });
    await second.stop();
  });
});
