import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { silentLog } from '../../src/memory/log.ts';
import { connect } from '../../src/store/backends/connection.ts';
import { SharedLog } from '../../src/store/wal/shared/shared-log.ts';
import { makeContainer, type Container } from '../helpers/azurite.ts';
import { openCli } from '../helpers/cli.ts';
import { startMcp } from '../helpers/mcp.ts';

const LEASE_MS = 1_500;

function settingsFor({ uri, options }: Container): Record<string, string> {
  return {
    SERVICE_STORAGE_PATH: uri,
    SERVICE_MEMORY_NAMESPACE: 'team',
    SERVICE_STORAGE_OPTIONS: JSON.stringify(options),
    SERVICE_STORAGE_LEASE_MS: String(LEASE_MS),
    SERVICE_EMBEDDINGS_PROVIDER: 'builtin',
  };
}

/** Does as another server does that goes on for long: the part of the log that all others have read last is gone then. */
async function leaveBehind({ uri, options }: Container): Promise<void> {
  const shared = await SharedLog.open({
    connect: () => connect(uri, { options, timeoutMs: 20_000 }),
    server: 'other',
    timeoutMs: 20_000,
    leaseMs: LEASE_MS,
    retainMs: 1,
    log: silentLog,
    onEvent: () => undefined,
  });
  while (!(await shared.takeLease())) await sleep(100);
  expect(await shared.closeSegment()).toBe(true);
  const mark = await shared.mark();
  expect(await shared.publish(mark!, shared.beginning.checkpoint)).toBe(true);
  for (let nth = 0; nth < 3; nth += 1) await shared.trim();
  await shared.release();
  await shared.close();
}

it('a server that was stopped until its log segment was removed serves again on its port', async () => {
  const container = await makeContainer();
  await using cli = await openCli();
  const served = await cli.serve([], { env: settingsFor(container) });
  served.child.kill('SIGSTOP');
  await leaveBehind(container);
  served.child.kill('SIGCONT');
  const save = (): Promise<number | undefined> =>
    fetch(`${served.url}/api/save?form=reference`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'the ferry is back' }),
    }).then(
      ({ status }) => status,
      () => undefined,
    );
  let status = await save();
  while (status !== 200 && status !== 201) {
    await sleep(200);
    status = await save();
  }
  expect(served.child.exitCode).toBeNull();
  expect((await served.stop()).code).toBe(0);
}, 120_000);

it('an MCP server that slept equally long continues', async () => {
  const container = await makeContainer();
  await using cli = await openCli();
  const mcp = await startMcp(cli, ['--namespace', 'ferries'], { env: settingsFor(container) });
  expect(await mcp.call<{ results: unknown[] }>('memory_recall', { query: 'ferry' })).toMatchObject({ results: [] });
  mcp.child.kill('SIGSTOP');
  await leaveBehind(container);
  mcp.child.kill('SIGCONT');
  const { id } = await mcp.call<{ id: string }>('memory_save', { content: 'the ferry is back' });
  expect(await mcp.call('memory_get', { id })).toMatchObject({ content: 'the ferry is back' });
  await mcp.end();
}, 120_000);
