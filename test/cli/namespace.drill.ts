import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCliInProcess, type CliInProcess } from '../helpers/cli-in-process.ts';

let cli: CliInProcess;
beforeEach(async () => {
  cli = await openCliInProcess();
});
afterEach(() => cli[Symbol.asyncDispose]());

interface Listed {
  namespaces: { namespace: string; entries: number }[];
  here: { namespace: string };
}
const countsOf = ({ namespaces }: Listed): [string, number][] => namespaces.map(({ namespace, entries }) => [namespace, entries]);
const listed = async (): Promise<[string, number][]> => countsOf((await cli.run(['namespace', 'list', '--json'])).json<Listed>());
/** The same, asked of the server where one runs: that takes no start of the command line. */
const counted = async (): Promise<[string, number][]> =>
  cli.server === undefined ? await listed() : countsOf((await (await fetch(`${cli.server.url}/api/namespaces`)).json()) as Listed);

describe('the namespace commands', () => {
  it('finish a rename when the server that was at it is killed', async () => {
    const served = await cli.serve();
    const lines = Array.from({ length: 4000 }, (_, nth) => JSON.stringify({ content: `Fact number ${nth}`, namespace: 'old' })).join('\n');
    await cli.run(['import', '-', '--format', 'jsonl'], { input: lines });
    const counts = async (): Promise<Record<string, number>> => {
      const { namespaces } = (await (await fetch(`${served.url}/api/namespaces`)).json()) as Listed;
      return Object.fromEntries(namespaces.map(({ namespace, entries }) => [namespace, entries]));
    };
    expect(await counts()).toEqual({ old: 4000 });
    const renaming = cli.run(['namespace', 'rename', 'old', 'new', '--yes']);
    while ((await counts())['new'] === undefined) await new Promise((resolve) => setImmediate(resolve));
    await served.stop('SIGKILL');
    await renaming;

    const left = await listed();
    expect(left.reduce((sum, [, entries]) => sum + entries, 0)).toBe(4000);
    await cli.run(['namespace', 'rename', 'old', 'new', '--yes']);
    expect(await counted()).toEqual([['new', 4000]]);
  });
});
