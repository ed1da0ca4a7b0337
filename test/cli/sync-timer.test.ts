import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openCliInProcess } from '../helpers/cli-in-process.ts';
import { seed, storedContents } from '../helpers/cli-store.ts';
import { startTestServer } from '../helpers/server.ts';

const PAGE = readFileSync(new URL('../../docs/sync.md', import.meta.url), 'utf8');
const URL_OF_PAGE = 'https://lore.example.com';
/** Arguments of what the timer runs, in order. */
const RUNS = [...PAGE.matchAll(/^ExecStart=lore (.+)$/gm)].map(([, args]) => args!.split(' '));

it('the timer of docs/sync.md syncs a laptop and a server, with the key from its file', async () => {
  await using cli = await openCliInProcess();
  await using team = await startTestServer({ keys: [{ name: 'laptop', access: 'full' }], storage: { durability: 'process' } });
  await seed(cli, [{ content: 'written on the train', namespace: 'a' }]);
  await team.app.memories.save({ content: 'written in the office', namespace: 'b' });
  const env = { SERVICE_API_KEY: team.keys.get('laptop')! };
  for (const args of RUNS) {
    const ran = await cli.run(
      args.map((word) => (word === URL_OF_PAGE ? team.url : word)),
      { env },
    );
    expect(ran).toMatchObject({ code: 0, stderr: '' });
  }
  const all = ['written in the office', 'written on the train'];
  expect((await storedContents(cli)).toSorted()).toEqual(all);
  const { entries } = await team.app.memories.list({ allNamespaces: true });
  expect(entries.map(({ content }) => content).toSorted()).toEqual(all);
  // Cron runs the same.
  expect(PAGE).toContain(RUNS.map((args) => `lore ${args.join(' ')}`).join(' && '));
});

it('the timer of docs/sync.md fails with a message without a network, and changes nothing', async () => {
  await using cli = await openCliInProcess();
  await seed(cli, [{ content: 'written on the train', namespace: 'a' }]);
  for (const args of RUNS) {
    const { code, stderr } = await cli.run(args.map((word) => (word === URL_OF_PAGE ? 'http://127.0.0.1:9' : word)));
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain('cannot be reached');
  }
  expect(await storedContents(cli)).toEqual(['written on the train']);
});
